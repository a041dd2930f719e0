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
		`topics:[name:string? id:uuid]@6+ names:[string]@0-5 timeout:int32`)
}

func deleteTopics(ctx context.Context, b *Backend, _ *Caller, q *kmsg.DeleteTopicsRequest) *kmsg.DeleteTopicsResponse {
	ctx, cancel := withinTimeout(ctx, q.TimeoutMillis)
	defer cancel()

	response := kmsg.NewPtrDeleteTopicsResponse()
	add := func(name *string, r metadata.TopicResult) {
		response.Topics = append(response.Topics, deletedTopic(name, r))
	}
	asked := deletionsAsked(q)
	if !b.Config.DeleteTopics {
		for _, d := range asked {
			add(d.name, metadata.Refused("", d.id, deletionDisabled(q.Version)))
		}
		return response
	}
	var refs []metadata.TopicRef
	for _, d := range asked {
		if refused := d.check(); refused != nil {
			add(d.name, metadata.Refused("", d.id, refused))
			continue
		}
		refs = append(refs, d.ref())
	}
	unique, results := onceEach(refs, func(ref *metadata.TopicRef) metadata.TopicRef { return *ref })
	refs = refs[:0]
	for _, ref := range unique {
		refs = append(refs, *ref)
	}
	if len(refs) > 0 {
		results = append(results, b.Controller.DeleteTopics(ctx, refs)...)
	}
	for _, r := range results {
		add(nameOf(r), r)
	}
	return response
}

// deletion is one topic of the request.
type deletion struct {
	name *string
	id   metadata.TopicID
}

func deletionsAsked(q *kmsg.DeleteTopicsRequest) []deletion {
	var asked []deletion
	for n := range q.TopicNames {
		asked = append(asked, deletion{name: &q.TopicNames[n]})
	}
	for _, t := range q.Topics {
		asked = append(asked, deletion{name: t.Topic, id: t.TopicID})
	}
	return asked
}

func (d deletion) check() *refusal.Refusal {
	switch none := (metadata.TopicID{}); {
	case d.name == nil && d.id == none:
		return refusal.New(kerr.InvalidRequest, "a topic to delete has neither a name nor an id")
	case d.name != nil && d.id != none:
		return refusal.New(kerr.InvalidRequest, "a topic to delete has both the name %q and the id %s; give one", *d.name, d.id)
	}
	return nil
}

func (d deletion) ref() metadata.TopicRef {
	if d.name == nil {
		return metadata.TopicRef{ID: d.id}
	}
	return metadata.TopicRef{Name: *d.name}
}

// nameOf is null where a topic was named by its id and is not known. The empty
// name is one like others, of a topic that is not there.
func nameOf(r metadata.TopicResult) *string {
	if r.Name == "" && r.ID != (metadata.TopicID{}) {
		return nil
	}
	return &r.Name
}

// deletionDisabled has a code of its own since version 3.
func deletionDisabled(version int16) *refusal.Refusal {
	const message = "topics cannot be deleted: delete.topic.enable is false on this broker"
	if version < 3 {
		return refusal.New(kerr.InvalidRequest, message)
	}
	return refusal.New(kerr.TopicDeletionDisabled, message)
}

// deletedTopic has a name that is null where there is none to tell.
func deletedTopic(name *string, r metadata.TopicResult) kmsg.DeleteTopicsResponseTopic {
	t := kmsg.NewDeleteTopicsResponseTopic()
	t.Topic, t.TopicID = name, r.ID
	t.ErrorCode, t.ErrorMessage = r.Refusal.Outcome()
	return t
}
