package main

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// scrape is what /metrics answers.
func (s session) scrape() string {
	s.t.Helper()
	response, err := http.Get("http://" + s.broker.Admin + "/metrics")
	require.NoError(s.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return string(body)
}

func TestMetricsOfGroups(t *testing.T) {
	s := newGroupSession(t)
	for _, protocol := range []string{"classic", "consumer"} {
		s.consume(protocol, protocol, "orders", 10)
		s.must("", "group", "reset", protocol, "--topic", "orders:1", "--to", "2", "--execute")
	}
	text := s.scrape()
	for _, group := range []string{"classic", "consumer"} {
		for _, line := range []string{
			`odradek_group_committed_offset_sum{group="%s"} 7`, `odradek_group_end_offset_sum{group="%s"} 10`, `odradek_group_lag_sum{group="%s"} 3`,
			`odradek_group_lag_max{group="%s"} 3`, `odradek_group_members{group="%s"} 0`, `odradek_groups{state="Empty",type="%s"} 1`,
			`odradek_group_rebalance_seconds_count{type="%s"} 1`,
		} {
			require.Contains(t, text, fmt.Sprintf(line, group)+"\n")
		}
		// The records are of the first seconds of 1970.
		require.Regexp(t, `odradek_group_lag_seconds_max\{group="`+group+`"\} 1\.\d+e\+09\n`, text)
	}
	require.Contains(t, text, "odradek_group_load_seconds_count 4\n", "one for each partition of the topic")
	require.NotContains(t, text, "odradek_group_partition_")
	require.NotContains(t, text, "kafka_consumergroup")
}

func TestMetricsOfPartitionsAndOfKafkaExporter(t *testing.T) {
	s := newSession(t, "group.initial.rebalance.delay.ms=0", "metrics.group.partitions.enable=true", "metrics.kafka.exporter.enable=true")
	s.must("", "topic", "create", "orders")
	s.must("a\nb\nc\n", "produce", "orders")
	s.consume("readers", "classic", "orders", 2)
	text := s.scrape()
	for _, line := range []string{
		`odradek_group_partition_lag{group="readers",partition="0",topic="orders"} 1`,
		`kafka_consumergroup_current_offset{consumergroup="readers",partition="0",topic="orders"} 2`,
		`kafka_consumergroup_lag{consumergroup="readers",partition="0",topic="orders"} 1`,
		`kafka_consumergroup_lag_sum{consumergroup="readers",topic="orders"} 1`,
		`kafka_consumergroup_members{consumergroup="readers"} 0`,
		`kafka_topic_partition_current_offset{partition="0",topic="orders"} 3`,
		`kafka_topic_partitions{topic="__consumer_offsets"} 50`,
		`kafka_brokers 1`,
	} {
		require.Contains(t, text, line+"\n")
	}
}
