package step

// The types of groups.
const (
	Classic  = "classic"
	Consumer = "consumer" // of KIP-848
)

// ConsumerProtocol is the type of protocol that consumers have: the group can
// read what they subscribe to.
const ConsumerProtocol = "consumer"
