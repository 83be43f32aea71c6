// verl's console log as on a cluster: mostly output of models and workers, with an occasional line of metrics.
#include <array>

#include "tests/support/big_output.h"
#include "tests/support/gen_trace.h"

namespace tv::test {
namespace {

constexpr std::uint64_t kBytesPerStep = 2'000'000;
constexpr std::array<std::string_view, 16> kWords = {"the ",   "answer ", "is ",     "therefore ", "step by step: ", "x = ",
                                                     "let ",   "us ",     "compute ", "12 - 7 ",    "and ",          "so ",
                                                     "given ", "that ",   "we ",     "find "};
struct Phase {
  std::string_view name;
  Ns least, most;
};
constexpr std::array<Phase, 6> kPhases = {{{"gen", 8'000, 20'000},
                                          {"reward", 100, 200},
                                          {"old_log_prob", 2'000, 3'000},
                                          {"adv", 50, 90},
                                          {"update_critic", 3'000, 4'000},
                                          {"update_actor", 5'000, 7'000}}};  // milliseconds

}  // namespace

BigTruth write_console(std::uint64_t bytes, std::uint64_t seed, const Sink& sink) {
  TextOut out(sink, false);
  Tally tally;
  Random random(seed);
  const TrackId lane = tally.lane("steps");
  Ns begin = 0;
  for (std::uint64_t step = 1; out.bytes() < bytes; ++step) {
    const std::uint64_t until = std::min(out.bytes() + kBytesPerStep, bytes);
    while (out.bytes() < until) {
      out.print_fast(FMT_COMPILE("\x1b[36m(WorkerDict pid={}, ip=10.0.{}.{})\x1b[0m "), 39'000 + random.in(0, 63),
                     random.in(0, 3), random.in(1, 9));
      for (std::int64_t word = random.in(4, 40); word > 0; --word) {
        out.text(kWords[static_cast<std::size_t>(random.in(0, kWords.size() - 1))]);
      }
      out.text("\n");
    }
    out.print("\x1b[36m(TaskRunner pid=38606)\x1b[0m step:{} - actor/entropy:np.float64(0.{})", step, random.in(10, 99));
    const Ns first = begin;
    std::array<Ns, kPhases.size()> durations;
    Ns sum = 0;
    for (std::size_t p = 0; p < kPhases.size(); ++p) {
      durations[p] = random.in(kPhases[p].least, kPhases[p].most) * kMillisecond;
      out.print(" - timing_s/{}:{}.{:03}", kPhases[p].name, durations[p] / kSecond, durations[p] % kSecond / kMillisecond);
      tally.slice(lane, tally.name(kPhases[p].name), begin, durations[p]);
      begin += durations[p];
      sum += durations[p];
    }
    const Ns total = sum + random.in(100, 900) * kMillisecond;
    out.print(" - timing_s/step:{}.{:03} - perf/throughput:{}\n", total / kSecond, total % kSecond / kMillisecond,
              random.in(300, 900));
    tally.slice(lane, tally.name(fmt::format("step {}", step)), first, total);
    begin = first + total;
  }
  out.flush();
  return tally.truth(out.bytes());
}

}  // namespace tv::test
