#!/usr/bin/env python3
"""Small files that ask for much: heavy_test.py READ_HEAVY FOLDER [FLAGS]. Each is made in FOLDER as FORMAT.WHAT and read
with the standard limits: within a second of processor time and 256 MiB, by a result or by an error of gsan's own. Under
sanitizers (FLAGS name them) the limits are six times as high."""
import pathlib
import struct
import subprocess
import sys


def npy(shape):
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }\n" % shape
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head


def shared_shape(ones, arrays):
    """A pickle of arrays that share one shape of many ones."""
    dtype = b"cnumpy\ndtype\nX\2\0\0\0f8K\0K\1\x87R(K\3X\1\0\0\0<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
    start = b"\x80\3(cnumpy.core.multiarray\n_reconstruct\nq\0cnumpy\nndarray\nK\0\x85C\1b\x87q\1"
    state = b"(K\1(K\1q\2" + b"h\2" * (ones - 1) + b"t" + dtype + b"\x89C\x08" + b"\0" * 8 + b"tq\3"
    return start + state + b"h\0h\1Rh\3b" * arrays + b"t."


def vertices(first, count):
    return " ".join(map(str, range(first, first + count))) + "\n"


def ply(lines, body=b""):
    return f"ply\n{lines}end_header\n".encode() + body


def inputs():
    for width in (16, 17, 20, 24, 27, 60):
        yield f"simplices.width{width}", vertices(0, width)
    yield "simplices.two_of_22", vertices(0, 22) + vertices(100, 22)
    yield "simplices.gap", "0 9223372036854775807\n"
    yield "simplices.quotes", '"' + '""' * 500_000
    yield "edges.gap", "0 2000000000\n"
    yield "points.wide", "1 " * 500_000 + "\n"
    yield "gudhi.dimension", "1000000000000 1 2\n"
    yield "signal.rows_1e18.npy", npy(b"1000000000000000000, 0")
    yield "signal.rows_1e8.npy", npy(b"100000000, 0")
    yield "obj.continued", "\\\n" * 1_000_000 + "\n"
    elements = "".join(f"element {i:x} 0\n" for i in range(150_000))
    yield "ply.elements", ply("format ascii 1.0\n" + elements)
    binary = "format binary_little_endian 1.0\nelement vertex {} \nproperty float x\nproperty float y\n"
    yield "ply.counts", ply(binary.format(10**12))
    faces = "element face 1\nproperty list uint int vertex_indices\n"
    yield "ply.list", ply(binary.format(0) + faces, b"\xff\xff\xff\xff")
    yield "off.counts", "OFF\n1000000000000 1000000000000 0\n"
    yield "off.dimension", "nOFF\n1048576\n1 0 0\n0\n"
    yield "hif.deep", "[" * 1_000_000
    yield "hif.deep_elsewhere", '{"metadata":' + "[" * 1_000_000
    nodes = ",".join('{"edge":0,"node":%d}' % i for i in range(60))
    yield "hif.width60", '{"network-type":"asc","incidences":[' + nodes + "]}"
    yield "pickle.shape", shared_shape(100_000, 25_000)
    yield "pickle.none", b"\x80\3(" + b"N" * 4_000_000 + b"t."
    yield "pickle.lists", b"\x80\3(" + b"]Na" * 500_000 + b"t."
    deep = "[" * 200_000 + "]" * 200_000
    file = '{"path":"c","sha256":"' + "0" * 64 + '","url":"https://x/y","size":' + deep + "}"
    yield "catalog.deep", '{"datasets":[{"name":"a","folder":"b","files":[' + file + "]}]}"
    yield "catalog.deep_elsewhere", '{"datasets":[' + deep + "]}"
    yield "config.deep", "a: " + "[" * 200_000
    yield "config.deep_map", "a:\n  b: " + "{a: " * 20_000
    levels = "".join(f"a{i}: &a{i} [" + ",".join([f"*a{i - 1}"] * 9) + "]\n" for i in range(1, 30))
    yield "config.laughs", "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + levels + "a: {b: *a29}\n"
    yield "config.question", "? " * 100_000
    yield "config.dash", "- " * 100_000
    yield "config.keys", "".join(f"k{i}: 1\n" for i in range(20_000))


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    slower = 6 if "-fsanitize" in " ".join(sys.argv[3:]) else 1
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, content in inputs():
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        run = subprocess.run([program, name.split(".")[0], path], capture_output=True, text=True, timeout=60)
        path.unlink()
        line = run.stdout.strip()
        seconds, mebibytes = (float(line.split(word)[0].split()[-1]) for word in (" s,", " MiB")) if line else (0, 0)
        good = run.returncode == 0 and "bad_alloc" not in line and seconds < slower and mebibytes < 256 * slower
        failed += not good
        print("ok    " if good else "FAILED", name, line or f"exit code {run.returncode}: {run.stderr[-300:]}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
