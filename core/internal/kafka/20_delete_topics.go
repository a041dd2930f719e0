package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// deleteTopics serves DeleteTopics, versions 1 to 6. From version 6 topics are
// named by their name or by their id (KIP-516).
func deleteTopics(ctx context.Context, b *Backend, _ *Caller, req *kmsg.DeleteTopicsRequest) *kmsg.DeleteTopicsResponse {
	ctx, cancel := withinTimeout(ctx, req.TimeoutMillis)
	defer cancel()

	resp := kmsg.NewPtrDeleteTopicsResponse()
	add := func(r metadata.TopicResult) { resp.Topics = append(resp.Topics, deletedTopic(r)) }
	if !b.Config.DeleteTopics {
		for _, ref := range topicRefs(req) {
			add(metadata.Refused(ref.Name, ref.ID, deletionDisabled(req.Version)))
		}
		return resp
	}
	unique, repeated := onceEach(topicRefs(req), refKey)
	for _, key := range repeated {
		add(repeatedRef(key))
	}
	var refs []metadata.TopicRef
	for _, ref := range unique {
		if failure := checkRef(*ref); failure != nil {
			add(metadata.Refused(ref.Name, ref.ID, failure))
			continue
		}
		refs = append(refs, *ref)
	}
	if len(refs) > 0 {
		for _, r := range b.Controller.DeleteTopics(ctx, refs) {
			add(r)
		}
	}
	return resp
}

func topicRefs(req *kmsg.DeleteTopicsRequest) []metadata.TopicRef {
	var refs []metadata.TopicRef
	for _, name := range req.TopicNames {
		refs = append(refs, metadata.TopicRef{Name: name})
	}
	for _, t := range req.Topics {
		ref := metadata.TopicRef{ID: t.TopicID}
		if t.Topic != nil {
			ref.Name = *t.Topic
		}
		refs = append(refs, ref)
	}
	return refs
}

// refKey tells references apart; no topic's name begins with a slash.
func refKey(ref *metadata.TopicRef) string {
	if ref.Name != "" {
		return ref.Name
	}
	return "/" + string(ref.ID[:])
}

func repeatedRef(key string) metadata.TopicResult {
	if key[0] != '/' {
		return metadata.Refused(key, metadata.TopicID{}, namedTwice(key))
	}
	id := metadata.TopicID([]byte(key[1:]))
	return metadata.Refused("", id, metadata.Failf(kerr.InvalidRequest, "the request names topic id %s more than once", id))
}

func checkRef(ref metadata.TopicRef) *metadata.Failure {
	switch none := (metadata.TopicID{}); {
	case ref.Name == "" && ref.ID == none:
		return metadata.Failf(kerr.InvalidRequest, "a topic to delete has neither a name nor an id")
	case ref.Name != "" && ref.ID != none:
		return metadata.Failf(kerr.InvalidRequest, "a topic to delete has both the name %q and the id %s; give one", ref.Name, ref.ID)
	}
	return nil
}

// deletionDisabled has a code of its own since version 3.
func deletionDisabled(version int16) *metadata.Failure {
	const message = "topics cannot be deleted: delete.topic.enable is false on this broker"
	if version < 3 {
		return metadata.Failf(kerr.InvalidRequest, message)
	}
	return metadata.Failf(kerr.TopicDeletionDisabled, message)
}

func deletedTopic(r metadata.TopicResult) kmsg.DeleteTopicsResponseTopic {
	t := kmsg.NewDeleteTopicsResponseTopic()
	t.TopicID = r.ID
	if r.Name != "" {
		t.Topic = &r.Name
	}
	t.ErrorCode, t.ErrorMessage = outcome(r.Failure)
	return t
}
