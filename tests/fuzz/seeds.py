#!/usr/bin/env python3
"""Inputs to start from, written by hand and taken from examples/ and tests/: seeds.py FOLDER. A folder per target."""
import gzip
import io
import json
import pathlib
import re
import struct
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CUT = b"\xff"  # between the parts of an input of several files


def ply(form):
    head = (f"ply\nformat {form} 1.0\ncomment by hand\nelement vertex 4\nproperty double x\nproperty uchar red\n"
            "property float y\nproperty int16 z\nelement face 1\nproperty list uint8 int32 vertex_indices\n"
            "element edge 1\nproperty uint vertex1\nproperty ushort vertex2\nend_header\n").encode()
    if form == "ascii":
        return head + b"0 9 0 0\n1.5 9 0 0\n1.5 9 1.25 0\n0 9 1 -3\n4 0 1 2 3\n3 2\n"
    order = ">" if "big" in form else "<"
    points = [(0, 9, 0, 0), (1.5, 9, 0, 0), (1.5, 9, 1.2, 0), (0, 9, 1, -3)]
    body = b"".join(struct.pack(order + "dBfh", *point) for point in points)
    return head + body + struct.pack(order + "B4iIH", 4, 0, 1, 2, 3, 3, 2)


def npy(descr, shape, data, fortran=False):
    head = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def complexes():
    """The first byte sets the options of the target."""
    yield "simplices", b"\1", "\ufeff# list\n3 1 2\r\n\"New York\", x\n1,2 # edge\n\n7"
    yield "simplices", b"\1", "0 1 2 3 4 5 6\n"
    yield "simplices", b"\x40", "0 1 2 3 4 5 6\n0 7\n"
    yield "edges", b"\1", "% graph\n1 2 0.5\n2 -3 1e-3\n\"a b\" 1 4\n"
    yield "edges", b"\0", 'source,target,weight\nRome,"Paris, ""TX""",1.5\nRome,7,2\n'
    yield "hyperedges", b"\0", "1,2,3\nb,c\n"
    yield "hyperedges", b"\0", "hyperedge,node\n0,a\n0,b\n1,b\n1,c\n"
    yield "points", b"\0", "id,x,y\na,0.5,1\nb,-1e3,2\n7,3,4\n"
    yield "points", b"\x08", "0 1 2\n3 4 5\n"
    yield "hif", b"\2", json.dumps({
        "network-type": "asc", "metadata": {"a": [1, {}]}, "nodes": [{"node": "u", "weight": 1.5}, {"node": 2}],
        "edges": [{"edge": 0, "weight": -2, "attrs": {"q": None}}],
        "incidences": [{"edge": 0, "node": 2}, {"edge": 0, "node": "u"}, {"edge": "t", "node": "é"}]})
    yield "gudhi", b"\1", "0 0 0\n0 5 0.5\n1 5 0 inf\n2 7 5 0 1e2\n"
    yield "off", b"\1", "OFF\n# square\n4 2 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n3 0 2 3\n"
    yield "off", b"\1", "nOFF\n2\n3 1 0\n0 0\n1 0\n0 1\n3 0 1 2\n"
    yield "obj", b"\1", "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nf 1/1 2//1 \\\n -1\nl 1 3\n"
    for form in ("ascii", "binary_little_endian", "binary_big_endian"):
        yield "ply", b"\1", ply(form)
    for path in sorted(ROOT.glob("examples/own-data/**/complex.txt"))[:3]:
        yield "simplices", b"\1", path.read_bytes()[:4000]


def tables():
    arrays = [npy("<f8", "(3, 2)", struct.pack("<6d", *range(6))), npy(">i8", "(2,)", struct.pack(">2q", 1, 2)),
              npy("<f2", "(2, 2, 1)", b"\0\x3c" * 4, True), npy("|u1", "(1, 3)", b"\1\2\3"), npy("|b1", "(2L,)", b"\1\0"),
              npy("<f4", "(5, 0)", b"")]
    for array in arrays:
        yield "npy", array
        yield "signal", b"\1" + array
    yield "signal", b'\1v0,v1,"a ""b""",c\n1,2,0.5,-1e-300\n"x y",3,7,8\n'
    yield "signal", b"\1" b"1 2\n3 4\n"
    for path in sorted(ROOT.glob("examples/own-data/**/*.csv"))[:6]:
        yield "signal", b"\1" + path.read_bytes()[:4000]
    yield "signal_order", b"1 2 3\n2 4\n1\n" + CUT + b"v0,v1,x\n2,1,0.5\n4,2,7\n"
    yield "signal_order", b"1 2\n2 4\n" + CUT + b"1 2\n3 4\n"
    yield "benson", b"2\n3\n" + CUT + b"1\n2\n2\n3\n4\n" + CUT + b"10\n20\n"
    tu = [b"1, 2\n2, 1\n3, 4\n", b"1\n1\n2\n2\n", b"1\n-1\n", b"0\n1\n2\n3\n", b"0.5, 1\n1,2\n3,4\n5,6\n", b"1\n2\n3\n",
          b"1\n1\n1\n", b"0.1\n2e3\n"]
    yield "tu", CUT.join(tu)


