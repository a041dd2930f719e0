package kafka

import (
	"net/netip"
	"time"

	"odradek.dev/core/internal/config"
)

// connectionQuota counts connections and says whether there may be another, as
// Kafka does (KIP-402, KIP-612): one over a limit of the broker or of its
// listener has to wait, one over the limit of its address is refused. It knows
// no clock and no lock.
type connectionQuota struct {
	broker *config.Broker
	// overrides are the limits of single addresses.
	overrides map[netip.Addr]int
	total     int
	listeners map[string]int
	addresses map[netip.Addr]int
	// created is for the whole broker, createdAt for each listener.
	created   creationRate
	createdAt map[string]*creationRate
}

func newConnectionQuota(b *config.Broker) *connectionQuota {
	return &connectionQuota{
		broker: b, overrides: literalOverrides(b), listeners: make(map[string]int),
		addresses: make(map[netip.Addr]int), createdAt: make(map[string]*creationRate),
	}
}

// literalOverrides are the limits of hosts that are given by their address.
func literalOverrides(b *config.Broker) map[netip.Addr]int {
	limits := make(map[netip.Addr]int)
	for host, most := range b.MaxConnectionsPerIPOverrides {
		if address, err := netip.ParseAddr(host); err == nil {
			limits[address.Unmap()] = most
		}
	}
	return limits
}

// delay counts a connection that a client asks for and returns how long it has
// to wait for the rates to be kept.
func (q *connectionQuota) delay(listener string, now time.Time) time.Duration {
	at := q.createdAt[listener]
	if at == nil {
		at = &creationRate{}
		q.createdAt[listener] = at
	}
	_, limit := q.broker.ListenerLimits(listener)
	wait := at.add(limit, now)
	if !q.broker.SparesListener(listener) {
		wait = max(wait, q.created.add(q.broker.MaxConnectionCreationRate, now))
	}
	return wait
}

// free says whether the listener may have another connection now.
func (q *connectionQuota) free(listener string) bool {
	most, _ := q.broker.ListenerLimits(listener)
	if q.listeners[listener] >= most {
		return false
	}
	return q.broker.SparesListener(listener) || q.total < q.broker.MaxConnections
}

// take counts a connection. It does not, and returns the limit, if its address
// has as many as it may.
func (q *connectionQuota) take(listener string, from netip.Addr) (limit int, taken bool) {
	limit, own := q.overrides[from]
	if !own {
		limit = q.broker.MaxConnectionsPerIP
	}
	if q.addresses[from] >= limit {
		return limit, false
	}
	q.total++
	q.listeners[listener]++
	q.addresses[from]++
	return limit, true
}

// give takes a connection that is over out of the counts.
func (q *connectionQuota) give(listener string, from netip.Addr) {
	q.total--
	q.listeners[listener]--
	if q.addresses[from]--; q.addresses[from] == 0 {
		delete(q.addresses, from)
	}
}

// exceeded says that there are more connections than the broker may have: the
// limit was lowered, or a listener was spared.
func (q *connectionQuota) exceeded() bool { return q.total > q.broker.MaxConnections }
