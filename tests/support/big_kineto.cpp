// write_kineto: simulates a training loop step by step. A step's slices are kept until it ends, because callers are written
// before their callees, with their duration, and GPU work after both; the layout is that of kineto's output_json.cpp.
#include <algorithm>
#include <array>
#include <vector>

#include "tests/support/big_kineto_text.h"
#include "tests/support/big_kineto_words.h"

namespace tv::test {
namespace {

using Thread = KinetoThread;

class KinetoWriter {
 public:
  KinetoWriter(const KinetoPlan& plan, const Sink& sink)
      : plan_(plan),
        random_(plan.seed * 1'000 + static_cast<std::uint64_t>(plan.rank)),
        text_(plan, sink),
        words_(text_.tally(), Random(plan.seed)) {
    begin_ = text_.first_time() + random_.in(0, 40'000'000);
    main_.now = autograd_.now = feeder_.now = begin_ + 350'000;
    main_.stack = {1, 2};  // the frames that finish() writes
    for (KinetoStream* stream : {&compute_, &tensor_, &data_, &copy_}) stream->free = begin_;
  }

  BigTruth run() {
    text_.head();
    constexpr std::uint64_t kTailBytes = 12'000;
    constexpr std::uint64_t kFirstGuess = 390'000;  // bytes per layer
    const std::uint64_t before = text_.bytes();
    std::uint64_t layers = 0;
    for (;;) {
      const std::uint64_t now = text_.bytes();
      const std::uint64_t per_layer = layers > 0 ? (now - before) / layers : kFirstGuess;
      const std::uint64_t left = plan_.bytes > now + kTailBytes ? plan_.bytes - now - kTailBytes : 0;
      if (layers > 0 && left < per_layer / 2) break;
      const std::uint64_t n = std::clamp<std::uint64_t>((left + per_layer / 2) / per_layer, 1, KinetoWords::kLayers);
      step(n);
      layers += n;
    }
    finish();
    return text_.truth();
  }

 private:
  using Slice = KinetoSlice;

  // What a forward call leaves for the backward pass.
  struct Taken {
    const OpWords* op;
    std::uint64_t sequence, arrow;
    std::size_t site;
  };

  // --- slices of threads ---

  NameId name(std::string_view text) { return text_.tally().name(text); }

  std::size_t open(Thread& thread, Slice::Kind kind, NameId name) {
    thread.now += random_.in(150, 1'200);
    Slice slice;
    slice.kind = kind;
    slice.name = name;
    slice.begin = thread.now;
    if (kind == Slice::Kind::Python) {
      slice.id = ++python_id_;
      slice.parent = thread.stack.empty() ? 0 : thread.stack.back();
      thread.stack.push_back(slice.id);
    } else {
      slice.id = ++external_id_;
      slice.parent = ++record_function_;
      if (kind == Slice::Kind::Op && random_.in(0, 3) > 0) {
        slice.shapes = &words_.shapes[random_.next() % words_.shapes.size()];
      }
    }
    slice.index = ++event_index_;
    thread.slices.push_back(slice);
    thread.now += random_.in(100, 900);
    return thread.slices.size() - 1;
  }

  void close(Thread& thread, std::size_t at) {
    thread.now += random_.in(80, 700);
    Slice& slice = thread.slices[at];
    slice.duration = thread.now - slice.begin;
    if (slice.kind == Slice::Kind::Python) thread.stack.pop_back();
  }

  void leaf(Thread& thread, Slice::Kind kind, NameId name) { close(thread, open(thread, kind, name)); }

  // Small Python functions; the product of two draws makes few of them frequent.
  void chatter(Thread& thread, std::int64_t calls) {
    for (std::int64_t i = 0; i < calls; ++i) {
      const std::uint64_t a = random_.next() % words_.functions.size();
      const std::uint64_t b = random_.next() % words_.functions.size();
      const std::size_t outer = open(thread, Slice::Kind::Python, words_.functions[a * b / words_.functions.size()]);
      const std::int64_t below = random_.in(-2, 3);
      for (std::int64_t j = 0; j < below; ++j) {
        leaf(thread, Slice::Kind::Python, words_.functions[(a * 7 + static_cast<std::size_t>(j)) % 600]);
      }
      close(thread, outer);
    }
  }

  void remember_memory(Thread& thread) {
    if (random_.in(0, 3) == 0) return;
    const Ns bytes = 512 * random_.in(1, 1 << 16);
    allocated_ += random_.in(0, 1) != 0 || allocated_ < bytes ? bytes : -bytes;
    thread.memory.push_back({thread.now - 50, bytes, allocated_, ++event_index_});
  }

  // --- launches ---

  KinetoLaunch& launch(Thread& thread, NameId runtime, int callback, KinetoStream* stream) {
    KinetoLaunch launch;
    launch.thread = &thread;
    launch.runtime = runtime;
    launch.callback = callback;
    thread.now += random_.in(200, 1'500);
    launch.begin = thread.now;
    launch.duration = random_.in(3'000, 9'000);
    // The queue is finite: a thread that is far ahead of the GPU waits.
    constexpr Ns kAhead = 30'000'000;
    if (stream && stream->free > thread.now + kAhead) launch.duration += stream->free - thread.now - kAhead;
    thread.now += launch.duration;
    launch.correlation = ++correlation_;
    launch.external_id = external_id_;
    launch.stream = stream;
    return launches_.emplace_back(launch);
  }

  // Schedules what was launched on its stream.
  void run_on_gpu(KinetoLaunch& launch, NameId name, Ns duration) {
    KinetoStream& stream = *launch.stream;
    launch.name = name;
    const Ns gap = random_.in(250, 1'500);
    const Ns latency = random_.in(3'000, 9'000);
    Ns begin = std::max(stream.free + gap, launch.begin + latency);
    // Programmatic dependent launch: now and then a kernel begins before the one before it ends.
    if (random_.in(0, 149) == 0 && stream.free > launch.begin + 8'000) {
      begin = std::max(stream.last_begin + 1, stream.free - random_.in(200, 2'000));
      duration += 2'500;
    }
    launch.gpu_begin = begin;
    launch.gpu_duration = duration;
    stream.last_begin = begin;
    stream.free = begin + duration;
    if (stream.range_begin == 0) stream.range_begin = begin;
    text_.tally().arrow();
  }

  void kernel(Thread& thread, const KernelWords& words) {
    const Ns duration = words.typical * random_.in(85, 120) / 100;
    KinetoLaunch& started = launch(thread, words_runtime_.launch_kernel, 211, &compute_);
    started.args = &words.args;
    run_on_gpu(started, words.name, duration);
    if (random_.in(0, 2) == 0) runtime_only(thread, words_runtime_.get_attribute, 200, 0);
  }

  void copy(Thread& thread, KinetoStream& stream, bool to_device, std::int64_t bytes) {
    KinetoLaunch& started = launch(thread, words_runtime_.copy, 41, &stream);
    started.kind = KinetoLaunch::Kind::Copy;
    started.bytes = bytes;
    run_on_gpu(started, to_device ? words_runtime_.to_device : words_runtime_.to_host, 900 + bytes / 25);
  }

  void zero(Thread& thread, std::int64_t bytes) {
    KinetoLaunch& started = launch(thread, words_runtime_.set, 51, &compute_);
    started.kind = KinetoLaunch::Kind::Set;
    started.bytes = bytes;
    run_on_gpu(started, words_runtime_.zero, 800 + bytes / 900);
  }

  // A runtime call that launches nothing; kineto gives it the end of an arrow all the same.
  void runtime_only(Thread& thread, NameId runtime, int callback, Ns at_least) {
    KinetoLaunch& started = launch(thread, runtime, callback, nullptr);
    started.duration += at_least;
    thread.now += at_least;
  }

  void synchronize(Thread& thread) {
    Ns last = thread.now;
    for (const KinetoStream* stream : {&compute_, &tensor_, &data_, &copy_}) last = std::max(last, stream->free);
    runtime_only(thread, words_runtime_.synchronize, 165, last - thread.now);
  }

  // An all-reduce waits for the computation before it, and the next one waits for it unless both overlap.
  void all_reduce(Thread& thread, KinetoStream& stream, bool wait, std::int64_t elements) {
    const KinetoCollective collective{elements, ++collective_sequence_, stream.group};
    const std::size_t outer = open(thread, Slice::Kind::Op, words_runtime_.collective_op);
    const std::size_t comms = open(thread, Slice::Kind::Op, words_runtime_.record_comms);
    thread.slices[comms].collective = collective;
    const std::size_t range = open(thread, Slice::Kind::Annotation, words_runtime_.all_reduce_range);
    KinetoLaunch& started = launch(thread, words_runtime_.launch_kernel_ex, 430, &stream);
    started.collective = collective;
    started.args = &collective_args_;
    stream.free = std::max(stream.free, compute_.free);
    run_on_gpu(started, words_runtime_.all_reduce_kernel, 9'000 + elements / 40 + random_.in(0, 60'000));
    if (wait) compute_.free = std::max(compute_.free, stream.free);
    ranges_.push_back({&stream, words_runtime_.all_reduce_range, started.gpu_begin - 1, started.gpu_duration + 2,
                       started.external_id});
    close(thread, range);
    close(thread, comms);
    close(thread, outer);
  }

  // --- a training step ---

  void forward_op(const OpWords& op, std::size_t site) {
    chatter(main_, random_.in(9, 22));
    const std::size_t outer = open(main_, Slice::Kind::Op, op.name);
    const Taken taken{&op, ++sequence_, ++arrow_, site};
    main_.slices[outer].sequence = taken.sequence;
    main_.slices[outer].arrow = taken.arrow;
    for (std::size_t i = 0; i < op.inner.size(); ++i) {
      const std::size_t inner = open(main_, Slice::Kind::Op, op.inner[i]);
      if (i + 1 == op.inner.size()) kernel(main_, words_.kernel(op.family, site));
      close(main_, inner);
    }
    remember_memory(main_);
    close(main_, outer);
    taken_.push_back(taken);
  }

  void backward_op(const Taken& taken) {
    const std::size_t evaluate = open(autograd_, Slice::Kind::Op, taken.op->evaluate);
    const std::size_t backward = open(autograd_, Slice::Kind::Op, taken.op->backward);
    for (const std::size_t at : {evaluate, backward}) autograd_.slices[at].sequence = taken.sequence;
    autograd_.slices[backward].arrow = taken.arrow;
    text_.tally().arrow();
    for (std::size_t i = 0; i < taken.op->backward_inner.size(); ++i) {
      const std::size_t inner = open(autograd_, Slice::Kind::Op, taken.op->backward_inner[i]);
      kernel(autograd_, words_.kernel(taken.op->family, taken.site * 3 + i));
      close(autograd_, inner);
    }
    close(autograd_, backward);
    remember_memory(autograd_);
    close(autograd_, evaluate);
    if (!taken.op->has_weight) return;
    const std::size_t accumulate = open(autograd_, Slice::Kind::Op, words_runtime_.accumulate_outer);
    const std::size_t inner = open(autograd_, Slice::Kind::Op, words_runtime_.accumulate);
    leaf(autograd_, Slice::Kind::Op, words_runtime_.detach);
    close(autograd_, inner);
    close(autograd_, accumulate);
  }

  // The frames of a module call, from the module itself to its forward function.
  template <class Body>
  void in_module(NameId module, NameId forward, Body body) {
    std::size_t open_frames[4], n = 0;
    for (const NameId frame : {module, words_runtime_.wrapped_call, words_runtime_.call_module, forward}) {
      open_frames[n++] = open(main_, Slice::Kind::Python, frame);
    }
    body();
    while (n > 0) close(main_, open_frames[--n]);
  }

  void forward_layer(std::size_t layer) {
    in_module(words_.layers[layer], words_.layer_forward, [&] {
      for (const ModuleWords& module : words_.modules) {
        in_module(module.of_layer[layer], module.forward, [&] {
          for (const std::size_t op : module.ops) forward_op(words_.ops[op], op * 5 + layer % 4);
          if (module.all_reduce) all_reduce(main_, tensor_, true, 4'096 * random_.in(512, 2'048));
        });
      }
    });
  }

  void backward() {
    const std::size_t call = open(main_, Slice::Kind::Python, words_runtime_.run_backward);
    autograd_.now = std::max(autograd_.now, main_.now + 20'000);
    while (!taken_.empty()) {
      backward_op(taken_.back());
      taken_.pop_back();
      if (taken_.size() % 34 == 33) all_reduce(autograd_, data_, false, 1'048'576 * random_.in(1, 8));
    }
    main_.now = autograd_.now + random_.in(5'000, 20'000);
    close(main_, call);
  }

  void optimize(std::uint64_t layers) {
    const std::size_t outer = open(main_, Slice::Kind::Annotation, words_runtime_.optimizer);
    for (std::uint64_t i = 0; i < 2 * layers; ++i) {
      chatter(main_, random_.in(8, 20));
      const std::size_t op = open(main_, Slice::Kind::Op, words_runtime_.fused_adam);
      kernel(main_, words_.kernel(KernelFamily::Optimizer, i));
      close(main_, op);
    }
    close(main_, outer);
  }

  void feed() {
    feeder_.now = std::max(feeder_.now, main_.now - 2'000'000);
    const std::size_t outer = open(feeder_, Slice::Kind::Python, words_runtime_.pin_loop);
    chatter(feeder_, random_.in(20, 60));
    close(feeder_, outer);
    const std::size_t next = open(main_, Slice::Kind::Python, words_runtime_.next_batch);
    chatter(main_, random_.in(10, 30));
    for (int i = 0; i < 3; ++i) copy(main_, copy_, true, 65'536 * random_.in(1, 32));
    close(main_, next);
  }

  void step(std::uint64_t layers) {
    const std::size_t step = open(main_, Slice::Kind::Annotation, name(fmt::format("ProfilerStep#{}", ++step_)));
    const std::size_t train = open(main_, Slice::Kind::Python, words_runtime_.train_step);
    feed();
    zero(main_, 1 << 20);
    const std::size_t forward = open(main_, Slice::Kind::Annotation, words_runtime_.forward);
    const Ns before = main_.now;
    compute_.range_begin = 0;
    for (std::size_t layer = 0; layer < layers; ++layer) forward_layer(layer);
    close(main_, forward);
    const Ns range = compute_.range_begin == 0 ? before : compute_.range_begin;
    ranges_.push_back({&compute_, words_runtime_.forward, range - 1, compute_.free - range + 2, external_id_});
    backward();
    optimize(layers);
    copy(main_, compute_, false, 4);
    synchronize(main_);
    close(main_, train);
    close(main_, step);
    write_step();
  }

  void write_step() {
    for (Thread* thread : {&main_, &autograd_, &feeder_}) {
      text_.operators(*thread);
      text_.python(*thread);
      thread->slices.clear();
      thread->memory.clear();
    }
    for (const KinetoLaunch& launch : launches_) text_.launch(launch);
    for (const KinetoRange& range : ranges_) text_.range(range);
    const Ns end = main_.now;
    for (int i = 4; i > 0; --i) {
      for (const std::string_view metric : {"sm__active_percent", "dram__bytes_per_second"}) {
        text_.counter(metric, end - i * 200'000, random_.in(0, 1'000'000));
      }
    }
    launches_.clear();
    ranges_.clear();
  }

  // Slices that lasted the whole time are written last: the frames that began before the first step, the profiler itself.
  void finish() {
    const Ns end = main_.now + 500'000;
    Ns begin = begin_ + 1'000;
    std::uint64_t frames = 0;
    for (const std::string_view frame : {"train/main.py(1): <module>", "train/main.py(88): main"}) {
      Slice slice;
      slice.kind = Slice::Kind::Python;
      slice.name = name(frame);
      slice.begin = begin;
      slice.duration = end - 2 * (begin - begin_) - begin;
      slice.parent = frames;
      slice.id = ++frames;
      slice.index = ++event_index_;
      main_.slices.push_back(slice);
      begin += 2'000;
    }
    text_.python(main_);
    text_.tail({&main_, &autograd_, &feeder_}, {&compute_, &tensor_, &data_, &copy_}, begin_, end);
  }

  const KinetoPlan& plan_;
  Random random_;
  KinetoText text_;
  KinetoWords words_;
  const KinetoRuntimeWords words_runtime_{text_.tally()};
  const std::string collective_args_ =
      R"("registers per thread": 96,      "shared memory": 87568,      "blocks per SM": 0.181818,      )"
      R"("warps per SM": 3.090909,      "grid": [24, 1, 1],      "block": [544, 1, 1],      )"
      R"("est. achieved occupancy %": 4)";

  Thread main_ = text_.thread(0, "python"), autograd_ = text_.thread(363, "pt_autograd_0"),
         feeder_ = text_.thread(512, "pt_data_pin");
  KinetoStream compute_ = text_.stream(7, 0), tensor_ = text_.stream(20, 12), data_ = text_.stream(24, 21),
               copy_ = text_.stream(28, 0);
  std::vector<KinetoLaunch> launches_;
  std::vector<KinetoRange> ranges_;
  std::vector<Taken> taken_;

  Ns begin_ = 0;
  Ns allocated_ = 0;
  std::uint64_t python_id_ = 2, external_id_ = 0, record_function_ = 0, event_index_ = 0, correlation_ = 20'000;
  std::uint64_t sequence_ = 0, arrow_ = 0, step_ = 4, collective_sequence_ = 0;
};

}  // namespace

BigTruth write_kineto(const KinetoPlan& plan, const Sink& sink) { return KinetoWriter(plan, sink).run(); }

}  // namespace tv::test
