// KafkaJS's consumer behind the arguments and lines of program.go; it has the classic protocol only.

const { Kafka, CompressionTypes, CompressionCodecs, logLevel } = require('kafkajs');

CompressionCodecs[CompressionTypes.Snappy] = require('kafkajs-snappy');

const [addr, groupId, , topic, , members] = process.argv.slice(2);

async function join(number) {
  const kafka = new Kafka({ brokers: [addr], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  consumer.on(consumer.events.CRASH, ({ payload }) => process.stdout.write(`failed ${payload.error}\n`));
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      process.stdout.write(`${number} ${partition} ${message.offset}\n`);
    },
  });
  return consumer;
}

async function main() {
  const joining = Array.from({ length: Number(members) }, (_, number) => join(number));
  const consumers = await Promise.all(joining);
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.on('end', resolve));
  await Promise.all(consumers.map((consumer) => consumer.disconnect()));
}

main();
