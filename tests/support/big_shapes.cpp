// Pathological inputs: each is extreme in one respect only.
#include <numeric>
#include <utility>

#include "tests/support/big_output.h"
#include "tests/support/gen_trace.h"

namespace tv::test {
namespace {

// One record per line: {"traceEvents": [ ... ]} with times in microseconds since the Unix epoch.
class Records {
 public:
  explicit Records(const Sink& sink) : out_(sink, false) { out_.text("{\"traceEvents\":[\n"); }

  static constexpr Ns kBegin = 1'763'600'000 * kSecond;

  Tally& tally() { return tally_; }
  TextOut& out() { return out_; }

  void slice(TrackId lane, NameId name, std::uint64_t pid, std::uint64_t tid, Ns begin, Ns duration) {
    open_slice(lane, name, pid, tid, begin, duration);
    out_.text("}");
  }
  /// Without the closing brace.
  void open_slice(TrackId lane, NameId name, std::uint64_t pid, std::uint64_t tid, Ns begin, Ns duration) {
    next();
    out_.print_fast(FMT_COMPILE(R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":{})"), tally_.text(name), pid,
                    tid, us(begin), us(duration));
    tally_.slice(lane, name, begin, duration);
  }
  void next() { out_.text(std::exchange(any_, true) ? ",\n" : ""); }

  BigTruth finish() {
    out_.text("\n]}\n");
    out_.flush();
    return tally_.truth(out_.bytes());
  }

 private:
  TextOut out_;
  Tally tally_;
  bool any_ = false;
};

std::vector<NameId> some_names(Tally& tally, std::string_view stem, int count) {
  std::vector<NameId> names;
  for (int i = 0; i < count; ++i) names.push_back(tally.name(fmt::format("{}_{}", stem, i)));
  return names;
}

// Call trees on one thread, callers before callees.
class CallTrees {
 public:
  CallTrees(std::uint64_t slices, std::uint64_t seed, const Sink& sink)
      : left_(slices), random_(seed), records_(sink) {}

  BigTruth run() {
    for (Ns begin = Records::kBegin; left_ > 0;) {
      const Ns duration = random_.in(5'000, 60'000);
      call(begin, begin + duration, random_.in(0, 47));
      begin += duration + random_.in(0, 5'000);
    }
    return records_.finish();
  }

 private:
  void call(Ns begin, Ns end, std::int64_t deeper) {
    if (left_ == 0) return;
    --left_;
    records_.slice(lane_, names_[random_.next() % names_.size()], 1, 1, begin, end - begin);
    const Ns inside_begin = begin + random_.in(1, 300);
    const Ns inside_end = end - random_.in(1, 300);
    if (deeper == 0 || inside_end - inside_begin < 1'000) return;
    if (random_.in(0, 7) > 0) return call(inside_begin, inside_end, deeper - 1);
    const Ns middle = inside_begin + (inside_end - inside_begin) / 2;
    call(inside_begin, middle, deeper - 1);
    call(middle, inside_end, deeper - 1);
  }

  std::uint64_t left_;
  Random random_;
  Records records_;
  const TrackId lane_ = records_.tally().lane("thread");
  const std::vector<NameId> names_ = some_names(records_.tally(), "call", 500);
};

}  // namespace

BigTruth write_deep_lane(std::uint64_t slices, std::uint64_t seed, const Sink& sink) {
  return CallTrees(slices, seed, sink).run();
}

BigTruth write_many_lanes(std::uint64_t lanes, std::uint64_t seed, const Sink& sink) {
  constexpr std::uint64_t kPerProcess = 100, kSlices = 20;
  Records records(sink);
  Random random(seed);
  const std::vector<NameId> names = some_names(records.tally(), "task", 200);
  for (std::uint64_t i = 0; i < lanes; ++i) {
    const std::uint64_t pid = 1'000 + i / kPerProcess;
    const TrackId lane = records.tally().lane(std::to_string(i));
    records.next();
    records.out().print(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"worker {}"}}}})", pid,
                        i + 1, i);
    Ns begin = Records::kBegin + random.in(0, 1'000'000);
    for (std::uint64_t s = 0; s < kSlices; ++s) {
      const Ns duration = random.in(1'000, 400'000);
      records.slice(lane, names[random.next() % names.size()], pid, i + 1, begin, duration);
      begin += duration + random.in(0, 300'000);
    }
  }
  return records.finish();
}

BigTruth write_async(std::uint64_t spans, std::uint64_t seed, const Sink& sink) {
  constexpr Ns kApart = 100;
  Records records(sink);
  const std::vector<NameId> names = some_names(records.tally(), "span", 50);
  const TrackId lane = records.tally().lane("async");
  const auto name_of = [&](std::uint64_t i) { return names[Random(seed + i).next() % names.size()]; };
  const auto half = [&](char phase, std::uint64_t i, Ns time) {
    records.next();
    constexpr auto kFormat =
        FMT_COMPILE(R"({{"ph":"{}","cat":"request","name":"{}","id":"0x{:x}","pid":1,"tid":{},"ts":{}}})");
    records.out().print_fast(kFormat, phase, records.tally().text(name_of(i)), i, i % 16, us(time));
  };
  const auto begin_of = [](std::uint64_t i) { return Records::kBegin + static_cast<Ns>(i) * kApart; };
  for (std::uint64_t i = 0; i < spans; ++i) half('b', i, begin_of(i));
  // A stride that is coprime to the count visits each span once.
  std::uint64_t stride = spans / 3 + 1;
  while (std::gcd(stride, spans) != 1) ++stride;
  for (std::uint64_t i = 0, span = 0; i < spans; ++i, span = (span + stride) % spans) {
    const Ns end = begin_of(spans + i);
    half('e', span, end);
    records.tally().slice(lane, name_of(span), begin_of(span), end - begin_of(span));
  }
  return records.finish();
}

BigTruth write_big_arg(std::uint64_t slices, std::uint64_t arg_bytes, std::uint64_t seed, const Sink& sink) {
  Records records(sink);
  Random random(seed);
  const std::vector<NameId> names = some_names(records.tally(), "op", 100);
  const NameId graph = records.tally().name("compiled_graph");
  const TrackId lane = records.tally().lane("thread");
  Ns begin = Records::kBegin;
  for (std::uint64_t i = 0; i < slices; ++i) {
    const bool big = i == slices / 2;
    const Ns duration = random.in(1'000, 50'000);
    records.open_slice(lane, big ? graph : names[random.next() % names.size()], 1, 1, begin, duration);
    if (big) {
      // A program as text: quotes and line breaks are escaped, braces and brackets are not.
      records.out().text(R"(,"args":{"code":")");
      constexpr std::string_view kLine = R"(buf[\"t{}\"] = kernel({{0: x[{}]}}, \"tn\")\n)";
      for (std::uint64_t n = 0; n < arg_bytes;) {
        const std::string line = fmt::format(kLine, n, n % 977);
        records.out().text(line);
        n += line.size();
      }
      records.out().text(R"("}})");
    } else {
      records.out().print(R"(,"args":{{"index":{}}}}})", i);
    }
    begin += duration + random.in(0, 2'000);
  }
  return records.finish();
}

}  // namespace tv::test
