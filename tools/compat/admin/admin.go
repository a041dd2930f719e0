// Package admin is what suites ask a broker besides what they try it with.
package admin

import (
	"context"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Ask gives question a client of the broker at addr, and closes it behind it.
func Ask(addr string, question func(*kadm.Client) error) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer client.Close()
	return question(kadm.NewClient(client))
}

// CreateTopic makes a topic of one replica with the broker's settings.
func CreateTopic(ctx context.Context, addr, topic string, partitions int32) error {
	return Ask(addr, func(admin *kadm.Client) error {
		_, err := admin.CreateTopic(ctx, partitions, 1, nil, topic)
		return err
	})
}
