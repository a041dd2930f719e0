// Package kgoadapter puts a partitioner or an assignor module into any client
// of franz-go, without a broker of ours:
//
//	client, err := kgo.NewClient(
//		kgo.SeedBrokers("127.0.0.1:9092"),
//		kgo.RecordPartitioner(kgoadapter.Partitioner(region)),
//	)
//
//	client, err := kgo.NewClient(
//		kgo.SeedBrokers("127.0.0.1:9092"),
//		kgo.ConsumerGroup("orders"),
//		kgo.Balancers(kgoadapter.Balancer("weighted", weighted, kgoadapter.UserData(weight))),
//	)
//
// A module that knows itself as a [module.Factory] only is made with it:
//
//	instance, err := weighted.Factory().New(module.Env{}, map[string]any{"measure": "lag"})
//	balancer := kgoadapter.Balancer("weighted", instance.(assignor.Assignor))
//
// As a broker does, the adapters check every answer. A wrong one, an error, a
// panic or a missed deadline makes them fall back to what Kafka's Java client
// does by default; the first of a row of failures is logged, and their end.
package kgoadapter
