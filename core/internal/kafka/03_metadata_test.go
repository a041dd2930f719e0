package kafka

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A name that no topic can have is told apart from one that no topic has,
// whether or not topics are created for those who ask.
func TestMetadataOfNamesThatNoTopicCanHave(t *testing.T) {
	b := newTestBroker(t)
	client := b.dial(t)
	for _, version := range []int16{1, 4, 12, 13} {
		for name, want := range map[string]*kerr.Error{
			"a b": kerr.InvalidTopicException, "": kerr.InvalidTopicException, "..": kerr.InvalidTopicException,
			strings.Repeat("x", 250): kerr.InvalidTopicException, "missing": kerr.UnknownTopicOrPartition,
		} {
			for _, create := range []bool{false, true} {
				if name == "missing" && (create || version < 4) {
					continue // it is created
				}
				q := kmsg.NewPtrMetadataRequest()
				q.SetVersion(version)
				q.AllowAutoTopicCreation = create
				q.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr(name)}}
				got := client.ask(q).(*kmsg.MetadataResponse).Topics
				require.Len(t, got, 1)
				require.Equal(t, want.Code, got[0].ErrorCode, "version %d %q create %v", version, name, create)
				require.Equal(t, name, *got[0].Topic)
			}
		}
	}
	require.Zero(t, b.backend.Controller.Image().TopicCount())
}
