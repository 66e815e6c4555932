"""gsan.plot: the Axes hold the numbers that the package computes; odd input gives a picture or a named error."""
import builtins
import json

import numpy as np
import pytest
import torch

import gsan
from conftest import signals_on

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture
def annulus():
    return gsan.SimplicialComplex.example("annulus")


def render(figure):
    """Draws everything, as saving would."""
    figure.canvas.draw()


def layer_on(complex, **options):
    layer = gsan.nn.SimplicialLayer(in_channels=2, out_channels=3, **options).double()
    return layer, signals_on(complex, 2, dtype=torch.float64)


def test_without_matplotlib_the_error_says_how_to_get_it(annulus, monkeypatch):
    real = builtins.__import__

    def missing(name, *arguments, **options):
        if name.startswith("matplotlib"):
            raise ImportError(f"No module named {name!r}")
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    for call in (lambda: gsan.plot.spectrum(annulus.spectrum(1)), lambda: gsan.plot.complex(annulus),
                 lambda: gsan.plot.confusion([[1]]), lambda: gsan.plot.curves({"loss": [1.0]})):
        with pytest.raises(ImportError, match="pip install matplotlib"):
            call()


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_a_complex_shows_its_signal_on_every_rank(annulus, rank):
    values = np.linspace(-1, 2, annulus.count(rank))
    ax = gsan.plot.complex(annulus, values, rank=rank, labels=True, title="$ & <script>")
    render(ax.figure)
    shown = [collection.get_array() for collection in ax.collections if collection.get_array() is not None]
    assert any(array.size == values.size and np.allclose(array, values) for array in shown) or rank == 1
    if rank == 1:  # an arrow per edge that is not 0, from tail to head by the sign
        arrows = next(c for c in ax.collections if hasattr(c, "U"))
        assert arrows.N == np.count_nonzero(values)
        edge = annulus.simplices(1)[0]  # the first value is negative: against the orientation
        way = (annulus.points[edge[0]] - annulus.points[edge[1]])[:2]
        assert np.allclose([arrows.U[0], arrows.V[0]], 0.8 * way)


def test_complexes_without_points_get_a_layout_that_stays(square):
    first, second = (gsan.plot.complex(square, torch.ones(6)) for _ in range(2))
    segments = [ax.collections[1].get_segments() for ax in (first, second)]
    assert np.array_equal(segments[0], segments[1]) and np.isfinite(segments[0]).all()


@pytest.mark.parametrize("simplices, vertices", [([], 1), ([], 5), ([[0, 1]], 2)])
def test_tiny_complexes_are_drawn(simplices, vertices):
    complex = gsan.SimplicialComplex(simplices, vertices=vertices)
    render(gsan.plot.complex(complex, np.ones(vertices), rank=0).figure)


def test_odd_signals_and_huge_complexes(annulus):
    values = np.ones(annulus.count(1))
    values[:3] = np.nan, np.inf, 0
    render(gsan.plot.complex(annulus, values).figure)
    render(gsan.plot.complex(annulus, np.full(annulus.count(0), np.nan), rank=0).figure)
    with pytest.raises(ValueError, match=r"rank 1 has the shape \[.*got \[3\]"):
        gsan.plot.complex(annulus, np.ones(3))
    with pytest.raises(ValueError, match="rank 3"):
        gsan.plot.complex(annulus, np.ones(3), rank=3)
    with pytest.raises(ValueError, match="more than limit = 10.*subcomplex"):
        gsan.plot.complex(annulus, limit=10)
    with pytest.raises(ValueError, match="points must have the shape"):
        gsan.plot.complex(annulus, points=np.ones((2, 2)))


def test_decomposition_shows_four_panels_with_shares(annulus):
    x = np.linspace(-1, 1, annulus.count(1))
    figure = gsan.plot.decomposition(annulus, x)
    render(figure)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles[0] == "signal" and [title.split(",")[0] for title in titles[1:]] == ["gradient", "curl", "harmonic"]
    assert sum(float(title.split()[1]) for title in titles[1:]) == pytest.approx(100, abs=0.2)
    with pytest.raises(ValueError, match="1 of .* are not finite"):
        gsan.plot.decomposition(annulus, np.where(np.arange(x.size) == 0, np.nan, x))
    with pytest.raises(ValueError, match="needs 4 Axes"):
        gsan.plot.decomposition(annulus, x, ax=plt.subplots()[1])


def test_a_part_of_zero_shows_no_arrows_beside_the_signal(annulus):
    potential, ends = np.linspace(-1, 1, annulus.count(0)), annulus.simplices(1)
    gradient = potential[ends[:, 1]] - potential[ends[:, 0]]
    figure = gsan.plot.decomposition(annulus, gradient)
    render(figure)
    arrows = [[c for c in ax.collections if hasattr(c, "U")] for ax in figure.axes]
    assert [len(found) for found in arrows] == [1, 1, 0, 0]
    signal, part = arrows[0][0], arrows[1][0]
    assert signal.N == np.count_nonzero(gradient)
    assert part.norm.vmax == signal.norm.vmax == -signal.norm.vmin == abs(gradient).max()


def test_eigenvectors_begin_with_the_harmonic_ones(annulus):
    figure = gsan.plot.eigenvectors(annulus, 1, 3)
    titles = [ax.get_title() for ax in figure.axes]
    assert len(titles) == 3 and "harmonic" in titles[0]


def test_spectra_are_all_there(annulus):
    spectrum = annulus.spectrum(1)
    ax = gsan.plot.spectrum(spectrum)
    shown = np.concatenate([line.get_ydata() for line in ax.lines])
    assert np.allclose(np.sort(shown), spectrum.values)
    dirac = gsan.plot.spectrum(annulus.dirac_spectrum())
    assert sum(len(line.get_ydata()) for line in dirac.lines) == sum(annulus.shape)
    with pytest.raises(TypeError, match="complex.spectrum"):
        gsan.plot.spectrum([1, 2])


