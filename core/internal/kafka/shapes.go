package kafka

import "odradek.dev/core/internal/kafka/shape"

// shapes are the forms of the requests that kmsg decodes, by API key; see
// package shape. A row of the table whose handler is made by [decoded] needs
// one.
var shapes = map[int16]string{
	2: `replica:int32 isolation:int8@2+
		topics:[name:string partitions:[index:int32 leader_epoch:int32@4+ timestamp:int64]]
		timeout:int32@10+`,
	3: `topics:[id:uuid@10+ name:string] auto_create:bool@4+
		cluster_operations:bool@8-10 topic_operations:bool@8+`,
	10: `key:string@0-3 type:int8@1+ keys:[string]@4+`,
	18: `software:string@3+ software_version:string@3+ cluster:string@5+ node:int32@5+`,
	19: `topics:[name:string partitions:int32 replication_factor:int16
			assignment:[partition:int32 replicas:[int32]]
			configs:[name:string value:string]]
		timeout:int32 validate_only:bool@1+`,
	20: `topics:[name:string id:uuid]@6+ names:[string]@0-5 timeout:int32`,
	22: `transactional_id:string timeout:int32 producer_id:int64@3+ producer_epoch:int16@3+
		two_phase:bool@6+ keep_prepared:bool@6+`,
	23: `replica:int32@3+ topics:[name:string
		partitions:[index:int32 current_epoch:int32 epoch:int32]]`,
	32: `resources:[type:int8 name:string keys:[string]] synonyms:bool@1+ documentation:bool@3+`,
	33: `resources:[type:int8 name:string configs:[name:string value:string]] validate_only:bool`,
	35: `topics:[name:string partitions:[int32]]`,
	37: `topics:[name:string count:int32 assignment:[replicas:[int32]]] timeout:int32 validate_only:bool`,
	43: `type:int8@1+ topics:[name:string partitions:[int32]] timeout:int32`,
	44: `resources:[type:int8 name:string configs:[name:string operation:int8 value:string]] validate_only:bool`,
	46: `timeout:int32 topics:[name:string partitions:[int32]]`,
	55: `topics:[name:string partitions:[index:int32]]`,
	57: `timeout:int32 updates:[name:string level:int16 downgrade:bool@0-0 type:int8@1+] validate_only:bool@1+`,
	60: `operations:bool endpoint_type:int8@1+ fenced:bool@2+`,
	61: `topics:[name:string partitions:[int32]]`,
	64: `broker:int32`,
	74: `types:[int8]@1+`,
	75: `topics:[name:string] limit:int32 cursor:{topic:string partition:int32}`,
}

// shapeOf is for the table: a key without a shape is a mistake in the program.
func shapeOf(key, flexibleFrom int16) *shape.Shape {
	s, err := shape.Parse(shapes[key], flexibleFrom)
	if err != nil {
		panic(err)
	}
	return s
}
