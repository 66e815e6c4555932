#include "gsan/topology/detail/annotations.h"

#include <algorithm>
#include <numeric>

namespace gsan {
namespace {

constexpr std::size_t block = 16;   // bindings per pass
constexpr std::size_t tile = 1024;  // elements of a form that stay in the first cache

}  // namespace

Annotations::Annotations(Index size, const PrimeField& field)
    : field_(field), at_slot_(size), slot_(size), form_(size) {
  std::iota(at_slot_.begin(), at_slot_.end(), 0);
  std::iota(slot_.begin(), slot_.end(), 0);
}

std::size_t Annotations::max_bytes(Index size) {
  const auto n = static_cast<std::size_t>(size);
  return n * (n / 2 + block + 1) * sizeof(Element) + n * (sizeof(std::vector<Element>) + 3 * sizeof(Index));
}

void Annotations::add_terms(std::span<Element> form) const {
  for (std::size_t start = 0; start < form.size(); start += tile) {
    const std::size_t stop = std::min(start + tile, form.size());
    std::size_t t = 0;
    for (; t + 4 <= terms_.size(); t += 4) {  // 4 (p − 1)² + p < 2^64
      const Term &a = terms_[t], &b = terms_[t + 1], &c = terms_[t + 2], &d = terms_[t + 3];
      for (std::size_t i = start; i < stop; ++i) {
        form[i] = field_.reduce(form[i] + std::uint64_t{a.factor} * a.form[i] +
                                std::uint64_t{b.factor} * b.form[i] + std::uint64_t{c.factor} * c.form[i] +
                                std::uint64_t{d.factor} * d.form[i]);
      }
    }
    for (; t < terms_.size(); ++t) {
      const Term& a = terms_[t];
      for (std::size_t i = start; i < stop; ++i) {
        form[i] = field_.reduce(form[i] + std::uint64_t{a.factor} * a.form[i]);
      }
    }
  }
}

void Annotations::insert_recent(std::span<Element> form) {
  terms_.clear();
  for (const Recent& bound : recent_) {
    if (form[bound.slot] != 0) terms_.push_back({form[bound.slot], bound.form.data()});
  }
  add_terms(form);
}

Index Annotations::add(std::span<const SparseEntry> v) {
  total_.assign(at_slot_.size(), 0);  // ⟨y, v⟩ as a form
  terms_.clear();
  for (const SparseEntry& entry : v) {
    if (slot_[entry.row] < 0)
      terms_.push_back({entry.value, form_[entry.row].data()});
    else
      total_[slot_[entry.row]] = entry.value;
  }
  add_terms(total_);
  insert_recent(total_);
  const auto nonzero = std::find_if(total_.begin(), total_.end(), [](Element e) { return e != 0; });
  if (nonzero == total_.end()) return -1;

  // Solve ⟨y, v⟩ = 0 for that coordinate.
  const auto slot = static_cast<Index>(nonzero - total_.begin());
  const Element scale = field_.negative(field_.inverse(*nonzero));
  for (Element& e : total_) e = field_.product(scale, e);
  for (Recent& bound : recent_) {
    terms_.assign(1, {bound.form[slot], total_.data()});
    if (bound.form[slot] != 0) add_terms(bound.form);
  }
  recent_.push_back({slot, total_});
  const Index coordinate = at_slot_[slot];
  if (recent_.size() == block) settle();
  return coordinate;
}

void Annotations::settle() {
  const std::size_t slots = at_slot_.size();
  for (const Index r : settled_) insert_recent({form_[r].data(), slots});
  for (Recent& bound : recent_) {
    const Index coordinate = at_slot_[bound.slot];
    form_[coordinate] = std::move(bound.form);
    settled_.push_back(coordinate);
    slot_[coordinate] = -1;
  }
  // The recent slots are 0 in every form now: close the gaps from the back.
  std::sort(recent_.begin(), recent_.end(), [](const Recent& x, const Recent& y) { return x.slot > y.slot; });
  for (const Recent& bound : recent_) {
    const std::size_t last = at_slot_.size() - 1;
    for (const Index r : settled_) form_[r][bound.slot] = form_[r][last];
    at_slot_[bound.slot] = at_slot_[last];
    if (slot_[at_slot_[last]] >= 0) slot_[at_slot_[last]] = bound.slot;
    at_slot_.pop_back();
  }
  recent_.clear();
}

}  // namespace gsan
