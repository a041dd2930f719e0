// Package adminapi is a client of the broker's admin listener.
package adminapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"odradek.dev/sdk/assignor"
)

// DefaultAddress is admin.listener of a broker that sets none.
const DefaultAddress = "127.0.0.1:9292"

// answerMaxBytes bounds what is read of an answer.
const answerMaxBytes = 64 << 20

// Client speaks to one broker. Safe for concurrent use.
type Client struct {
	address string
	http    http.Client
}

// New makes a client of the admin listener at address, host:port.
func New(address string) *Client {
	return &Client{address: address, http: http.Client{Timeout: 30 * time.Second}}
}

// Module is one module as the broker runs it.
type Module struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Version   string `json:"version"`
	Binding   string `json:"binding"`
	PID       int    `json:"pid"`
	State     string `json:"state"`
	Restarts  int64  `json:"restarts"`
	Calls     int64  `json:"calls"`
	Errors    int64  `json:"errors"`
	Fallbacks int64  `json:"fallbacks"`
	P50Us     int64  `json:"p50_us"`
	P99Us     int64  `json:"p99_us"`
	LastError string `json:"last_error"`
}

// Modules lists the modules of the broker.
func (c *Client) Modules(ctx context.Context) ([]Module, error) {
	var answer struct {
		Modules []Module `json:"modules"`
	}
	err := c.call(ctx, http.MethodGet, "/v1/modules", nil, &answer)
	return answer.Modules, err
}

// PartitionRequest asks where a partitioner of the broker puts records.
type PartitionRequest struct {
	Partitioner string `json:"partitioner"`
	Topic       string `json:"topic"`
	// Partitions is 0 for as many as the topic has.
	Partitions int32 `json:"partitions,omitempty"`
	// Keys has a key for each record, nil for a record without one.
	Keys  [][]byte `json:"keys"`
	Sizes []int32  `json:"sizes"`
}

// PartitionAnswer has one partition for each key.
type PartitionAnswer struct {
	Partitions []int32 `json:"partitions"`
	// Fallback says that the partitioner failed and the broker's own answered.
	Fallback bool `json:"fallback"`
}

// Partition asks a partitioner of the broker.
func (c *Client) Partition(ctx context.Context, request PartitionRequest) (PartitionAnswer, error) {
	var answer PartitionAnswer
	if err := c.call(ctx, http.MethodPost, "/v1/partition", request, &answer); err != nil {
		return answer, err
	}
	if len(answer.Partitions) != len(request.Keys) {
		return answer, fmt.Errorf("the broker answered %d partitions for %d keys", len(answer.Partitions), len(request.Keys))
	}
	return answer, nil
}

// AssignAnswer is an assignment, a member for each of the snapshot's.
type AssignAnswer struct {
	Assignment assignor.Assignment `json:"assignment"`
	// Fallback says that the assignor failed and the broker's own answered.
	Fallback bool `json:"fallback"`
}

// Assign asks an assignor of the broker for its decision on a group.
func (c *Client) Assign(ctx context.Context, name string, snapshot assignor.Snapshot) (AssignAnswer, error) {
	request := struct {
		Assignor string            `json:"assignor"`
		Snapshot assignor.Snapshot `json:"snapshot"`
	}{name, snapshot}
	var answer AssignAnswer
	if err := c.call(ctx, http.MethodPost, "/v1/assign", request, &answer); err != nil {
		return answer, err
	}
	if len(answer.Assignment.Members) != len(snapshot.Members) {
		return answer, fmt.Errorf("the broker answered %d assignments for %d members", len(answer.Assignment.Members), len(snapshot.Members))
	}
	return answer, nil
}

// Group asks who decided what the members of a group have. The broker must be
// the group's coordinator.
func (c *Client) Group(ctx context.Context, id string) (Group, error) {
	var answer Group
	err := c.call(ctx, http.MethodGet, "/v1/group?id="+url.QueryEscape(id), nil, &answer)
	return answer, err
}

func (c *Client) call(ctx context.Context, method, path string, request, answer any) error {
	var body io.Reader
	if request != nil {
		encoded, err := json.Marshal(request)
		if err != nil {
			return err
		}
		body = bytes.NewReader(encoded)
	}
	ask, err := http.NewRequestWithContext(ctx, method, "http://"+c.address+path, body)
	if err != nil {
		return err
	}
	ask.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(ask)
	if err != nil {
		return fmt.Errorf("no admin listener at %s: %w; name the broker's admin.listener with --admin", c.address, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, answerMaxBytes))
	if err != nil {
		return fmt.Errorf("reading the answer of %s: %w", c.address, err)
	}
	if response.StatusCode != http.StatusOK {
		return refusal(path, response.StatusCode, content)
	}
	if err := json.Unmarshal(content, answer); err != nil {
		return fmt.Errorf("%s did not answer %s as an Odradek broker does: %w", c.address, path, err)
	}
	return nil
}

// refusal takes the sentence out of {"error": "..."}.
func refusal(path string, status int, content []byte) error {
	var answer struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(content, &answer) == nil && answer.Error != "" {
		return fmt.Errorf("the broker refused %s: %s", path, answer.Error)
	}
	return fmt.Errorf("the broker refused %s: %s: %s", path, http.StatusText(status), strings.TrimSpace(string(content[:min(len(content), 200)])))
}
