// Homology, matrices, spectra and decompositions.

#include "gsan/core/check.h"
#include "gsan/hodge/decomposition.h"
#include "gsan/hodge/matrices.h"
#include "gsan/hodge/spectral/spectrum.h"
#include "gsan/topology/homology.h"

#include "bindings/python/src/dict.h"
#include "bindings/python/src/numpy.h"

namespace gsan::python {
namespace {

ComplexMatrix matrix_of(const std::string& name) {
  for (const auto& [known, kind] : {std::pair("incidence", ComplexMatrix::incidence),
                                    std::pair("up_laplacian", ComplexMatrix::up_laplacian),
                                    std::pair("down_laplacian", ComplexMatrix::down_laplacian),
                                    std::pair("hodge_laplacian", ComplexMatrix::hodge_laplacian),
                                    std::pair("dirac_operator", ComplexMatrix::dirac_operator)})
    if (name == known) return kind;
  fail(Fault::argument,
       "matrix must be one of incidence, up_laplacian, down_laplacian, hodge_laplacian, "
       "dirac_operator; got '",
       name, "'");
}

// Rows, columns, and the three arrays of scipy's CSR.
py::tuple csr(const SimplicialComplex& complex, const std::string& matrix, int rank, std::size_t max_memory) {
  SparseRows made;
  {
    const WithoutGil release;
    made = sparse_rows(complex, matrix_of(matrix), rank, max_memory);
  }
  return py::make_tuple(made.rows, made.columns, copy(made.start), copy(made.column), copy(made.value));
}

Tensor sparse(const SimplicialComplex& complex, const std::string& matrix, int rank, bool is_csr,
              torch::ScalarType type, std::size_t max_memory) {
  MatrixOptions options;
  options.layout = is_csr ? torch::kSparseCsr : torch::kSparse;
  options.type = type;
  options.max_memory = max_memory;
  return sparse_matrix(complex, matrix_of(matrix), rank, options);
}

SpectrumOptions spectrum_options(std::optional<std::int64_t> count, const std::string& end, double tolerance,
                                 std::size_t max_memory) {
  GSAN_CHECK(end == "smallest" || end == "largest", "spectrum: end must be smallest or largest; got '", end,
             "'");
  GSAN_CHECK(!count || *count >= 1, "spectrum: count must be at least 1, got ", *count);
  SpectrumOptions options;
  options.count = count;
  options.end = end == "largest" ? SpectrumEnd::largest : SpectrumEnd::smallest;
  options.tolerance = tolerance;
  options.max_memory = max_memory;
  return options;
}

py::tuple hodge_spectrum_of(const ComplexOperators& operators, int k, std::optional<std::int64_t> count,
                            const std::string& end, double tolerance, std::size_t max_memory) {
  GSAN_CHECK(k >= 0 && k <= operators.order(), "spectrum: the rank must lie in 0 ... ", operators.order(),
             ", got ", k);
  HodgeSpectrum found;
  {
    const WithoutGil release;
    found = hodge_spectrum(operators, k, spectrum_options(count, end, tolerance, max_memory));
  }
  std::vector<std::uint8_t> parts;
  for (const HodgePart part : found.parts) parts.push_back(static_cast<std::uint8_t>(part));
  return py::make_tuple(found.values, found.vectors, copy(parts));
}

// Per component j = 1 … K: (σ, u, v); per order: a basis of the kernel.
py::tuple dirac_spectrum_of(const ComplexOperators& operators, std::optional<std::int64_t> count,
                            const std::string& end, double tolerance, std::size_t max_memory) {
  DiracSpectrum found;
  {
    const WithoutGil release;
    found = dirac_spectrum(operators, spectrum_options(count, end, tolerance, max_memory));
  }
  py::list components;
  for (const SingularSpectrum& component : found.components)
    components.append(py::make_tuple(component.values, component.left, component.right));
  return py::make_tuple(components, found.harmonic);
}

py::dict decomposition(const HodgeDecomposition& parts) {
  using Parts = HodgeDecomposition;
  py::dict all = dict_of(
      parts, std::pair{"gradient", &Parts::gradient}, std::pair{"curl", &Parts::curl},
      std::pair{"harmonic", &Parts::harmonic}, std::pair{"gradient_potential", &Parts::gradient_potential},
      std::pair{"curl_potential", &Parts::curl_potential},
      std::pair{"gradient_energy", &Parts::gradient_energy}, std::pair{"curl_energy", &Parts::curl_energy},
      std::pair{"harmonic_energy", &Parts::harmonic_energy});
  all["iterations"] =
      py::make_tuple(parts.gradient_convergence.iterations, parts.curl_convergence.iterations);
  all["residual"] = std::max(parts.gradient_convergence.residual, parts.curl_convergence.residual);
  return all;
}

py::dict decompose(const ComplexOperators& operators, int k, const Tensor& x, double tolerance,
                   int max_iterations) {
  GSAN_CHECK(k >= 0 && k <= operators.order(), "decompose: the rank must lie in 0 ... ", operators.order(),
             ", got ", k);
  HodgeDecomposition parts;
  {
    const WithoutGil release;
    parts = hodge_decomposition(operators, k, x, {tolerance, max_iterations});
  }
  return decomposition(parts);
}

}  // namespace

void bind_analysis(py::module_& module) {
  module.def(
      "betti_numbers",
      [](const SimplicialComplex& complex, std::int64_t field, std::size_t max_memory) {
        return betti_numbers(complex, {field, max_memory});
      },
      py::arg("complex"), py::arg("field"), py::arg("max_memory"), ReleaseGil());
  module.def("euler_characteristic", euler_characteristic, py::arg("complex"));
  module.def("csr_matrix", csr, py::arg("complex"), py::arg("matrix"), py::arg("rank"),
             py::arg("max_memory"));
  module.def("sparse_matrix", sparse, py::arg("complex"), py::arg("matrix"), py::arg("rank"), py::arg("csr"),
             py::arg("dtype"), py::arg("max_memory"), ReleaseGil());
  module.def("hodge_spectrum", hodge_spectrum_of, py::arg("operators"), py::arg("k"), py::arg("count"),
             py::arg("end"), py::arg("tolerance"), py::arg("max_memory"));
  module.def("dirac_spectrum", dirac_spectrum_of, py::arg("operators"), py::arg("count"), py::arg("end"),
             py::arg("tolerance"), py::arg("max_memory"));
  module.def("decompose", decompose, py::arg("operators"), py::arg("k"), py::arg("x"), py::arg("tolerance"),
             py::arg("max_iterations"));
}

}  // namespace gsan::python
