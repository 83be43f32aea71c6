// Measures what reading records of plain JSON in one pass saves. The same generated kineto records are read twice: with a plain
// record put in every so often, and with one that has an escape, which sends the rest of its piece to simdjson.
//   bench_events [megabytes]    32 by default; prints the medians of 9 turns, and of the ratio in each turn
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/io/streams/text_feed.h"
#include "core/read/chrome/chrome_chunk.h"
#include "core/read/json/likely_record.h"
#include "tests/support/big_traces.h"

using namespace tv;

namespace {

constexpr std::size_t kEvery = 60 << 10;  // less than half of a parsed piece

// The records between the brackets of "traceEvents".
std::string records_of(std::string_view file) {
  const std::size_t begin = file.find('{', file.find("\"traceEvents\""));
  return std::string(file.substr(begin, file.rfind('}', file.rfind(']')) + 1 - begin));
}

// The records with the marker, a record without a phase, in front of every kEvery bytes.
std::string with_markers(std::string_view records, std::string_view marker) {
  const std::string opening(record_opening(records));
  std::string text;
  while (!records.empty()) {
    const std::size_t next = records.size() > kEvery ? last_likely_record(records.substr(0, kEvery), 1, opening) : records.size();
    (text += marker) += records.substr(0, next);
    records.remove_prefix(next);
  }
  return text;
}

double seconds(std::string& text, std::size_t& slices) {
  text.reserve(text.size() + kTextPadding);
  TextChunk chunk;
  chunk.text = text;
  const auto start = std::chrono::steady_clock::now();
  slices = read_chrome_chunk(chunk, {}).batch.slices.size();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  test::KinetoPlan plan;
  plan.bytes = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 32) << 20;
  std::string file;
  test::write_kineto(plan, [&](std::string_view text) { file += text; });
  const std::string records = records_of(file);
  std::string plain = with_markers(records, R"({"ph     ":1},)"), general = with_markers(records, R"({"\u0070h":1},)");
  std::vector<double> plain_s, general_s, ratio;
  std::size_t plain_slices = 0, general_slices = 0;
  for (int turn = 0; turn < 9; ++turn) {
    plain_s.push_back(seconds(plain, plain_slices));
    general_s.push_back(seconds(general, general_slices));
    ratio.push_back(general_s.back() / plain_s.back());
  }
  const double megabytes = static_cast<double>(plain.size()) / 1e6;
  std::printf("slices %zu %s\n", plain_slices, plain_slices == general_slices ? "both ways" : "BUT DIFFERENT BOTH WAYS");
  std::printf("in one pass  %5.0f MB/s\n", megabytes / median(plain_s));
  std::printf("by simdjson  %5.0f MB/s\n", megabytes / median(general_s));
  std::printf("ratio        %5.2f (%.2f to %.2f)\n", median(ratio), *std::ranges::min_element(ratio), *std::ranges::max_element(ratio));
  return plain_slices == general_slices ? 0 : 1;
}
