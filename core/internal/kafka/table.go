package kafka

// table is every API that is served. ApiVersions is derived from it.
type table struct {
	// rows are by key, ascending.
	rows  []*api
	byKey [128]*api
}

// newTable lists the APIs. What each is stands in the file of its key,
// NN_name.go.
func newTable() *table {
	t := &table{}
	t.rows = []*api{
		produceAPI(),
		fetchAPI(),
		listOffsetsAPI(),
		metadataAPI(),
		offsetCommitAPI(),
		offsetFetchAPI(),
		findCoordinatorAPI(),
		joinGroupAPI(),
		heartbeatAPI(),
		leaveGroupAPI(),
		syncGroupAPI(),
		describeGroupsAPI(),
		listGroupsAPI(),
		apiVersionsAPI(t),
		createTopicsAPI(),
		deleteTopicsAPI(),
		deleteRecordsAPI(),
		initProducerIDAPI(),
		offsetForLeaderEpochAPI(),
		describeConfigsAPI(),
		alterConfigsAPI(),
		describeLogDirsAPI(),
		createPartitionsAPI(),
		deleteGroupsAPI(),
		electLeadersAPI(),
		incrementalAlterConfigsAPI(),
		listPartitionReassignmentsAPI(),
		offsetDeleteAPI(),
		describeQuorumAPI(),
		updateFeaturesAPI(),
		describeClusterAPI(),
		describeProducersAPI(),
		unregisterBrokerAPI(),
		consumerGroupHeartbeatAPI(),
		consumerGroupDescribeAPI(),
		listConfigResourcesAPI(),
		describeTopicPartitionsAPI(),
	}
	for _, a := range t.rows {
		t.byKey[a.key] = a
	}
	return t
}

func (t *table) find(key int16) *api {
	if key < 0 || int(key) >= len(t.byKey) {
		return nil
	}
	return t.byKey[key]
}