def pickles():
    text = (ROOT / "tests/formats/pickle_test.cpp").read_text()
    start = text.index("python_protocols[] = {")
    for entry in re.split(r'",\s*\n', text[start:text.index("};", start)]):
        yield "pickle", bytes.fromhex("".join(re.findall(r'"([0-9a-f]+)"?', entry + '"')))
    dtype = b"cnumpy\ndtype\nX\2\0\0\0f8K\0K\1\x87R(K\3X\1\0\0\0<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
    new = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\1b\x87R"
    yield "pickle", b"\x80\3" + new + b"(K\1K\2\x85" + dtype + b"\x89C\x10" + b"\0" * 16 + b"tb."
    objects = dtype.replace(b"f8", b"O8").replace(b"<", b"|")
    items = b"\x80\2" + new + b"(K\1K\2\x85" + objects + b"\x89](K\1c__builtin__\nfrozenset\n](K\3e\x85Retb."
    yield "pickle", npy("|O", "(2,)", items)
    yield "pickle", b"\x80\2cscipy.sparse.coo\ncoo_matrix\n)\x81}(X\1\0\0\0aK\1ub."


def packed():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("d/a", "hello " * 50, zipfile.ZIP_DEFLATED)
        archive.writestr("b", "defg", zipfile.ZIP_STORED)
    yield "zip", buffer.getvalue()
    yield "gzip", gzip.compress(b"1 2\n2 3\n" * 20, mtime=0)


def settings():
    yield "config", (b"seed: 3\ntask: {name: imputation}\nmodel:\n  heads: 8\n  kind: 'gat'\n  widths: [1, 2, 3]\n"
                     b"train: &t\n  rate: 1e-3\n  fast: true\n  names: [\"a\", b]\n" + CUT + b"model.heads=2")
    yield "config", b"a: &a [x]\nb: *a\n? k\n: v\n--- !!map\n{x: |\n text\n}\n"
    for path in sorted(ROOT.glob("recipes/*.yaml"))[:6]:
        yield "config", path.read_bytes()
    file = {"path": "a.txt", "sha256": "ab" * 32, "size": 5, "url": "https://x.invalid/a.zip", "member": "d/a"}
    yield "catalog", json.dumps({"datasets": [{"name": "S", "folder": "g/s", "files": [file]}]}).encode()
    yield "split", b'{"train": [0, 2, 3], "validation": [1], "test": [4, 7]}'
    yield "split_table", b"name,part\na,train\nb,test\n"
    yield "split_table", b"v0,v1,part\n1,2,train\n3,2,validation\ny,x,test"
    tensor = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}
    yield "safetensors", b"\x10\0" + json.dumps({"__metadata__": {"a": "b"}, "w": tensor}).encode()


def runs():
    """Files of a run; checkpoints are a target of builds with torch."""
    change = {"key": "train.epochs", "from": "2", "to": "4", "epochs": 2, "time": "2026-01-31T12:00:00Z"}
    yield "manifest", json.dumps({
        "format": 2, "gsan": "0.2.0", "torch": "2.11", "compiler": "c", "git_revision": "", "seed": 1, "threads": 2,
        "device": "cpu", "data_sha256": {"a.csv": "ab"}, "first_weights": {"path": "w", "sha256": "cd"}, "status": "finished",
        "started": "", "ended": "", "sessions": 1, "seconds": 0.5, "later_epochs": 1, "later_seconds": 0.25,
        "changes": [change], "data_folder": "../d"}).encode()
    scores = {"name": "a", "count": 1, "precision": 100, "recall": None, "f1": 0.5}
    yield "record", json.dumps({
        "task": "trajectory", "protocol": "strict", "data": "islands", "model": "gsan", "seed": 0, "end": "finished",
        "epochs": 3, "chosen_epoch": 2, "parameters": 7, "choosing_metric": "a", "headline_metric": "a",
        "more_is_better": True, "split": "s", "validation": {"a": 1}, "test": {"a": None}, "rules": {"r": {"a": 5e-1}},
        "remarks": ["x"], "notes": [], "warnings": ["w"], "seconds": 1.5, "epoch_seconds": 0.5,
        "test_details": {"order": 1, "metrics": {"a": 1}, "classes": [scores], "confusion": [[1]]}}).encode()
    yield "metrics", b'{"epoch": 1, "train_loss": 0.5, "seconds": null}\n{"epoch": 2, "train_loss": 0.25}\n'
    scalars = b"\x2a\x0a\x0a\x08\x0a\x01a\x15\0\0\x80?"
    events = [b"\x09" + b"\0" * 8 + b"\x1a\x0dbrain.Event:2"] + [b"\x09" + b"\0" * 8 + bytes([16, n]) + scalars for n in (1, 2, 3)]
    yield "events", CUT.join(events) + CUT + b"rest"
    header = json.dumps({"__metadata__": {"gsan.checkpoint": "2"},
                         "w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    yield "checkpoint", struct.pack("<Q", len(header)) + header + b"\0" * 8


def main():
    out = pathlib.Path(sys.argv[1])
    numbers = {}
    prefixed = ((name, first + (data if isinstance(data, bytes) else data.encode())) for name, first, data in complexes())
    for source in (prefixed, tables(), pickles(), packed(), settings(), runs()):
        for target, data in source:
            numbers[target] = numbers.get(target, 0) + 1
            folder = out / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"seed{numbers[target]}").write_bytes(data)
    if (out / "drifters").exists():
        return
    (out / "drifters").mkdir()  # the samples of the regressions are its seeds: HDF5 is not written by hand
    for path in (pathlib.Path(__file__).parent / "regressions/drifters").iterdir():
        (out / "drifters" / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    main()
