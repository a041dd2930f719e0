package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// deleteTopicsAPI is DeleteTopics.
//
//	v3 a code of its own where topics cannot be deleted
//	v4 flexible
//	v5 messages
//	v6 topics are named by their name or by their id (KIP-516)
func deleteTopicsAPI() *api {
	return decoded(api{key: 20, name: "DeleteTopics", min: 1, max: 6, flexibleFrom: 4}, deleteTopics,
		`topics:[name:string id:uuid]@6+ names:[string]@0-5 timeout:int32`)
}

func deleteTopics(ctx context.Context, b *Backend, _ *Caller, q *kmsg.DeleteTopicsRequest) *kmsg.DeleteTopicsResponse {
	ctx, cancel := withinTimeout(ctx, q.TimeoutMillis)
	defer cancel()

	response := kmsg.NewPtrDeleteTopicsResponse()
	add := func(r metadata.TopicResult) { response.Topics = append(response.Topics, deletedTopic(r)) }
	if !b.Config.DeleteTopics {
		for _, ref := range topicRefs(q) {
			add(metadata.Refused(ref.Name, ref.ID, deletionDisabled(q.Version)))
		}
		return response
	}
	unique, repeated := onceEach(topicRefs(q), func(ref *metadata.TopicRef) metadata.TopicRef { return *ref })
	for _, r := range repeated {
		add(r)
	}
	var refs []metadata.TopicRef
	for _, ref := range unique {
		if refused := checkRef(*ref); refused != nil {
			add(metadata.Refused(ref.Name, ref.ID, refused))
			continue
		}
		refs = append(refs, *ref)
	}
	if len(refs) > 0 {
		for _, r := range b.Controller.DeleteTopics(ctx, refs) {
			add(r)
		}
	}
	return response
}

func topicRefs(q *kmsg.DeleteTopicsRequest) []metadata.TopicRef {
	var refs []metadata.TopicRef
	for _, name := range q.TopicNames {
		refs = append(refs, metadata.TopicRef{Name: name})
	}
	for _, t := range q.Topics {
		ref := metadata.TopicRef{ID: t.TopicID}
		if t.Topic != nil {
			ref.Name = *t.Topic
		}
		refs = append(refs, ref)
	}
	return refs
}

func checkRef(ref metadata.TopicRef) *refusal.Refusal {
	switch none := (metadata.TopicID{}); {
	case ref.Name == "" && ref.ID == none:
		return refusal.New(kerr.InvalidRequest, "a topic to delete has neither a name nor an id")
	case ref.Name != "" && ref.ID != none:
		return refusal.New(kerr.InvalidRequest, "a topic to delete has both the name %q and the id %s; give one", ref.Name, ref.ID)
	}
	return nil
}

// deletionDisabled has a code of its own since version 3.
func deletionDisabled(version int16) *refusal.Refusal {
	const message = "topics cannot be deleted: delete.topic.enable is false on this broker"
	if version < 3 {
		return refusal.New(kerr.InvalidRequest, message)
	}
	return refusal.New(kerr.TopicDeletionDisabled, message)
}

func deletedTopic(r metadata.TopicResult) kmsg.DeleteTopicsResponseTopic {
	t := kmsg.NewDeleteTopicsResponseTopic()
	t.TopicID = r.ID
	if r.Name != "" {
		t.Topic = &r.Name
	}
	t.ErrorCode, t.ErrorMessage = r.Refusal.Outcome()
	return t
}
