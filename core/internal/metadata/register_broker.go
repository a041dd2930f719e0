package metadata

// RegisterBroker plans a broker's start. The epoch in b is not read: the new
// one is larger than any that a broker had. If the broker leads partitions, of
// an earlier life, their leader epochs go up with it.
func RegisterBroker(i *Image, b Broker) []Record {
	b.Epoch = i.index + 1
	records := []Record{registration(b)}
	if i.leadsAny(b.ID) {
		records = append(records, &LeaderRestarted{Leader: b.ID})
	}
	return records
}

func (i *Image) leadsAny(broker int32) bool {
	for topic := range i.Topics() {
		for _, p := range topic.Partitions {
			if p.Record.Leader == broker {
				return true
			}
		}
	}
	return false
}

// registration is the record that led to b.
func registration(b Broker) *BrokerRegistered {
	r := &BrokerRegistered{ID: b.ID, Epoch: b.Epoch, Rack: b.Rack}
	for _, l := range b.Listeners {
		r.Listeners = append(r.Listeners, listenerEndpoint(l))
	}
	return r
}
