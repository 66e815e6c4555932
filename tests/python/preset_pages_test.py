"""gsan.nn's classes and the table of docs/models.md are what scripts/preset_pages.py makes of gsan/models/presets.def."""
import importlib.util
import inspect

import pytest

import gsan
from conftest import root

spec = importlib.util.spec_from_file_location("preset_pages", root / "scripts" / "preset_pages.py")
preset_pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(preset_pages)


@pytest.mark.parametrize("path, text", preset_pages.pages(gsan._core.models()).items(), ids=lambda value: getattr(value, "name", ""))
def test_made_from_the_table(path, text):
    assert path.read_text() == text, "run scripts/preset_pages.py"


def test_every_model_has_a_class_with_its_equation_and_citation():
    for name, python_class, equation, citation in gsan._core.models():
        cls = getattr(gsan.nn, python_class)
        assert cls.preset_name == name and issubclass(cls, gsan.nn.Model)
        assert inspect.getdoc(cls).startswith(equation + "\n") and citation in " ".join(cls.__doc__.split())
        assert gsan.nn.models()[name] == (equation, citation)
