"""The package itself: docstring examples, stubs, the check of torch's version, the examples of the repository."""
import ast
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest
import torch

import gsan
from conftest import root

package = pathlib.Path(gsan.__file__).parent


def modules():
    for info in pkgutil.walk_packages(gsan.__path__, "gsan."):
        if not info.name.endswith("_core"):
            yield info.name


@pytest.mark.parametrize("name", ["gsan", *modules()])
def test_docstring_examples(name):
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0


def test_there_are_docstring_examples():
    finder = doctest.DocTestFinder()
    found = [test for name in modules() for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) > 50
    assert sum(len(test.examples) for test in found if "complex" in test.name) > 15


def stub_names(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id, node


def test_stubs_list_exactly_what_the_extension_has():
    tree = ast.parse((package / "_core.pyi").read_text())
    listed = dict(stub_names(tree.body))
    public = {name for name in dir(gsan._core) if not name.startswith("_")}
    assert set(listed) == public
    for name, node in listed.items():
        if not isinstance(node, ast.ClassDef):
            continue
        actual = {entry for entry in vars(getattr(gsan._core, name)) if not entry.startswith("_")}
        assert {entry for entry, _ in stub_names(node.body) if not entry.startswith("_")} == actual, name


def test_stub_parameters_are_those_of_the_extension():
    tree = ast.parse((package / "_core.pyi").read_text())
    for name, node in stub_names(tree.body):
        if isinstance(node, ast.FunctionDef):
            signature = (getattr(gsan._core, name).__doc__ or "").split("->")[0]
            actual = re.findall(r"(\w+): ", signature)
            assert [argument.arg for argument in node.args.args] == actual, name
    assert (package / "py.typed").exists()


def test_public_functions_have_annotations_and_docstrings():
    for name in modules():
        module = importlib.import_module(name)
        for entry in getattr(module, "__all__", []):
            value = getattr(module, entry)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert value.__doc__, f"{name}.{entry}"
            if inspect.isfunction(value):
                assert "return" in value.__annotations__, f"{name}.{entry}"


def test_another_torch_is_an_import_error_with_both_versions():
    from gsan._torch_check import check_torch
    check_torch(str(torch.__version__))
    with pytest.raises(ImportError, match=r"2\.9\.1.*" + re.escape(str(torch.__version__))):
        check_torch("2.9.1")
    with pytest.raises(ImportError, match=r"built with torch 2\.15\.0.*torch 2\.11\.0 is installed.*pip install"):
        check_torch("2.15.0", "2.11.0")


def test_without_torch_the_import_says_what_is_missing(tmp_path):
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\")")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import gsan"
    result = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert result.returncode != 0 and "no torch is installed here" in result.stderr
    assert str(torch.__version__) in result.stderr


def test_import_registers_the_ops_and_loads_one_openmp():
    code = "import torch, gsan; torch.ops.gsan.boundary; print(open('/proc/self/maps').read())"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    runtimes = {line.split()[-1] for line in result.stdout.splitlines() if re.search(r"lib(gomp|omp|iomp5)[-.\w]*\.so", line)}
    assert len(runtimes) == 1


needs = {"graphs_from_pyg.py": "torch_geometric", "table_to_complex.py": "pandas"}


@pytest.mark.parametrize("path", sorted((root / "examples" / "python").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(path):
    if path.name in needs:
        pytest.importorskip(needs[path.name], reason=f"{needs[path.name]} is not installed")
    if "flow" in path.read_text() and not gsan._core.has_delaunay:
        pytest.skip("this gsan was built without Qhull")
    result = subprocess.run([sys.executable, str(path), "--quick"], capture_output=True, text=True,
                            env={**os.environ, "MPLBACKEND": "Agg"})
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_python_of_the_pages_runs(page, monkeypatch):
    monkeypatch.chdir(root)
    blocks = re.findall(r"^```python\n(.*?)^```", (root / page).read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})


def test_the_training_example_is_short():
    assert len((root / "examples" / "python" / "train_islands.py").read_text().splitlines()) < 60
