package metadata

// ProducerIDBlock is how many producer ids a broker is handed at once. What is
// left of a block when the broker stops is never used.
const ProducerIDBlock = 1000

// AllocateProducerIDs plans the next block of producer ids for a broker.
func AllocateProducerIDs(i *Image, broker int32) *ProducerIDsAllocated {
	return &ProducerIDsAllocated{Broker: broker, First: i.nextProducerID, Next: i.nextProducerID + ProducerIDBlock}
}
