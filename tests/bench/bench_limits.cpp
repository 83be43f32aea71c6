// The limits of this machine with one file on one core, to judge a loader's speed by: copying the file out of the page cache,
// looking for newlines, searching a word as in logs, simdjson On-Demand over its records, inflating it with ISA-L. And, for
// comparison, our own reader on one core with records in memory.
//   bench_limits FILE.json [FILE.json.gz]    or a log; at most 512 MB of a file; medians of 5 turns, in MB/s of JSON text
#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/read/chrome/chrome_chunk.h"
#include "core/read/chrome/plain_event.h"
#include "core/read/json/find_text.h"
#include "core/read/json/likely_record.h"

namespace {

constexpr std::size_t kMost = 512'000'000, kPiece = 128 << 10, kChunk = 8 << 20, kPage = 4096;
alignas(kPage) char place[(1 << 20) + kPage];

// Reads a file into `place`, 1 MB at a time, `beyond` bytes behind the begin of a page.
std::size_t read_file(const char* path, std::size_t beyond, std::string* keep = nullptr) {
  const int file = open(path, O_RDONLY);
  std::size_t bytes = 0;
  for (ssize_t got = 0; file >= 0 && bytes < kMost && (got = read(file, place + beyond, 1 << 20)) > 0; bytes += static_cast<std::size_t>(got))
    if (keep) keep->append(place + beyond, static_cast<std::size_t>(got));
  if (file >= 0) close(file);
  return bytes;
}

// The records in pieces of whole records, written as arrays. Each has the padding that simdjson needs, as its authors advise.
std::vector<std::string> as_arrays(std::string_view text, std::size_t piece) {
  const std::size_t begin = text.find('{', text.find("\"traceEvents\"") + 1);
  text.remove_prefix(begin == text.npos ? text.size() : begin);
  const std::string opening(tv::record_opening(text));
  std::vector<std::string> arrays;
  while (text.size() > piece) {
    const std::size_t next = tv::last_likely_record(text.substr(0, piece), 1, opening);
    if (next == 0 || next > piece) break;
    std::string_view records = text.substr(0, next);
    records.remove_suffix(records.size() - records.rfind('}') - 1);
    std::string& array = arrays.emplace_back();
    array.reserve(records.size() + 2 + simdjson::SIMDJSON_PADDING);
    ((array += '[') += records) += ']';
    text.remove_prefix(next);
  }
  return arrays;
}

std::size_t sink = 0;  // so that the compiler keeps the computation

// Reads every record's name, phase, category, time and length, and steps over args. Without `fields`, steps over whole records.
void take_events(const std::vector<std::string>& arrays, bool fields) {
  simdjson::ondemand::parser parser;
  for (const std::string& array : arrays) {
    simdjson::ondemand::document document;
    simdjson::ondemand::array records;
    if (parser.iterate(array.data(), array.size(), array.size() + simdjson::SIMDJSON_PADDING).get(document) ||
        document.get_array().get(records))
      continue;
    for (auto record : records) {
      simdjson::ondemand::object object;
      if (record.get_object().get(object)) break;
      ++sink;
      if (!fields) continue;
      for (auto entry : object) {
        simdjson::ondemand::field field;
        if (std::move(entry).get(field)) break;
        const auto key = field.key();
        std::string_view text;
        double number = 0;
        if (key == "ts" || key == "dur") {
          if (!field.value().get_double().get(number)) sink += number > 1;
        } else if (key == "name" || key == "ph" || key == "cat") {
          if (!field.value().get_string().get(text)) sink += text.size();
        }
      }
    }
  }
}

std::size_t inflate(const std::string& packed) {
  inflate_state state;
  isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  state.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(packed.data()));
  state.avail_in = static_cast<std::uint32_t>(packed.size());
  std::size_t bytes = 0;
  do {
    state.next_out = reinterpret_cast<std::uint8_t*>(place);
    state.avail_out = sizeof place;
    if (isal_inflate(&state) != ISAL_DECOMP_OK) break;
    bytes += sizeof place - state.avail_out;
  } while (state.block_state != ISAL_BLOCK_FINISH && state.avail_in > 0 && bytes < kMost);
  return bytes;
}

// Reads the fields of each array's records up to the first one that is not plain. Returns the number of bytes read.
std::size_t step_over_plain(const std::vector<std::string>& arrays) {
  std::size_t bytes = 0;
  for (const std::string& array : arrays) {
    const char* const end = array.data() + array.size() - 1;
    for (const char *at = array.data() + 1, *next = at; at && at < end; at = next) {
      tv::TraceEvent event;
      const char* const past = tv::read_plain_event(at, end, event);
      next = past ? tv::next_plain_record(past, end) : nullptr;
      if (next) bytes += static_cast<std::size_t>(next - at);
      sink += event.name.size();
    }
  }
  return bytes;
}

void interpret(const std::vector<std::string>& chunks) {
  for (const std::string& array : chunks) {
    tv::TextChunk chunk;
    chunk.text = std::string_view(array).substr(1, array.size() - 2);
    sink += tv::read_chrome_chunk(chunk, {}).batch.slices.size();
  }
}

void measure(const char* what, const std::function<std::size_t()>& turn) {
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t bytes = turn();
    rates.push_back(static_cast<double>(bytes) / 1e6 / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(rates);
  std::printf("%-44s %6.0f MB/s (%.0f to %.0f)\n", what, rates[2], rates.front(), rates.back());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: bench_limits FILE.json [FILE.json.gz]\n"), 2;
  std::string text, packed;
  read_file(argv[1], 0, &text);
  measure("read(2) from the page cache", [&] { return read_file(argv[1], kPage / 2); });
  measure("read(2) to 16 bytes beyond a page's begin", [&] { return read_file(argv[1], 16); });
  measure("memchr for newlines", [&] {
    for (const char *at = text.data(), *end = at + text.size(); (at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))); ++at) ++sink;
    return text.size();
  });
  constexpr std::string_view kWord = "step:";
  measure("memmem for \"step:\"", [&] {
    for (const char *at = text.data(), *end = at + text.size(); (at = static_cast<const char*>(memmem(at, static_cast<std::size_t>(end - at), kWord.data(), kWord.size()))); ++at) ++sink;
    return text.size();
  });
  measure("find_text for \"step:\"", [&] {
    for (std::size_t at = 0; (at = tv::find_text(text, kWord, at)) != text.npos; ++at) ++sink;
    return text.size();
  });
  if (text.find("\"traceEvents\"") == text.npos) return 0;
  const std::vector<std::string> arrays = as_arrays(text, kPiece);
  std::size_t array_bytes = 0;
  for (const std::string& array : arrays) array_bytes += array.size();
  if (array_bytes < text.size() / 2) return std::fprintf(stderr, "only %zu of %zu bytes are records\n", array_bytes, text.size()), 1;
  measure("simdjson On-Demand, stepping over records", [&] { return take_events(arrays, false), array_bytes; });
  measure("simdjson On-Demand, five fields of each", [&] { return take_events(arrays, true), array_bytes; });
  measure("traceview, fields of records", [&] { return step_over_plain(arrays); });
  const std::vector<std::string> chunks = as_arrays(text, kChunk);
  std::size_t chunk_bytes = 0;
  for (const std::string& chunk : chunks) chunk_bytes += chunk.size();
  measure("traceview, everything of a record", [&] { return interpret(chunks), chunk_bytes; });
  if (argc > 2) {
    read_file(argv[2], 0, &packed);
    measure("ISA-L, inflating", [&] { return inflate(packed); });
  }
  return sink == 0;
}
