// ComplexOperators: boundary operators on a device, products with them, and what is derived from them.

#include "gsan/core/check.h"
#include "gsan/hodge/dirac.h"
#include "gsan/hodge/parts.h"
#include "gsan/ops/block_pool.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {
namespace {

Side side_of(const std::string& name) {
  if (name == "lower") return Side::lower;
  if (name == "upper") return Side::upper;
  GSAN_CHECK(name == "both", "side must be one of lower, upper, both; got '", name, "'");
  return Side::both;
}

VertexOrder vertex_order(const std::string& name) { return parse_enum<VertexOrder>(name, "reorder"); }

void check_rank(const ComplexOperators& operators, int k, const char* who, int least, int most) {
  GSAN_CHECK(k >= least && k <= most, who, ": the rank must lie in ", least, " ... ", most, ", got ", k,
             "; the complex has order ", operators.order());
}

// The number of the part of each row, int64 [N_k]: what PyG calls `batch`.
Tensor part_of_rows(const ComplexOperators& operators, int k) {
  const auto offsets = operators.parts(k);
  const Tensor rows = torch::empty({offsets.back()}, torch::kInt64);
  std::int64_t* first = rows.mutable_data_ptr<std::int64_t>();
  for (std::size_t p = 0; p + 1 < offsets.size(); ++p)
    std::fill(first + offsets[p], first + offsets[p + 1], static_cast<std::int64_t>(p));
  return rows.to(operators.device());
}

// The tables of torch.ops.gsan.boundary, as copies: a complex is frozen, and a tensor is not.
std::vector<Tensor> tables(const ComplexOperators& operators, int k) {
  check_rank(operators, k, "incidence_tables", 1, operators.order());
  std::vector<Tensor> all;
  for (const Tensor& table : operators.incidence(k).tables()) all.push_back(table.clone());
  return all;
}

std::vector<Tensor> pairs(const ComplexOperators& operators, int k, const std::string& side) {
  check_rank(operators, k, "neighborhood", 0, std::max(operators.order(), 0));
  const Neighborhood& found = operators.neighborhood(k, side_of(side));
  return {found.receivers(), found.sources.clone(), found.signs.clone()};
}

}  // namespace

void bind_operators(py::module_& module) {
  module.def(
      "check_reorder", [](const std::string& name) { vertex_order(name); }, py::arg("name"));
  module.def("pool_memory", &ops::pool_all_tensors);
  using Operators = ComplexOperators;
  py::class_<Operators>(module, "Operators")
      .def(py::init([](const SimplicialComplex& complex, torch::Device device, std::size_t max_memory,
                       const std::string& reorder) {
             return Operators(complex, OperatorOptions{device, max_memory, vertex_order(reorder)});
           }),
           py::arg("complex"), py::arg("device"), py::arg("max_memory"), py::arg("reorder"), ReleaseGil())
      // Whether models compute on it in another order than the given one.
      .def(
          "is_reordered", [](const Operators& self) { return !self.inner_names().empty(); }, ReleaseGil())
      .def_static(
          "joined",
          [](std::vector<Operators> parts, torch::Device device, std::size_t max_memory,
             std::vector<std::int32_t> keys) {
            return Operators::joined(std::move(parts), {device, max_memory}, std::move(keys));
          },
          py::arg("parts"), py::arg("device"), py::arg("max_memory"), py::arg("keys"), ReleaseGil())
      .def("complex", &Operators::complex)
      .def("device", &Operators::device)
      .def("order", &Operators::order)
      .def("count", &Operators::count, py::arg("k"))
      .def("part_count", &Operators::part_count)
      .def(
          "part_offsets", [](const Operators& self, int k) { return self.part_offsets(k).clone(); },
          py::arg("k"), ReleaseGil())
      .def("part_of_rows", part_of_rows, py::arg("k"), ReleaseGil())
      .def("tables", tables, py::arg("k"), ReleaseGil())
      .def("pairs", pairs, py::arg("k"), py::arg("side"), ReleaseGil())
      .def(
          "lambda_max", [](const Operators& self, int k) { return self.lambda_max(k).clone(); }, py::arg("k"),
          ReleaseGil())
      .def(
          "lambda_bound", [](const Operators& self, int k) { return self.lambda_bound(k).clone(); },
          py::arg("k"), ReleaseGil())
      .def(
          "boundary",
          [](const Operators& self, int k, const Tensor& x) {
            check_rank(self, k, "boundary", 0, self.order() + 1);
            return self.incidence(k).boundary(x);
          },
          py::arg("k"), py::arg("x"), ReleaseGil())
      .def(
          "coboundary",
          [](const Operators& self, int k, const Tensor& x) {
            check_rank(self, k, "coboundary", 0, self.order() + 1);
            return self.incidence(k).coboundary(x);
          },
          py::arg("k"), py::arg("x"), ReleaseGil())
      .def(
          "laplacian",
          [](const Operators& self, int k, const Tensor& x, const std::string& side) {
            check_rank(self, k, "laplacian", 0, std::max(self.order(), 0));
            switch (side_of(side)) {
              case Side::lower:
                return self.lower_laplacian(k, x);
              case Side::upper:
                return self.upper_laplacian(k, x);
              default:
                return self.laplacian(k, x);
            }
          },
          py::arg("k"), py::arg("x"), py::arg("side"), ReleaseGil())
      .def(
          "dirac", [](const Operators& self, const Signals& x) { return dirac(self, to_cochains(x)); },
          py::arg("x"), ReleaseGil());
}

}  // namespace gsan::python
