// KafkaJS behind the lines of process.go. It reads in a group of its own each time, since its consumer knows no other way.

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

const encode = (value) => (value === null || value === undefined ? null : value.toString('base64'));

function recordOf({ offset, timestamp, key, value, headers }) {
  const pairs = Object.entries(headers).flatMap(([name, values]) => [values].flat().map((one) => ({ name, value: encode(one) })));
  return { offset: Number(offset), timestamp: Number(timestamp), key: encode(key), value: encode(value), headers: pairs };
}

async function read({ addr, topic, count }) {
  const kafka = new Kafka({ brokers: [addr], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `${topic}-${process.hrtime.bigint()}`, maxWaitTimeInMs: 100 });
  const records = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    const eachMessage = async ({ message }) => {
      if (records.push(recordOf(message)) === count) {
        resolve();
      }
    };
    consumer.run({ eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return records;
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    let answer = { records: [] };
    try {
      const request = JSON.parse(line);
      if (request.records === null) {
        answer.records = await read(request);
      } else {
        await write(request);
      }
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

main();
