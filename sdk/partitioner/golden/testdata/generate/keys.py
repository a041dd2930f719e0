"""Writes keys.hex: one key a line in hex; the empty line is the empty key."""
import random

rng = random.Random(20)
keys = [b""]
keys += [bytes([b]) for b in (0x00, 0x01, 0x61, 0x7F, 0x80, 0xFF)]
keys += [k.encode() for k in ("foo", "bar", "kafka", "user-1", "user-2", "user-42", "order:1001",
                              "a-little-bit-long-string", "a-little-bit-longer-string", "č€𝄞", "ключ", "鍵")]
keys += [rng.randbytes(n) for n in list(range(2, 34)) + [63, 64, 65, 127, 255, 1000]]
keys += [b"key-%d" % n for n in range(64)]
with open("keys.hex", "w") as out:
    out.writelines(k.hex() + "\n" for k in keys)
