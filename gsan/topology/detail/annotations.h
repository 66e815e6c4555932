#pragma once
// The vectors y with ⟨y, v⟩ = 0 for every v added so far, as a dense basis over F_p
// (annotations: Dey, Fan, Wang, "Computing topological persistence for simplicial
// maps", SoCG 2014). A bound coordinate of y is a linear form in the d free ones; a new v
// that is independent of those before binds one more. Binding all of n coordinates costs
// about n³ / 6 multiplications, a dependent v only d per entry.

#include <cstddef>
#include <span>
#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/detail/prime_field.h"

namespace gsan {

struct SparseEntry {
  Index row;
  PrimeField::Element value;  ///< not 0
};

class Annotations {
 public:
  /// For vectors of this length; at first every coordinate is free.
  Annotations(Index size, const PrimeField& field);

  /// Adds v: the coordinate that it binds, or −1 when v depends on those before.
  Index add(std::span<const SparseEntry> v);

  Index free_count() const { return static_cast<Index>(at_slot_.size() - recent_.size()); }

  /// Bytes that an object for this length needs at most.
  static std::size_t max_bytes(Index size);

 private:
  using Element = PrimeField::Element;

  // Binding is put into the other forms in blocks: one pass over the memory for many.
  // Until then a recently bound coordinate keeps its slot, and its form has −1 there:
  // adding x[slot] · form to any form x puts the form in for the coordinate.
  struct Recent {
    Index slot;
    std::vector<Element> form;  // [slots], 0 at the slots of all other recent ones
  };
  struct Term {
    Element factor;
    const Element* form;
  };

  void add_terms(std::span<Element> form) const;  // form += Σ factor · form over terms_
  void insert_recent(std::span<Element> form);    // puts the recent ones into a form
  void settle();

  PrimeField field_;
  std::vector<Index> at_slot_;              // the coordinate of each slot, free or recent
  std::vector<Index> slot_;                 // of each coordinate, −1 when bound and settled
  std::vector<Index> settled_;              // coordinates whose forms are in form_
  std::vector<std::vector<Element>> form_;  // of a settled coordinate: [slots] and leftovers
  std::vector<Recent> recent_;
  std::vector<Term> terms_;
  std::vector<Element> total_;
};

}  // namespace gsan
