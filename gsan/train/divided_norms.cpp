#include "gsan/train/divided_norms.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <unordered_map>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/variable.h>

#include "gsan/core/check.h"
#include "gsan/ops/column_sums.h"
#include "gsan/train/divided_step.h"

namespace gsan {
namespace {

using torch::autograd::Node;

// A norm in the pass of one micro-batch.
struct Call {
  Tensor input;       // [n, channels], of the graph before the norm
  Tensor output;      // where the graph behind it begins
  Tensor normalised;  // x̂
  decltype(torch::autograd::impl::grad_accumulator(Tensor())) accumulator;  // of the gradient of `output`
  std::set<std::size_t> needed;  // calls whose outputs `input` was made of, directly
};

// The calls whose outputs a tensor was made of.
std::set<std::size_t> calls_behind(const Tensor& x, const std::unordered_map<const Node*, std::size_t>& of) {
  std::set<std::size_t> found;
  std::set<const Node*> seen;
  std::vector<Node*> open;
  const auto meet = [&](Node* node) {
    if (node == nullptr || !seen.insert(node).second) return;
    if (const auto call = of.find(node); call != of.end())
      found.insert(call->second);
    else
      open.push_back(node);
  };
  meet(x.grad_fn().get());
  while (!open.empty()) {
    Node* const node = open.back();
    open.pop_back();
    for (const torch::autograd::Edge& edge : node->next_edges()) meet(edge.function.get());
  }
  return found;
}

struct MicroPass {
  int number = 0;
  PausableThread* thread = nullptr;
  Tensor arrived;  // rows at a norm, while the thread waits there
  std::size_t arrived_at = 0;
  std::vector<Call> calls;
  std::unordered_map<const Node*, std::size_t> call_of;
  MicroGradients found;
  std::vector<std::size_t> pending;  // calls whose inputs have their gradients, which did not go on yet
  std::vector<Tensor> pending_gradients;
};

// A norm that all micro-batches have passed.
struct Round {
  std::size_t norm;
  RowStatistics statistics;
  Tensor scale;  // 1 / s, [channels] float64 on the host; undefined: running statistics were used
};

enum class State : int { absent, at_norm, finished };

}  // namespace

// One run().
class DividedNorms::Step final : public DividedBatch {
 public:
  Step(DividedNorms& of, int count) : of_(of), count_(count) {
    if (of.ranks_ != nullptr) size_ = of.ranks_->size();
    slots_ = (count_ + size_ - 1) / size_;
    for (BatchNormImpl* norm : of.norms_) {
      norm->set_divided(this);
      width_ = std::max(width_, norm->weight.size(0));
    }
  }
  ~Step() override {
    for (const auto& pass : passes_) pass->thread->cancel();  // those that wait, after an error
    for (BatchNormImpl* norm : of_.norms_) norm->set_divided(nullptr);
  }

  Tensor normalised(BatchNormImpl& norm, const Tensor& rows) override {
    MicroPass& pass = *current_;
    pass.arrived = rows;
    pass.arrived_at =
        static_cast<std::size_t>(std::find(of_.norms_.begin(), of_.norms_.end(), &norm) - of_.norms_.begin());
    pass.thread->pause();
    return normalise(pass, norm, std::exchange(pass.arrived, Tensor()));
  }

  std::vector<MicroGradients> run(const std::vector<int>& own, const std::function<Tensor(int)>& loss) {
    for (const int i : own) {
      MicroPass& pass = *passes_.emplace_back(std::make_unique<MicroPass>());
      pass.number = i;
      pass.found.gradients.resize(of_.parameters_.size());
      pass.thread = &of_.thread(passes_.size() - 1);
      pass.thread->start([&pass, &loss] { pass.found.loss = loss(pass.number); });
    }
    if (forward()) backward();
    std::vector<MicroGradients> found;
    for (const auto& pass : passes_) found.push_back(std::move(pass->found));
    return found;
  }

 private:
  // Rows of `width` numbers, one per micro-batch of the step in their order, of which this process gives its
  // own. Zeros stand for what a rank has less than another.
  Tensor gathered(const std::function<Tensor(const MicroPass&)>& numbers, std::int64_t width) {
    const Tensor own = torch::zeros({slots_, width}, torch::kFloat64);
    for (std::size_t b = 0; b < passes_.size(); ++b) {
      const Tensor row = numbers(*passes_[b]);
      own[static_cast<std::int64_t>(b)].narrow(0, 0, row.size(0)).copy_(row);
    }
    if (size_ == 1) return own.narrow(0, 0, std::ssize(passes_));
    const std::vector<std::byte> bytes =
        of_.ranks_->all_gather({static_cast<const std::byte*>(own.const_data_ptr()), own.nbytes()});
    const Tensor all = torch::empty({size_ * slots_, width}, torch::kFloat64);
    std::memcpy(all.mutable_data_ptr(), bytes.data(), bytes.size());
    return all;
  }

