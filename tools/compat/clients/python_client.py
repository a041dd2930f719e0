"""librdkafka behind the lines of process.go."""

import base64
import json
import sys

from confluent_kafka import Consumer, Producer, TopicPartition


def encode(value):
    return None if value is None else base64.b64encode(value).decode()


def decode(text):
    return None if text is None else base64.b64decode(text)


def write(request):
    failures = []
    producer = Producer({
        "bootstrap.servers": request["addr"],
        "compression.type": request["codec"],
        "message.max.bytes": 2_000_000,
        "enable.idempotence": True,
    })
    for record in request["records"]:
        producer.produce(
            request["topic"],
            key=decode(record["key"]),
            value=decode(record["value"]),
            partition=0,
            timestamp=record["timestamp"],
            headers=[(header["name"], decode(header["value"])) for header in record["headers"] or []],
            on_delivery=lambda error, message: failures.append(str(error)) if error else None,
        )
    left = producer.flush(60)
    if failures or left:
        raise RuntimeError(f"{left} records not sent, {failures[:3]}")
    return []


def read(request):
    consumer = Consumer({"bootstrap.servers": request["addr"], "group.id": "none", "enable.auto.commit": False, "fetch.message.max.bytes": 4 << 20})
    consumer.assign([TopicPartition(request["topic"], 0, 0)])
    records = []
    while len(records) < request["count"]:
        message = consumer.poll(60)
        if message is None or message.error():
            raise RuntimeError(f"after {len(records)} records: {message and message.error()}")
        records.append({
            "offset": message.offset(),
            "timestamp": message.timestamp()[1],
            "key": encode(message.key()),
            "value": encode(message.value()),
            "headers": [{"name": name, "value": encode(value)} for name, value in message.headers() or []],
        })
    consumer.close()
    return records


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"records": write(request) if request["records"] else read(request)}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
