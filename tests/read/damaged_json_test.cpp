// Damages files of any JSON shape once, anywhere: every untouched record is shown, and every other one is counted. Which records
// are untouched follows only from where they were written (damaged_documents.h).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/io/streams/text_feed.h"
#include "core/read/json/json_records.h"
#include "core/session/load/load_job.h"
#include "tests/io/memory_stream.h"
#include "tests/read/damaged_documents.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

struct Shown {
  std::map<std::uint64_t, std::uint64_t> numbers;  // by offset: its time in microseconds, or its step
  std::uint64_t count = 0, lost = 0, cut = 0;      // cut: counted as something else
};

Shown shown_of(const TempDir& folder, JsonShape shape, const std::string& text, std::size_t chunk_bytes) {
  LoadOptions options;
  options.chunk_bytes = chunk_bytes;
  const auto trace = load_snapshot({folder.write(file_name(shape), text)}, test_pool(), options)->trace;
  Shown out;
  for (std::size_t i = 0; i < trace->slices.size(); ++i) {
    const Ns begin = trace->slices.begin[i] + trace->origin_ns;
    out.numbers[trace->slices.ref[i].offset()] = static_cast<std::uint64_t>(begin / kMicrosecond);
  }
  out.count = trace->slices.size();
  if (shape == JsonShape::FileLogger) {
    out.numbers.clear();
    for (const MetricStep& step : trace->metrics.steps)
      out.numbers[step.offset] = static_cast<std::uint64_t>(step.step);
    out.count = trace->metrics.steps.size();
  }
  out.lost = trace->lost();
  for (const SourceInfo& source : trace->sources) {
    // Counted, but not as lost: a cut last record, and one whose "ph" became another phase of the format.
    out.cut +=
        source.problems.count(ProblemKind::truncated_record) + source.problems.count(ProblemKind::unsupported_phase);
  }
  return out;
}

bool is_shown(const Shown& shown, JsonShape shape, const WholeRecord& record) {
  const auto there = shown.numbers.find(record.at);
  return there != shown.numbers.end() && (shape == JsonShape::Rollout || there->second == record.number);
}

// A record inside another one, in text that other parsers accept: where one writer stopped, the other continued in valid JSON.
bool is_held(const Shown& shown, const std::string& text, std::size_t at) {
  auto holder = shown.numbers.upper_bound(at);
  if (holder == shown.numbers.begin()) return false;
  const std::size_t begin = (--holder)->first;
  std::istringstream stream(text.substr(begin));
  nlohmann::json value;
  try {
    stream >> value;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  return stream.eof() || begin + static_cast<std::size_t>(stream.tellg()) > at;
}

// Empty, or an error.
std::string complaint(const DamagedFile& file, const Shown& shown, JsonShape shape, bool one_byte) {
  for (const WholeRecord& record : file.whole) {
    if (!is_shown(shown, shape, record) && !is_held(shown, file.text, record.at)) {
      return "record " + std::to_string(record.number) + " at " + std::to_string(record.at) + " is whole and not shown";
    }
  }
  const std::uint64_t all = file.whole.size() + file.touched, counted = shown.count + shown.lost + shown.cut;
  const std::string numbers = std::to_string(shown.count) + " shown, " + std::to_string(shown.lost) + " lost, " +
                              std::to_string(shown.cut) + " counted otherwise, of " + std::to_string(file.whole.size()) +
                              " whole and " + std::to_string(file.touched) + " touched";
  if (one_byte && counted != all) return numbers;
  if (file.touched > 0 && !file.in_opening && counted == file.whole.size()) return "nothing is counted: " + numbers;
  return shown.lost > 2 * file.touched + 3 ? "too much is lost: " + numbers : "";
}

}  // namespace

TEST_CASE("damaged_json: a single damage costs only the records that it touches") {
  const TempDir folder;
  std::size_t files = 0, records = 0, wrong = 0;
  for (const std::uint64_t seed : seeds(150)) {
    for (int s = 0; s < static_cast<int>(JsonShape::kCount); ++s) {
      const auto shape = static_cast<JsonShape>(s);
      Random random(seed * 64 + static_cast<std::uint64_t>(s));
      const WrittenFile file = JsonFileWriter(shape, seed).write(12),
                        other = JsonFileWriter(shape, seed + 1).write(12, 100);
      const auto kind = static_cast<Damage>(seed % static_cast<std::uint64_t>(Damage::kCount));
      const DamagedFile damaged = damage_once(file, other, kind, random);
      const std::size_t chunk_bytes = random.chance(0.3) ? 400 : 1 << 20;
      const Shown shown = shown_of(folder, shape, damaged.text, chunk_bytes);
      const std::string why = complaint(damaged, shown, shape, kind <= Damage::Inserted);
      ++files;
      records += file.records.size();
      wrong += why.empty() ? 0 : 1;
      CAPTURE(seed);
      CAPTURE(s);
      CAPTURE(damaged.said);
      CAPTURE(damaged.text);
      CHECK(why == "");
    }
  }
  MESSAGE(files, " files, ", records, " records, ", wrong, " complaints");
}

