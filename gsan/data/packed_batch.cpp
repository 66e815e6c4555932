#include "gsan/data/packed_batch.h"

#include "gsan/core/check.h"
#include "gsan/hodge/neighborhood/star_statistics.h"

namespace gsan {
namespace {

// What decides on the host about kernels: it must not differ between batches of one shape.
std::string decisions(const ComplexOperators& operators) {
  std::string text = concat(operators.order(), " ", operators.part_count(), ";");
  for (int k = 1; k <= operators.order(); ++k) {
    const double statistic = star_statistic(operators.complex(), k);
    for (const std::int64_t features : {1, 1024})  // few and many
      text += concat(" ", static_cast<int>(choose_kernel(statistic, features)));
  }
  for (const DerivedKey& key : operators.derived_keys()) {
    text += concat("; ", key.name, key.is_absolute ? " |B|" : "");
    for (const int number : key.numbers) text += concat(" ", number);
  }
  return text;
}

}  // namespace

PackedBatch::PackedBatch(Batch batch, torch::Device device, std::int64_t header)
    : batch_{batch.operators, {}}, signals_(batch.signals.size()), device_(device), pack_(header) {
  batch_.operators.moved(torch::kCPU, [&](const Tensor& table) {
    pack_.add(table);
    return table;
  });
  for (const Tensor& x : batch.signals) pack_.add(x);
  for (const Tensor& x : {batch.targets, batch.rows, batch.tuples, batch.signal_keys}) pack_.add(x);
  shape_ = concat(decisions(batch_.operators), " | ", pack_.shape());
  bytes_ = pack_.write(device);
}

Batch PackedBatch::on(const Tensor& buffer) const {
  TensorPack::Reader reader(pack_, buffer);
  Batch batch{batch_.operators.moved(buffer.device(), [&](const Tensor&) { return reader.next(); }),
              Cochains(signals_)};
  for (Tensor& x : batch.signals) x = reader.next();
  for (Tensor* x : {&batch.targets, &batch.rows, &batch.tuples, &batch.signal_keys}) *x = reader.next();
  return batch;
}

Batch PackedBatch::moved() const { return on(bytes_.to(device_, /*non_blocking=*/true)); }

Batch padded(const Batch& batch, const PaddedSizes& sizes) {
  Batch more = batch;
  more.operators = batch.operators.padded(sizes);
  more.operators.derive(batch.operators.derived_keys());
  for (std::size_t k = 0; k < more.signals.size(); ++k)
    if (more.signals[k].defined())
      more.signals[k] = pad_rows(more.signals[k], more.operators.count(static_cast<int>(k)));
  return more;
}

}  // namespace gsan
