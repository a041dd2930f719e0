// KafkaJS behind the lines of process.go. It only writes: its consumer needs a group.

const readline = require('node:readline');
const { Kafka, CompressionTypes, CompressionCodecs, logLevel } = require('kafkajs');

CompressionCodecs[CompressionTypes.Snappy] = require('kafkajs-snappy');

const codecs = { none: CompressionTypes.None, gzip: CompressionTypes.GZIP, snappy: CompressionTypes.Snappy };

const decode = (text) => (text === null ? null : Buffer.from(text, 'base64'));

// A name that repeats has all its values in one array, as KafkaJS wants it.
function headersOf(record) {
  const headers = {};
  for (const { name, value } of record.headers ?? []) {
    headers[name] = name in headers ? [headers[name], decode(value)].flat() : decode(value);
  }
  return headers;
}

async function write({ addr, topic, codec, records }) {
  const kafka = new Kafka({ brokers: [addr], logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  const messages = records.map((record) => ({
    partition: 0,
    key: decode(record.key),
    value: decode(record.value),
    timestamp: String(record.timestamp),
    headers: headersOf(record),
  }));
  // send puts all of its messages into one batch, which has to stay below max.message.bytes.
  let batch = [];
  let size = 0;
  const flush = async () => {
    await producer.send({ topic, compression: codecs[codec], messages: batch });
    batch = [];
    size = 0;
  };
  for (const message of messages) {
    const length = message.value === null ? 0 : message.value.length;
    if (size + length > 1_500_000) {
      await flush();
    }
    batch.push(message);
    size += length;
  }
  await flush();
  await producer.disconnect();
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    let answer = { records: [] };
    try {
      await write(JSON.parse(line));
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

main();
