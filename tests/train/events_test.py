"""The event files are what TensorBoard reads: checked by a small reader of the format and, where it is installed, by
the tensorboard package."""
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError:
    EventAccumulator = None

BINARY = os.environ["GSAN_TRAIN_TESTS"]
EXPECTED = [
    (0, 1000.5, {"train/loss": 0.5, "validation/accuracy": 0.25}),
    (1, 1001.5, {"train/loss": -1.5}),
    (300, 1002.5, {"train/loss": 3.0, "plain": struct.unpack("<f", struct.pack("<f", 1e-3))[0]}),
]


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def records(content):
    while content:
        (length,), (head,) = struct.unpack("<Q", content[:8]), struct.unpack("<I", content[8:12])
        data, (tail,) = content[12:12 + length], struct.unpack("<I", content[12 + length:16 + length])
        assert head == masked_crc(content[:8]) and tail == masked_crc(data)
        yield data
        content = content[16 + length:]


def fields(message):
    """(number, value) of a protocol buffer: int, 8 or 4 bytes, or bytes."""
    def varint():
        nonlocal message
        value = shift = 0
        while True:
            byte, message = message[0], message[1:]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while message:
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        length = {1: lambda: 8, 2: varint, 5: lambda: 4}[key & 7]()
        yield key >> 3, message[:length]
        message = message[length:]


class Events(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "events.out.tfevents.gsan"
        result = subprocess.run([BINARY, "--gtest_filter=Events.WritesWhatOtherReadersCheck"],
                                env={**os.environ, "GSAN_EVENTS_OUT": str(self.path)}, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_file_is_as_the_format_says(self):
        first, *events = records(self.path.read_bytes())
        self.assertEqual(dict(fields(first))[3], b"brain.Event:2")
        found = []
        for event in events:
            parts = dict(fields(event))
            scalars = {}
            for number, value in fields(parts[5]):
                self.assertEqual(number, 1)
                entry = dict(fields(value))
                scalars[entry[1].decode()] = struct.unpack("<f", entry[2])[0]
            found.append((parts[2], struct.unpack("<d", parts[1])[0], scalars))
        self.assertEqual(found, EXPECTED)

    @unittest.skipIf(EventAccumulator is None, "the tensorboard package is not installed")
    def test_tensorboard_reads_it(self):
        reader = EventAccumulator(str(self.path.parent))
        reader.Reload()
        self.assertEqual(set(reader.Tags()["scalars"]), {"train/loss", "validation/accuracy", "plain"})
        found = [(e.step, e.wall_time, e.value) for e in reader.Scalars("train/loss")]
        self.assertEqual(found, [(step, time, scalars["train/loss"]) for step, time, scalars in EXPECTED])


if __name__ == "__main__":
    unittest.main()
