"""librdkafka's consumer behind the arguments and lines of program.go."""

import sys
import threading

from confluent_kafka import Consumer

ADDR, GROUP, PROTOCOL, TOPIC, ASSIGNOR, MEMBERS, COMMITS = sys.argv[1:]
leaving = threading.Event()
printing = threading.Lock()


def say(line):
    with printing:
        print(line, flush=True)


def configuration():
    config = {
        "bootstrap.servers": ADDR,
        "group.id": GROUP,
        "group.protocol": PROTOCOL,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": COMMITS,
        "fetch.wait.max.ms": 100,
        "log_level": 0,
    }
    if ASSIGNOR:
        config["group.remote.assignor"] = ASSIGNOR
    return config


def consume(number):
    consumer = Consumer(configuration())
    consumer.subscribe([TOPIC])
    while not leaving.is_set():
        message = consumer.poll(0.2)
        if message is None:
            continue
        if message.error():
            say(f"failed {message.error()}")
        else:
            say(f"{number} {message.partition()} {message.offset()}")
    consumer.close()


members = [threading.Thread(target=consume, args=(number,)) for number in range(int(MEMBERS))]
for member in members:
    member.start()
sys.stdin.read()
leaving.set()
for member in members:
    member.join()
