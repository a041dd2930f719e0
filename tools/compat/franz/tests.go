package franz

// recordTests are those of package kgo that talk to a broker about topics,
// records and versions alone.
var recordTests = []string{
	"TestPing", "TestIssue325", "TestConsumeTopicRetrieval", "TestConsumeTopicRetrieval_Many", "TestIssue337", "TestDirectPartitionPurge",
	"TestIssue434", "TestAddRemovePartitions", "TestPauseIssue489", "TestPauseIssueOct2023", "TestIssue648", "TestIssue810",
	"TestIssue865", "TestIssueFetchLargerThanBrokerMaxReadBytes", "TestPooling", "TestHookPollStart", "TestConsumeMaxDecompressBatchBytes",
	"TestClient_Produce", "TestIssue769", "TestIssueProduceBrokerTooOldFailsRecords", "TestIssueProduceSyncManualPartitionNegativeDoesNotPanic",
	"TestIssue831", "TestClient_ProduceLargeMessages",
}

// groupTests are those about groups and their coordinators, with each of their
// parts. What belongs to no part, the whole counts.
var groupTests = []string{
	"TestGroupETL", "TestGroupETL/range", "TestGroupETL/cooperative-sticky", "TestGroupETL/range/848", "TestGroupETL/sticky/848",
	"TestGroupETL/cooperative-sticky/static", "TestGroupETL/sticky/848/static",
	"TestGroupSimple", "TestGroupSimple/classic", "TestGroupSimple/848",
	"TestIssue523", "TestIssue523/roundrobin", "TestIssue523/sticky",
	"TestConsumeRegex", "Test848RegexBrokerResolves", "TestIssue1034", "TestUnknownGroupOffsetFetchPinned",
}

// leftOut are the rest that talk to a broker, with what they need that is not
// there yet.
var leftOut = []struct{ name, needs string }{
	{"TestTxnEtl", "transactions"},
	{"TestShareGroup", "share groups"},
	{"TestShareGroupETL", "share groups"},
	{"TestShareGroupAckOnClose", "share groups"},
	{"TestShareGroupOffsetsAdmin", "share groups"},
	{"TestConsumeRegexShareSkipsInternal", "share groups"},
	{"TestSCRAMAuth", "SASL"},
	{"TestSCRAMAuthBadCredentials", "SASL"},
	{"TestOAuthAuth", "SASL"},
}

// skipped are the tests that skip themselves, as they do with Apache Kafka
// 4.4.0, and why.
var skipped = map[string]string{
	"TestIssueProduceBrokerTooOldFailsRecords": "both say that they take Produce from version 0 on (KIP-896)",
}