  // Every micro-batch through the model; false where a loss is not finite.
  bool forward() {
    while (true) {
      for (const auto& pass : passes_) {
        current_ = pass.get();
        pass->thread->resume();
      }
      constexpr std::int64_t head = 3;  // state; norm or loss; whether the loss is finite
      const Tensor all = gathered(
          [&](const MicroPass& pass) {
            const bool waits = pass.arrived.defined();
            const double loss = !waits && pass.found.loss.defined() ? value_of(pass.found.loss) : 0;
            const State state = waits                       ? State::at_norm
                                : pass.found.loss.defined() ? State::finished
                                                            : State::absent;
            const Tensor first = torch::tensor(
                {static_cast<double>(state), waits ? static_cast<double>(pass.arrived_at) : loss,
                 std::isfinite(loss) ? 1. : 0.},
                torch::kFloat64);
            if (!waits) return first;
            return torch::cat({first, RowStatistics(pass.arrived).packed(pass.arrived.size(1))});
          },
          head + 1 + 2 * width_);
      const auto numbers = all.accessor<double, 2>();
      const auto state_of = [&](std::int64_t i) {
        return static_cast<State>(static_cast<int>(numbers[i][0]));
      };
      std::int64_t at = -1;  // a micro-batch that waits
      bool is_finite = true;
      for (std::int64_t i = 0; i < all.size(0); ++i) {
        if (state_of(i) == State::at_norm && at < 0) at = i;
        if (state_of(i) == State::finished) is_finite &= numbers[i][2] == 1;
      }
      if (at < 0) return is_finite;
      const auto norm = static_cast<std::size_t>(numbers[at][1]);
      const std::int64_t channels = of_.norms_[norm]->weight.size(0);
      RowStatistics statistics;
      for (std::int64_t i = 0; i < all.size(0); ++i) {
        if (state_of(i) == State::absent) continue;
        GSAN_CHECK(state_of(i) == State::at_norm && numbers[i][1] == numbers[at][1],
                   "DividedNorms: micro-batch ", micro_batch_of(i), " did not come to batch normalisation ",
                   norm, " of the model, as micro-batch ", micro_batch_of(at),
                   " did; set train.micro_batches=1");
        statistics.add(RowStatistics::unpacked(all[i].narrow(0, head, 1 + 2 * channels)));
      }
      close_round(norm, std::move(statistics));
    }
  }

  // Of a row of what all ranks told: each has as many slots, though some may stay empty.
  int micro_batch_of(std::int64_t row) const {
    const auto rank = static_cast<int>(row / slots_);
    return micro_batches_of(rank, size_, count_)[static_cast<std::size_t>(row % slots_)];
  }

  void close_round(std::size_t norm, RowStatistics statistics) {
    Round round{norm, std::move(statistics), {}};
    if (round.statistics.count() >= 2) {
      const auto n = static_cast<double>(round.statistics.count());
      round.scale = (round.statistics.variance() * ((n - 1) / n) + BatchNormImpl::epsilon).rsqrt();
      of_.norms_[norm]->update_running(round.statistics);
    }
    rounds_.push_back(std::move(round));
  }

  // In the thread of the micro-batch, behind the round.
  Tensor normalise(MicroPass& pass, BatchNormImpl& norm, const Tensor& x) {
    const Round& round = rounds_.back();
    if (!round.scale.defined()) {  // one row in all
      pass.calls.emplace_back();
      if (x.numel() == 0) return x;
      return torch::batch_norm(x, norm.weight, norm.bias, norm.running_mean, norm.running_var, false,
                               BatchNormImpl::momentum, BatchNormImpl::epsilon, true);
    }
    Call call;
    call.input = x;
    {
      const torch::NoGradGuard no_grad;
      const auto like = [&](const Tensor& numbers) { return numbers.to(norm.weight.options()); };
      call.normalised = (like(x) - like(round.statistics.mean())) * like(round.scale);
      call.output = torch::addcmul(norm.bias, call.normalised, norm.weight).to(x.scalar_type());
    }
    call.output.requires_grad_();
    call.accumulator = torch::autograd::impl::grad_accumulator(call.output);
    call.needed = calls_behind(x, pass.call_of);
    pass.call_of.emplace(call.accumulator.get(), pass.calls.size());
    pass.calls.push_back(call);
    return call.output;
  }

  // Gradients of a micro-batch are found where those of the parameters are.
  void with_gradients(MicroPass& pass, const std::function<void()>& work) {
    const auto exchange = [&] {
      for (std::size_t p = 0; p < of_.parameters_.size(); ++p)
        std::swap(of_.parameters_[p].mutable_grad(), pass.found.gradients[p]);
    };
    exchange();
    work();
    exchange();
  }