TEST_CASE("damaged_json: two records joined by damage are not shown as one, and count as lost") {
  const TempDir folder;
  const char* const first = R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 7})";
  const char* const joined = R"({"ph": "X", "name": "b", "pid": h": "X", "name": "c", "pid": 1, "tid": 1, "ts": 3, "dur": 7})";
  const auto trace = load_snapshot({folder.write("cut.json", fmt::format("[{}, {}, {}]", first, joined, first))}, test_pool(), {})->trace;
  CHECK(trace->slices.size() == 2);
  CHECK(trace->lost() == 1);
}

TEST_CASE("damaged_json: if two writers take turns, every record within one block is shown") {
  const TempDir folder;
  for (const std::uint64_t seed : seeds(12)) {
    for (int s = 0; s < static_cast<int>(JsonShape::kCount); ++s) {
      const auto shape = static_cast<JsonShape>(s);
      const WrittenFile one = JsonFileWriter(shape, seed).write(300),
                        two = JsonFileWriter(shape, seed + 1).write(300, 1000);
      for (const std::size_t block : {1000, 4096, 8192}) {
        const DamagedFile damaged = two_writers(one, two, block);
        const Shown shown = shown_of(folder, shape, damaged.text, seed % 2 == 0 ? 1 << 20 : 3000);
        CAPTURE(seed);
        CAPTURE(s);
        CAPTURE(block);
        CHECK(complaint(damaged, shown, shape, false) == "");
      }
    }
  }
}

TEST_CASE("damaged_json: all sound records are shown, whatever their args contain") {
  const std::string event = R"({"ph":"X","name":"in","pid":1,"tid":2,"ts":3,"dur":1})";
  const TempDir folder;
  const std::string kArgs[] = {"[" + event + "," + event + "]", R"({"ph":"X","ts":1,"pid":0})",
                               R"({"list":[)" + event + "]}", std::string(R"("{\"ph\":\"X\",\"ts\":1},")"),
                               "{\"a\":" + event + ",\"b\":[[" + event + "]]}"};
  for (const std::string& args : kArgs) {
    std::string text = "[";
    for (int i = 0; i < 40; ++i) {
      text += (i > 0 ? "," : "") + std::string("\n{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":0,\"ts\":") +
              std::to_string(i) + ",\"dur\":0.5,\"args\":" + args + "}";
    }
    text += "\n]";
    CAPTURE(args);
    for (const std::size_t chunk_bytes : {300, 1 << 20}) {
      const Shown shown = shown_of(folder, JsonShape::ArrayOfLines, text, chunk_bytes);
      CHECK(shown.count == 40);
      CHECK(shown.lost == 0);
    }
  }
}

// At most a chunk and the text up to the next whole record may be held, and nothing may be read many times.
TEST_CASE("damaged_json: a record that lost its end costs neither large chunks nor repeated reading") {
  class Counted : public MemoryStream {
   public:
    explicit Counted(MemoryStream stream) : MemoryStream(std::move(stream)) {}
    Result<std::size_t> read(std::span<char> out) override {
      auto n = MemoryStream::read(out);
      bytes += n.ok() ? *n : 0;
      return n;
    }
    std::size_t bytes = 0;
  };
  for (const JsonShape shape : {JsonShape::ObjectOfLines, JsonShape::OneLine, JsonShape::RecordLines}) {
    const WrittenFile file = JsonFileWriter(shape, 1).write(30'000);
    for (const std::string_view gone : {"}", "]", "\"", "5}}"}) {
      const std::size_t at = file.text.find(gone, file.records[1000].begin);
      const std::string text = file.text.substr(0, at) + file.text.substr(at + gone.size());
      for (const bool plain : {false, true}) {
        constexpr std::size_t kChunk = 64 << 10;
        Counted stream(plain ? MemoryStream::plain_file(text) : MemoryStream(text));
        TextFeed feed(stream, kChunk);
        JsonRecords records(feed, kChunk, [](std::string_view, std::string_view) {});
        std::size_t largest = 0;
        while (auto chunk = records.next().value()) {
          if (chunk->guessed && shape != JsonShape::RecordLines) {
            records.take_back({*chunk});
            continue;
          }
          largest = std::max(largest, chunk->size());
        }
        CAPTURE(gone);
        CHECK(largest < 2 * kChunk);
        CHECK(stream.bytes < 2 * text.size());
      }
    }
  }
}
