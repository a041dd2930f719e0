"""One member by librdkafka; arguments and lines are those of gomember, but for the library."""

import json
import struct
import sys
import threading
import time

from confluent_kafka import Consumer, KafkaException, TopicPartition

ADDR, GROUP, PROTOCOL, TOPIC, SESSION_MS, REBALANCE_MS = sys.argv[1:]
leaving = threading.Event()


def report(kind, **fields):
    line = json.dumps({"event": kind, "at": time.time_ns() // 1_000_000, **fields})
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def await_end():
    sys.stdin.read()
    leaving.set()


def changed(kind):
    def report_change(consumer, partitions):
        # Tag, generation in the machine's order, group, 0, member, 0, ...
        metadata = consumer.consumer_group_metadata()[len(b"CGMDv2:"):]
        generation = struct.unpack("=i", metadata[:4])[0]
        member = metadata[4:].split(b"\0")[1].decode()
        report(kind, member=member, generation=generation, partitions=[p.partition for p in partitions])

    return report_change


def configuration():
    config = {
        "bootstrap.servers": ADDR,
        "group.id": GROUP,
        "group.protocol": PROTOCOL,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "max.poll.interval.ms": int(REBALANCE_MS),
        "fetch.wait.max.ms": 100,
        "reconnect.backoff.max.ms": 200,
        "log_level": 0,
    }
    if PROTOCOL == "classic":
        config |= {
            "session.timeout.ms": int(SESSION_MS),
            "heartbeat.interval.ms": int(SESSION_MS) // 6,
            "partition.assignment.strategy": "range",
        }
    return config


def process(consumer, messages):
    following = {}
    for message in messages:
        if message.error():
            report("failed", error=str(message.error()))
            continue
        report("records", partition=message.partition(), first=message.offset(), last=message.offset())
        following[message.partition()] = message.offset() + 1
    if not following:
        return
    for partition, offset in following.items():
        report("committing", partition=partition, offset=offset)
    try:
        done = consumer.commit(offsets=[TopicPartition(TOPIC, p, o) for p, o in following.items()], asynchronous=False)
    except KafkaException as error:
        report("failed", error=str(error))
        return
    for one in done:
        if one.error:
            report("failed", error=str(one.error))
        else:
            report("committed", partition=one.partition, offset=one.offset)


def main():
    threading.Thread(target=await_end, daemon=True).start()
    consumer = Consumer(configuration())
    consumer.subscribe([TOPIC], on_assign=changed("assigned"), on_revoke=changed("revoked"), on_lost=changed("lost"))
    while not leaving.is_set():
        process(consumer, consumer.consume(num_messages=500, timeout=0.3))
    consumer.close()


main()
