package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/guard"
	"odradek.dev/core/internal/kafka"
	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/module"
)

func TestTraffic(t *testing.T) {
	r := prometheus.NewRegistry()
	traffic := NewTraffic(r, []config.Listener{{Name: "PLAINTEXT"}})
	for _, key := range []int16{0, 0, 999, -1} {
		traffic.Request(kafka.Observation{Key: key, BytesIn: 10, BytesOut: 20, Duration: time.Millisecond})
	}
	require.Equal(t, 2.0, testutil.ToFloat64(traffic.instruments(0).requests))
	require.Equal(t, 20.0, testutil.ToFloat64(traffic.instruments(0).bytesIn))
	require.Equal(t, 40.0, testutil.ToFloat64(traffic.instruments(0).bytesOut))
	require.Equal(t, 2.0, testutil.ToFloat64(traffic.unknown.requests))

	traffic.ConnectionOpened("PLAINTEXT")
	traffic.ConnectionOpened("PLAINTEXT")
	traffic.ConnectionClosed("PLAINTEXT")
	traffic.ConnectionOpened("nobody's")
	traffic.ConnectionRefused("PLAINTEXT", "http")
	traffic.ConnectionRefused("nobody's", "http")
	traffic.AcceptBlocked("PLAINTEXT", 1500*time.Millisecond)
	require.NoError(t, testutil.GatherAndCompare(r, strings.NewReader(`
# HELP odradek_connections Connections that are open now.
# TYPE odradek_connections gauge
odradek_connections{listener="PLAINTEXT"} 1
# HELP odradek_connections_refused_total Connections that the broker closed for what their client did, or for a limit, by cause; the log has at most a line a second for each cause.
# TYPE odradek_connections_refused_total counter
odradek_connections_refused_total{cause="http",listener="PLAINTEXT"} 1
# HELP odradek_accept_blocked_seconds_total Time for which a limit kept the listener from taking a connection.
# TYPE odradek_accept_blocked_seconds_total counter
odradek_accept_blocked_seconds_total{listener="PLAINTEXT"} 1.5
`), "odradek_connections", "odradek_connections_refused_total", "odradek_accept_blocked_seconds_total"))
}

func TestObservingARequestAllocatesNothing(t *testing.T) {
	traffic := NewTraffic(prometheus.NewRegistry(), nil)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		traffic.Request(kafka.Observation{Key: 1, BytesIn: 10, BytesOut: 20, Duration: time.Millisecond})
	}))
}

func TestModulesAndLogs(t *testing.T) {
	r := prometheus.NewRegistry()
	RegisterModules(r, func() []guard.Report {
		return []guard.Report{{
			Descriptor: module.Descriptor{Kind: module.Codec, Name: "zstd"}, Process: guard.Process{State: "restarting", Restarts: 3},
			Stats: guard.Stats{Calls: 7, Errors: 2, Fallbacks: 1, P50: time.Millisecond, P99: time.Second},
		}}
	})
	RegisterLogs(r, func() partition.Stats {
		return partition.Stats{Topics: 1, Partitions: 2, Offline: 1, Bytes: 3, EndOffsets: 4, Directories: 3, OfflineDirectories: 2}
	})
	require.NoError(t, testutil.GatherAndCompare(r, strings.NewReader(`
# HELP odradek_module_call_seconds Time of a call since the broker started, by quantile.
# TYPE odradek_module_call_seconds gauge
odradek_module_call_seconds{kind="codec",name="zstd",quantile="0.5"} 0.001
odradek_module_call_seconds{kind="codec",name="zstd",quantile="0.99"} 1
# HELP odradek_module_restarts_total Starts of the module's process after its first.
# TYPE odradek_module_restarts_total counter
odradek_module_restarts_total{kind="codec",name="zstd"} 3
# HELP odradek_module_up 1 if the module takes calls, 0 if its process is not there.
# TYPE odradek_module_up gauge
odradek_module_up{kind="codec",name="zstd"} 0
# HELP odradek_log_directories Directories of log.dirs.
# TYPE odradek_log_directories gauge
odradek_log_directories 3
# HELP odradek_log_directories_offline Directories of log.dirs that have failed and are not served from: Kafka's OfflineLogDirectoryCount.
# TYPE odradek_log_directories_offline gauge
odradek_log_directories_offline 2
# HELP odradek_partitions_offline Partitions that stopped serving after an error.
# TYPE odradek_partitions_offline gauge
odradek_partitions_offline 1
# HELP odradek_log_end_offset_sum Sum of all log end offsets: its growth is the records appended.
# TYPE odradek_log_end_offset_sum gauge
odradek_log_end_offset_sum 4
`), "odradek_module_call_seconds", "odradek_module_restarts_total", "odradek_module_up", "odradek_partitions_offline", "odradek_log_end_offset_sum",
		"odradek_log_directories", "odradek_log_directories_offline"))
}

func TestProcessAndGoInstruments(t *testing.T) {
	families, err := New().Gather()
	require.NoError(t, err)
	names := map[string]bool{}
	for _, f := range families {
		names[f.GetName()] = true
	}
	require.True(t, names["go_goroutines"])
	require.True(t, names["process_start_time_seconds"])
}
