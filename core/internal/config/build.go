package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

var (
	topicKeys  = tableOf(topicLogKeys(), topicRetentionKeys(), topicMessageKeys(), topicReplicationKeys(), topicRemoteKeys())
	brokerKeys = marked(tableOf(synonymKeys(topicKeys), brokerIdentityKeys(), brokerListenerKeys(), brokerTopicKeys(),
		brokerNetworkKeys(), connectionKeys(), brokerOwnKeys(), brokerRefusedKeys(),
		offsetKeys(), groupCoordinatorKeys(), consumerGroupKeys(), brokerInertKeys()))
)

// brokerInertKeys are the broker configs of Kafka that nothing acts on yet.
func brokerInertKeys() []key[Broker] {
	return slices.Concat(
		clusterIdentityKeys(), quorumKeys(), metadataLogKeys(), socketKeys(), requestKeys(), quotaKeys(),
		logTaskKeys(), cleanerKeys(), replicaKeys(), remoteStorageKeys(), remoteTaskKeys(),
		shareGroupKeys(), shareRecordKeys(), shareCoordinatorKeys(),
		streamsGroupKeys(), transactionKeys(), tlsKeys(), certificateKeys(), saslKeys(), loginKeys(), oauthTokenKeys(), oauthClientKeys(),
	)
}

// Default is the configuration of a broker for which nothing is set.
func Default() Broker {
	b, errs := Build(nil)
	if len(errs) > 0 {
		panic(fmt.Sprintf("defaults are not allowed: %v", errs))
	}
	return b
}

// Build makes a broker's configuration from the text of the values that are
// set, by name, over the defaults. Every error is a [ValueError] or an
// [UnknownNameError], in order of name; with errors the configuration has the
// defaults in the place of the wrong values. Names of Kafka's that nothing acts
// on yet are no errors; see [WithoutEffect].
func Build(set map[string]string) (Broker, []error) {
	b := Broker{Set: map[string]string{}}
	for _, k := range brokerKeys {
		if k.HasDefault {
			// A wrong default shows in the errors of Default, which a test calls.
			_ = k.set(&b, k.Default)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if err := b.put(name, set[name]); err != nil {
			errs = append(errs, err)
		}
	}
	b.leaveToTheSystem()
	errs = appendError(errs, b.identify())
	errs = appendError(errs, checkConnections(b.MaxConnectionsPerIP, b.MaxConnectionsPerIPOverrides))
	errs = appendError(errs, b.checkQueuedBytes())
	errs = appendError(errs, b.checkConsumerGroups())
	if b.Set["log.dirs"] == "" && len(b.logDir) > 0 {
		b.LogDirs = b.logDir
	}
	if b.MetadataLogDir == "" && len(b.LogDirs) > 0 {
		b.MetadataLogDir = b.LogDirs[0]
	}
	listeners, listenerErrs := b.listen.build()
	b.Listeners = listeners
	topic, err := ResolveTopic(&b, nil)
	b.Topic = topic
	return b, appendError(append(errs, listenerErrs...), err)
}

func (b *Broker) put(name, text string) error {
	k, ok := brokerKeys[name]
	if !ok {
		if WithoutEffect(name) {
			return nil
		}
		k, ok = brokerKey(name)
	}
	if !ok {
		return &UnknownNameError{Name: name, What: "broker config", Nearest: nearestBrokerName(name)}
	}
	if err := k.set(b, text); err != nil {
		return err
	}
	b.Set[name] = strings.TrimSpace(text)
	return nil
}

// leaveToTheSystem has the sockets as the system makes them where nobody says
// otherwise: Kafka's buffers are smaller, and cost half as much time again in
// each write of a busy connection, and its backlog holds up a crowd that comes
// at once. What is described stays Kafka's default.
func (b *Broker) leaveToTheSystem() {
	for name, size := range map[string]*int{
		"socket.send.buffer.bytes": &b.SocketSendBufferBytes, "socket.receive.buffer.bytes": &b.SocketReceiveBufferBytes,
		"socket.listen.backlog.size": &b.SocketListenBacklogSize,
	} {
		if _, set := b.Set[name]; !set {
			*size = -1
		}
	}
}

// identify takes the number by either of its names, and shows it by both.
func (b *Broker) identify() error {
	_, named := b.Set["node.id"]
	_, namedBefore := b.Set["broker.id"]
	switch {
	case named && namedBefore && b.brokerID != b.NodeID && b.brokerID != -1:
		return &ValueError{"broker.id", b.Set["broker.id"], "the same as node.id, or left out"}
	case !named && b.brokerID >= 0:
		b.NodeID = b.brokerID
	}
	b.Set["broker.id"] = strconv.Itoa(int(b.NodeID))
	b.Set["node.id"] = b.Set["broker.id"]
	return nil
}

// nearestBrokerName looks among the topic configs first: whoever writes
// segment.bytes for a broker means log.segment.bytes.
func nearestBrokerName(name string) string {
	if topic, ok := topicKeys[name]; ok && len(topic.Synonyms) > 0 {
		return topic.Synonyms[0]
	}
	return Nearest(name, maps.Keys(brokerKeys))
}

func appendError(errs []error, err error) []error {
	if err == nil {
		return errs
	}
	return append(errs, err)
}

// BrokerNames lists the broker configs, ascending.
func BrokerNames() []string { return brokerKeys.names() }

// BrokerDefinition is the definition of one of [BrokerNames].
func BrokerDefinition(name string) (Definition, bool) {
	k, ok := brokerKeys[name]
	return k.Definition, ok
}
