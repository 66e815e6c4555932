"""The weights on disk are what others call safetensors: read and written here without this library, with the
standard library alone and, where it is installed, with the safetensors package."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

try:
    import safetensors
    import safetensors.torch
    import torch
except ImportError:
    safetensors = None

BINARY = os.environ["GSAN_NN_TESTS"]
ITEM_SIZE = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}


def run(case, **environment):
    result = subprocess.run([BINARY, f"--gtest_filter=Safetensors.{case}"], env={**os.environ, **environment},
                            capture_output=True, text=True)
    if result.returncode != 0 or "1 test" not in result.stdout:
        raise AssertionError(result.stdout + result.stderr)


class Safetensors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "sample.safetensors"

    def sample(self):
        run("WritesWhatOtherReadersCheck", GSAN_SAFETENSORS_OUT=str(self.path))

    def test_the_file_is_as_the_format_says(self):
        self.sample()
        content = self.path.read_bytes()
        (length,) = struct.unpack("<Q", content[:8])
        header = json.loads(content[8:8 + length].decode("utf-8"))
        data = content[8 + length:]
        self.assertEqual(length % 8, 0)
        metadata = header.pop("__metadata__")
        self.assertEqual(metadata, {"gsan.kind": "sample", "text": 'a "quoted" σ', "empty": ""})
        spans = []
        for name, entry in header.items():
            self.assertEqual(set(entry), {"dtype", "shape", "data_offsets"})
            begin, end = entry["data_offsets"]
            count = 1
            for size in entry["shape"]:
                count *= size
            self.assertEqual(end - begin, count * ITEM_SIZE[entry["dtype"]], name)
            self.assertEqual(begin % ITEM_SIZE[entry["dtype"]], 0, name)
            spans.append((begin, end))
        spans.sort()
        self.assertEqual([0] + [end for _, end in spans], [begin for begin, _ in spans] + [len(data)])

        def numbers(name, code):
            begin, end = header[name]["data_offsets"]
            return list(struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", data[begin:end]))

        grid = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
        self.assertEqual(numbers("grid.f32", "f"), grid)
        self.assertEqual(numbers("grid.f64", "d"), grid)
        self.assertEqual(numbers("f16", "e"), grid)
        self.assertEqual(numbers("transposed", "d"), [-2.5, 0.5, -1.5, 1.5, -0.5, 2.5])
        self.assertEqual(header["transposed"]["shape"], [3, 2])
        self.assertEqual(numbers("i64", "q"), [-1, 1, 2])
        self.assertEqual(numbers("i32", "i"), [-1, 7])
        self.assertEqual(numbers("i16", "h"), [-300])
        self.assertEqual(numbers("i8", "b"), [-3, 3, 5])
        self.assertEqual(numbers("u8", "B"), [200, 1, 0, 9, 8])
        self.assertEqual(numbers("mask", "?"), [True, False, True])
        self.assertEqual(header["scalar"]["shape"], [])
        self.assertEqual(header["nothing"]["shape"], [0, 4])
        self.assertIn('name "with" quotes, ünïcode\n', header)

    def test_a_file_of_another_writer_is_read(self):
        header = json.dumps({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [4, 28]},
                             "__metadata__": {"format": "pt"},
                             "b": {"shape": [1], "data_offsets": [0, 4], "dtype": "I32"}}, indent=1).encode()
        self.path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<i6f", 5, *range(6)))
        run("ReadsWhatOtherWritersWrote", GSAN_SAFETENSORS_IN=str(self.path))

    @unittest.skipIf(safetensors is None, "the safetensors package is not installed")
    def test_the_package_reads_it(self):
        self.sample()
        tensors = safetensors.torch.load_file(self.path)
        grid = torch.arange(6, dtype=torch.float64).view(2, 3) - 2.5
        self.assertTrue(torch.equal(tensors["grid.f64"], grid))
        self.assertTrue(torch.equal(tensors["transposed"], grid.t()))
        self.assertTrue(torch.equal(tensors["bf16"], grid.to(torch.bfloat16)))
        self.assertEqual(tensors["mask"].tolist(), [True, False, True])
        with safetensors.safe_open(self.path, "pt") as file:
            self.assertEqual(file.metadata()["gsan.kind"], "sample")

    @unittest.skipIf(safetensors is None, "the safetensors package is not installed")
    def test_what_the_package_writes_is_read(self):
        safetensors.torch.save_file({"a": torch.arange(6, dtype=torch.float32).view(2, 3)}, self.path)
        run("ReadsWhatOtherWritersWrote", GSAN_SAFETENSORS_IN=str(self.path))


if __name__ == "__main__":
    unittest.main()