  void backward() {
    for (const auto& pass : passes_)
      if (pass->found.loss.defined() && pass->found.loss.requires_grad())
        with_gradients(*pass,
                       [&] { torch::autograd::backward({pass->found.loss}, {}, /*retain_graph=*/true); });
    for (std::size_t l = rounds_.size(); l-- > 0;)
      if (rounds_[l].scale.defined()) backward_through(l);
    for (const auto& pass : passes_) flush(*pass);
  }

  void backward_through(std::size_t l) {
    const Round& round = rounds_[l];
    BatchNormImpl& norm = *of_.norms_[round.norm];
    const std::int64_t channels = norm.weight.size(0);
    for (const auto& pass : passes_)
      if (std::any_of(pass->pending.begin(), pass->pending.end(),
                      [&](std::size_t later) { return pass->calls[later].needed.contains(l); }))
        flush(*pass);
    const torch::NoGradGuard no_grad;
    const Tensor all = gathered(
        [&](const MicroPass& pass) {
          if (!pass.found.loss.defined()) return torch::zeros({2 * channels}, torch::kFloat64);
          const Call& call = pass.calls[l];
          const Tensor dy = gradient_of(call);
          return torch::cat({ops::column_sums(dy.to(torch::kFloat64)),
                             ops::column_sums((dy * call.normalised).to(torch::kFloat64))})
              .cpu();
        },
        2 * width_);
    Tensor sums = torch::zeros({2 * channels}, torch::kFloat64);
    for (std::int64_t i = 0; i < all.size(0); ++i) sums += all[i].narrow(0, 0, 2 * channels);
    const Tensor means = sums / static_cast<double>(round.statistics.count());
    for (const auto& pass : passes_) {
      if (!pass->found.loss.defined()) continue;
      Call& call = pass->calls[l];
      const Tensor dy = gradient_of(call);
      add_gradient(*pass, norm.weight, ops::column_sums(dy * call.normalised));
      add_gradient(*pass, norm.bias, ops::column_sums(dy));
      if (!call.input.requires_grad()) continue;
      const auto like = [&](const Tensor& numbers) { return numbers.to(norm.weight.options()); };
      const Tensor dx = (dy - like(means.narrow(0, 0, channels)) -
                         call.normalised * like(means.narrow(0, channels, channels))) *
                        (like(round.scale) * norm.weight);
      pass->pending.push_back(l);
      pass->pending_gradients.push_back(dx.to(call.input.scalar_type()));
    }
  }

  static Tensor gradient_of(const Call& call) {
    const Tensor& found = call.output.grad();
    return found.defined() ? found.to(call.normalised.scalar_type()) : torch::zeros_like(call.normalised);
  }

  void add_gradient(MicroPass& pass, const Tensor& parameter, const Tensor& more) {
    for (std::size_t p = 0; p < of_.parameters_.size(); ++p) {
      if (!of_.parameters_[p].is_same(parameter)) continue;
      Tensor& kept = pass.found.gradients[p];
      kept = kept.defined() ? kept + more : more;
    }
  }

  // Norms side by side share the graph before them: it is passed once for all of them.
  void flush(MicroPass& pass) {
    if (pass.pending.empty()) return;
    std::vector<Tensor> roots;
    for (const std::size_t l : pass.pending) roots.push_back(pass.calls[l].input);
    with_gradients(pass,
                   [&] { torch::autograd::backward(roots, pass.pending_gradients, /*retain_graph=*/true); });
    pass.pending.clear();
    pass.pending_gradients.clear();
  }

  static double value_of(const Tensor& loss) {
    GSAN_CHECK(loss.numel() == 1,
               "Trainer: the loss of a micro-batch must be one number, got a tensor of shape ", loss.sizes());
    return loss.item<double>();
  }

  DividedNorms& of_;
  int count_;
  int size_ = 1;
  std::int64_t slots_ = 1, width_ = 0;  // micro-batches of a rank at most; channels of a norm at most
  std::vector<std::unique_ptr<MicroPass>> passes_;
  MicroPass* current_ = nullptr;  // whose thread runs
  std::vector<Round> rounds_;
};

DividedNorms::DividedNorms(const torch::nn::Module& module, std::vector<Tensor> parameters, Ranks* ranks)
    : norms_(batch_norms_of(module)), parameters_(std::move(parameters)), ranks_(ranks) {}

DividedNorms::~DividedNorms() = default;

PausableThread& DividedNorms::thread(std::size_t number) {
  while (threads_.size() <= number) threads_.push_back(std::make_unique<PausableThread>());
  return *threads_[number];
}

std::vector<MicroGradients> DividedNorms::run(const std::vector<int>& own, int count,
                                              const std::function<Tensor(int)>& loss) {
  return Step(*this, count).run(own, loss);
}

}  // namespace gsan
