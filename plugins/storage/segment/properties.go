package segment

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// properties are those of meta.properties, version 1.
type properties struct {
	cluster   string
	node      int32
	directory [16]byte
}

func (p properties) encode() []byte {
	return fmt.Appendf(nil, "#\nversion=1\ncluster.id=%s\nnode.id=%d\ndirectory.id=%s\n", p.cluster, p.node, encodeID(p.directory))
}

// decodeProperties reads Java properties as far as Kafka uses them. The
// directory's id is zero if a Kafka before 3.7 wrote the file.
func decodeProperties(content []byte) (properties, error) {
	values := map[string]string{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		if ok && !strings.HasPrefix(line, "#") {
			values[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	if values["version"] != "1" {
		return properties{}, fmt.Errorf("version is %q, want 1", values["version"])
	}
	node, err := strconv.ParseInt(values["node.id"], 10, 32)
	if err != nil {
		return properties{}, fmt.Errorf("node.id: %w", err)
	}
	p := properties{cluster: values["cluster.id"], node: int32(node)}
	if id, ok := values["directory.id"]; ok {
		p.directory, err = decodeID(id)
	}
	return p, err
}

// claim reads meta.properties, or writes it into a directory that has none,
// and refuses another broker's.
func claim(files vfs.FS, m storage.Mount, fresh [16]byte) (properties, error) {
	path := filepath.Join(m.Dir, propertiesFile)
	content, found, err := readFile(files, path)
	if err != nil {
		return properties{}, err
	}
	if !found {
		p := properties{m.ClusterID, m.Node, fresh}
		return p, errors.Join(replaceFile(files, path, p.encode()), files.SyncDir(filepath.Dir(m.Dir)))
	}
	p, err := decodeProperties(content)
	if err != nil {
		return p, module.Fatalf("%s cannot be read: %w; restore it or choose another directory", path, err)
	}
	if p.cluster != m.ClusterID || p.node != m.Node {
		return p, storage.ErrForeignDirectory.With("%s is of cluster %q node %d, this broker is of cluster %q node %d",
			m.Dir, p.cluster, p.node, m.ClusterID, m.Node)
	}
	if p.directory == ([16]byte{}) {
		p.directory = fresh
		return p, replaceFile(files, path, p.encode())
	}
	return p, nil
}

// uuid makes the id of version 4 that seed, time and name lead to. Kafka keeps
// those that begin with a dash for nobody, since tools take them for options.
func uuid(parts ...any) [16]byte {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Append(nil, append(parts, n)...))
		id := [16]byte(sum[:16])
		id[6] = id[6]&0x0f | 0x40
		id[8] = id[8]&0x3f | 0x80
		if encodeID(id)[0] != '-' && binary.BigEndian.Uint64(id[:]) > 100 {
			return id
		}
	}
}

// encodeID writes an id as Kafka does: base64 for URLs, 22 characters.
func encodeID(id [16]byte) string { return base64.RawURLEncoding.EncodeToString(id[:]) }

func decodeID(text string) (id [16]byte, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(id) {
		return id, fmt.Errorf("%q is not an id of 22 characters", text)
	}
	return [16]byte(raw), nil
}

func encodeMetadata(topicID [16]byte) []byte {
	return []byte("version: 0\ntopic_id: " + encodeID(topicID))
}

// decodeMetadata reads partition.metadata.
func decodeMetadata(content []byte) ([16]byte, error) {
	for line := range strings.Lines(string(content)) {
		if id, ok := strings.CutPrefix(line, "topic_id:"); ok {
			return decodeID(strings.TrimSpace(id))
		}
	}
	return [16]byte{}, fmt.Errorf("no topic_id in it")
}
