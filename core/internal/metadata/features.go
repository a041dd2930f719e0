package metadata

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/module"
)

// Feature is something that a cluster does, at a level that clients and brokers
// agree on (KIP-584). The level in force is finalized: a record of the metadata
// log. A feature that is not finalized has level 0, and so has, for clients,
// one that is not known.
type Feature struct {
	Name string
	// Min and Max are the levels that this release knows.
	Min, Max int16
	// initial is the level that a new cluster has.
	initial int16
}

// metadataVersion names what the protocol can say of topics, brokers and
// configs; clients tell the version of Kafka by it. 33 is 4.4-IV2.
const (
	metadataVersion       = "metadata.version"
	latestMetadataVersion = 33
)

// Features are those that Kafka 4.4.0 has, ascending by name. One whose promise
// is not kept yet has level 0 and no other: it is known by its name, and cannot
// be raised. What raises it is its line here.
//
//	eligible.leader.replicas.version
//	                      KIP-966: out-of-sync replicas that may lead; Kafka
//	                      also sets min.insync.replicas for the cluster with it
//	kraft.version         at 1, voters come and go by AddRaftVoter (KIP-853)
//	share.version         KIP-932
//	streams.version       KIP-1071
//	transaction.version   at 2, Java's producer leaves out AddPartitionsToTxn
//	                      and waits for another epoch from every EndTxn (KIP-890)
func Features() []Feature {
	return []Feature{
		{Name: "eligible.leader.replicas.version"},
		{Name: "group.version", Max: 1, initial: 1},
		{Name: "kraft.version"},
		{Name: metadataVersion, Min: 7, Max: latestMetadataVersion, initial: latestMetadataVersion},
		{Name: "share.version"},
		{Name: "streams.version"},
		{Name: "transaction.version"},
	}
}

func featureNamed(name string) (Feature, bool) {
	all := Features()
	if at := slices.IndexFunc(all, func(f Feature) bool { return f.Name == name }); at >= 0 {
		return all[at], true
	}
	return Feature{}, false
}

// FeatureLevel is the level in force, 0 for none. A cluster that was named by a
// release without features has the metadata.version that the release told its
// clients.
func (i *Image) FeatureLevel(name string) int16 {
	level, finalized := i.features[name]
	if !finalized && name == metadataVersion {
		return latestMetadataVersion
	}
	return level
}

// FeatureFinalized puts another level of a feature in force.
type FeatureFinalized struct {
	Name  string `json:"name"`
	Level int16  `json:"level"`
}

func (r *FeatureFinalized) change(i *Image) error {
	f, known := featureNamed(r.Name)
	if !known || r.Level < f.Min || r.Level > f.Max {
		return module.Fatalf("feature %q has level %d, which this broker does not know: start the release that wrote it, or a later one", r.Name, r.Level)
	}
	features := maps.Clone(i.features)
	if features == nil {
		features = map[string]int16{}
	}
	features[r.Name] = r.Level
	i.features = features
	return nil
}

// NameCluster plans the first records of a log: the cluster's id, and the
// features of a new cluster. Level 0 is what a feature has without a record.
func NameCluster(id string) []Record {
	records := []Record{&ClusterNamed{ClusterID: id}}
	for _, f := range Features() {
		if f.initial > 0 {
			records = append(records, &FeatureFinalized{Name: f.Name, Level: f.initial})
		}
	}
	return records
}

// FeatureUpdate asks for another level of a feature.
type FeatureUpdate struct {
	Name  string
	Level int16
	Kind  FeatureUpdateKind
}

// FeatureUpdateKind says which way a level may go, numbered as in
// UpdateFeatures.
type FeatureUpdateKind int8

// The kinds. Both downgrades may lower a level; what an unsafe one could lose,
// Kafka refuses all the same.
const (
	UpgradeFeature FeatureUpdateKind = 1 + iota
	SafeDowngradeFeature
	UnsafeDowngradeFeature
)

// UpdateFeatures plans all updates, or none and says why. Of two of one feature
// the last counts.
func UpdateFeatures(i *Image, updates []FeatureUpdate) ([]Record, *refusal.Refusal) {
	last := map[string]FeatureUpdate{}
	for _, u := range updates {
		last[u.Name] = u
	}
	var records []Record
	for _, name := range slices.Sorted(maps.Keys(last)) {
		u := last[name]
		if f := i.checkFeatureUpdate(u); f != nil {
			return nil, f
		}
		if u.Level != i.FeatureLevel(name) {
			records = append(records, &FeatureFinalized{Name: name, Level: u.Level})
		}
	}
	return records, nil
}

func (i *Image) checkFeatureUpdate(u FeatureUpdate) *refusal.Refusal {
	invalid := func(format string, args ...any) *refusal.Refusal {
		return refusal.New(kerr.InvalidUpdateVersion, format, args...)
	}
	now := i.FeatureLevel(u.Name)
	f, known := featureNamed(u.Name)
	switch {
	case u.Kind < UpgradeFeature || u.Kind > UnsafeDowngradeFeature:
		return invalid("update type %d of feature %q is unknown; 1 is an upgrade, 2 a safe and 3 an unsafe downgrade", u.Kind, u.Name)
	case u.Level < 0:
		return invalid("feature %q cannot have the level %d, which is below 0", u.Name, u.Level)
	case !known:
		return invalid("this broker does not have the feature %q", u.Name)
	case u.Level > f.Max:
		return invalid("feature %q cannot have the level %d; this release supports up to %d", u.Name, u.Level, f.Max)
	case u.Level < f.Min:
		return invalid("feature %q cannot have the level %d; this release supports %d to %d", u.Name, u.Level, f.Min, f.Max)
	case u.Level < now && u.Kind == UpgradeFeature:
		return invalid("feature %q has level %d; to lower it to %d ask for a downgrade", u.Name, now, u.Level)
	case u.Level > now && u.Kind != UpgradeFeature:
		return invalid("feature %q has level %d; to raise it to %d ask for an upgrade", u.Name, now, u.Level)
	case u.Level < now && u.Name == metadataVersion:
		return invalid("metadata.version stays at %d: the records of level %d cannot say all that is in force", now, u.Level)
	}
	return nil
}