def test_the_response_of_a_convolution_is_its_polynomial(annulus):
    layer, x = layer_on(annulus, lower_shift="hodge", upper_shift="hodge", sharing="none", harmonic="none",
                        lower={"own": 2, "neighbor": 0}, upper={"own": 1, "neighbor": 0})
    found = layer.response(annulus, x, 1)
    assert found.exact and list(found.terms) == ["lower", "upper"]
    weight = layer.state_dict()["own_1_lower"][:, :, 0]  # [in, taps, out]
    is_gradient = torch.from_numpy(found.parts == "gradient")
    values = torch.where(is_gradient, found.frequencies, torch.zeros_like(found.frequencies))
    expected = torch.stack([(value * weight[:, 0] + value ** 2 * weight[:, 1]).norm() / 2 ** 0.5 for value in values])
    assert torch.allclose(found.terms["lower"], expected)
    ax = gsan.plot.response(found, "lower")
    shown = np.concatenate([line.get_ydata() for line in ax.lines])
    assert np.allclose(np.sort(shown), np.sort(expected.numpy()))
    with pytest.raises(ValueError, match="terms are lower, upper; got 'middle'"):
        gsan.plot.response(found, "middle")


def test_the_response_of_a_model_is_that_of_its_layer(annulus):
    model = gsan.nn.GSAN(in_channels=1, hidden_channels=4, n_layers=2, seed=1)
    x = signals_on(annulus, 1)
    second = model.response(annulus, x, 1, layer=2)
    assert not second.exact and torch.isfinite(second.total).all()
    render(gsan.plot.response(second).figure)
    with pytest.raises(ValueError, match=r"layers 1 \.\.\. 2, got 3"):
        model.response(annulus, x, 1, layer=3)
    with pytest.raises(ValueError, match="one signal"):
        model.response(annulus, [torch.stack([s, s]) for s in x], 1)


def test_attention_as_histogram_and_around_a_simplex(annulus):
    layer, x = layer_on(annulus, heads=2)
    _, attention = layer(annulus, x, return_attention_weights=True)
    lower = next(a for a in attention if a.order == 1 and a.side == "lower" and a.use == "own")
    ax = gsan.plot.attention(lower, bins=7)
    assert sum(patch.get_height() for patch in ax.patches) == len(lower.receivers)
    edge = annulus.simplices(1)[4].tolist()
    for simplex in (4, edge):
        ax = gsan.plot.attention(lower, annulus, simplex, head=1)
        shown = next(c.get_array() for c in ax.collections if c.get_array() is not None)
        weights = lower.weights[lower.receivers == 4][:, 1]
        assert np.allclose(np.sort(shown), np.sort(weights.detach().numpy()))
        render(ax.figure)
    for wrong, says in (({"simplex": [0, 0]}, "not a simplex"), ({"simplex": 10 ** 6}, "numbered from 0"), ({"head": 9}, "2 heads")):
        with pytest.raises(ValueError, match=says):
            gsan.plot.attention(lower, annulus, **wrong)


def test_curves_of_folders_and_numbers(tmp_path):
    for name, losses in (("a", [3.0, None, 1.0]), ("b", [2.0])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text("{}")
        (tmp_path / name / "metrics.jsonl").write_text("".join(
            json.dumps({"epoch": i + 1, "train.loss": loss, "validation.accuracy": 50.0}) + "\n" for i, loss in enumerate(losses)))
    ax = gsan.plot.curves(tmp_path / "a", str(tmp_path / "b"))
    assert [line.get_label() for line in ax.lines] == ["a: train.loss", "b: train.loss"]
    assert ax.lines[0].get_xdata().tolist() == [1, 2, 3] and np.isnan(ax.lines[0].get_ydata()[1])
    render(ax.figure)
    one = gsan.plot.curves({"loss": torch.tensor([1.0, float("inf")])}, metrics="loss")
    assert np.isnan(one.lines[0].get_ydata()[1])
    with pytest.raises(ValueError, match="speed; they have train.loss, validation.accuracy"):
        gsan.plot.curves(tmp_path / "a", metrics="speed")
    with pytest.raises(ValueError, match="is not a run folder"):
        gsan.plot.curves(tmp_path)
    with pytest.raises(TypeError, match="at least one"):
        gsan.plot.curves()


def test_confusion_of_a_task_is_its_accuracy():
    task = gsan.tasks.Task("trajectory", data={"path": str(gsan_example())})
    model = task.model("scnn", hidden_channels=4)
    matrix = task.confusion(model, "test")
    accuracy = 100 * matrix.diagonal().sum().item() / matrix.sum().item()
    assert accuracy == pytest.approx(task.evaluate(model, "test")["accuracy"])
    ax = gsan.plot.confusion(matrix, task.class_names)
    assert np.array_equal(ax.images[0].get_array(), matrix)


def gsan_example():
    from conftest import root
    return root / "examples" / "own-data" / "trajectory"


def test_confusion_of_numbers_with_odd_names():
    ax = gsan.plot.confusion(np.array([[3, 0], [1, 2]]), ["<script>$x$", "b"])
    render(ax.figure)
    assert [text.get_text() for text in ax.texts] == ["3", "0", "1", "2"]
    render(gsan.plot.confusion([[0]]).figure)
    for wrong, names in ((np.ones((2, 3)), None), (np.ones((2, 2)), ["a"]), (np.ones((0, 0)), None)):
        with pytest.raises(ValueError, match="gsan.plot.confusion"):
            gsan.plot.confusion(wrong, names)
