"""Prints where a librdkafka producer puts each key of keys.hex, and null.

Usage: librdkafka.py PARTITIONER BOOTSTRAP, against a cluster with topics t1, t2, ...
"""
import sys

from confluent_kafka import Producer

name, bootstrap = sys.argv[1:]
producer = Producer({"bootstrap.servers": bootstrap, "partitioner": name, "sticky.partitioning.linger.ms": 0})
keys = [line.strip() for line in open("keys.hex")]
if name in ("consistent", "murmur2", "fnv1a"):
    keys.insert(0, None)  # their *_random twins place null by chance
if name == "consistent_random":
    keys.remove("")  # placed by chance too
placed = {}


def delivered(key, partitions):
    def callback(error, message):
        if error:
            raise RuntimeError(error)
        placed[key, partitions] = message.partition()
    return callback


counts = (1, 2, 3, 7, 12, 50, 128, 1000)
for key in keys:
    for n in counts:
        raw = None if key is None else bytes.fromhex(key)
        producer.produce(f"t{n}", b"v", key=raw, on_delivery=delivered(key, n))
producer.flush(60)
for key in keys:
    for n in counts:
        print("null" if key is None else f'"{key}"', n, placed[key, n], sep="\t")
