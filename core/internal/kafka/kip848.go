package kafka

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/group"
)

// groupVersion is the feature that lets clients use groups of KIP-848, from
// level 1 on.
const groupVersion = "group.version"

// ofKIP848 has the requests of a row refused while the cluster does not have
// that feature, or this broker is not to coordinate such groups. Kafka does so
// too, and goes on to advertise the key. Whatever else there is of groups stays
// served: those that are in the log are listed, keep their offsets, lose the
// members that cannot say any more that they live, and take classic members as
// group.consumer.migration.policy lets them.
func ofKIP848(row *api) *api {
	serve := row.handle
	row.handle = func(c *connection, r *request) error {
		b := c.server.backend
		if b.Config.Coordinates(config.ConsumerProtocol) && b.Controller.Image().FeatureLevel(groupVersion) > 0 {
			return serve(c, r)
		}
		q := kmsg.RequestForKey(row.key)
		q.SetVersion(r.version)
		if err := q.ReadFrom(r.body); err != nil {
			return malformed(r, err)
		}
		return c.ask(r, q, func(done func(kmsg.Response)) { done(group.Refuse(q, kerr.UnsupportedVersion)) })
	}
	return row
}
