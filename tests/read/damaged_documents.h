// Writes files of every JSON shape that is read, record by record, and then damages them once. A record with no byte touched
// counts as whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/gen_trace.h"

namespace tv::test {

enum class JsonShape { ArrayOfLines, ObjectOfLines, OneLine, Pretty, Kineto, RecordLines, Rollout, FileLogger, kCount };
enum class Damage { Changed, Deleted, Inserted, CutOut, Doubled, Overwritten, Zeros, kCount };

/// A record that was written, and where. Its number is also its time in microseconds, or its step; in a rollout neither.
struct WrittenRecord {
  std::uint64_t number = 0;
  std::size_t begin = 0, end = 0;
};

struct WrittenFile {
  std::string text;
  std::vector<WrittenRecord> records;
};

inline std::string file_name(JsonShape shape) {
  if (shape == JsonShape::Rollout) return "step_1/worker_0.jsonl";
  return shape == JsonShape::FileLogger ? "metrics.jsonl" : "trace.json";
}
inline bool is_trace(JsonShape shape) { return shape < JsonShape::Rollout; }

class JsonFileWriter {
 public:
  JsonFileWriter(JsonShape shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  WrittenFile write(std::size_t count, std::uint64_t first = 0) {
    out_ = {};
    out_.text = opening();
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_.text += separator();
      const std::size_t begin = out_.text.size();
      out_.text += record(first + i);
      out_.records.push_back({first + i, begin, out_.text.size()});
    }
    out_.text += closing();
    return std::move(out_);
  }

 private:
  std::string opening() const {
    switch (shape_) {
      case JsonShape::ArrayOfLines:
        return "[\n";
      case JsonShape::ObjectOfLines:
        return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
      case JsonShape::OneLine:
        return "{\"traceEvents\":[";
      case JsonShape::Pretty:
        return "{\n  \"displayTimeUnit\": \"ms\",\n  \"traceEvents\": [\n    ";
      case JsonShape::Kineto:
        return "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": \"GPU\", "
               "\"totalGlobalMem\": 85\n"
               "    }\n  ],\n  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 0},\n  \"traceEvents\": [\n  ";
      default:
        return "";
    }
  }
  std::string separator() const {
    switch (shape_) {
      case JsonShape::OneLine:
        return ",";
      case JsonShape::Pretty:
        return ",\n    ";
      case JsonShape::Kineto:
        return ",\n  ";
      case JsonShape::RecordLines:
      case JsonShape::Rollout:
      case JsonShape::FileLogger:
        return "\n";
      default:
        return ",\n";
    }
  }
  std::string closing() const {
    switch (shape_) {
      case JsonShape::ArrayOfLines:
        return "\n]\n";
      case JsonShape::ObjectOfLines:
        return "\n]}\n";
      case JsonShape::OneLine:
        return "]}";
      case JsonShape::Pretty:
        return "\n  ]\n}\n";
      case JsonShape::Kineto:
        return "\n  ],\n  \"traceName\": \"t.json\"\n}\n";
      default:
        return "\n";
    }
  }

  std::string record(std::uint64_t number) {
    const std::string n = std::to_string(number);
    if (shape_ == JsonShape::FileLogger) {
      return "{\"step\":" + n + ",\"data\":{\"timing_s/step\":2.5,\"actor/lr\":null,\"val/ok\":" + flag() + "}}";
    }
    if (shape_ == JsonShape::Rollout) {
      const std::string second = std::to_string(100 + number % 60).substr(1),
                        minute = std::to_string(100 + number / 60 % 60).substr(1);
      return "{\"timestamp\": \"2026-03-01T10:" + minute + ":" + second +
             ".500000\", \"event\": \"engine_call\", \"duration_sec\": 0.25, " + "\"extra\": {\"request_id\": \"r" + n +
             "\", \"turn\": 1, \"tags\": [" + nested() + "]}, \"workid\": 0, \"step\": 1}";
    }
    const bool spread = shape_ == JsonShape::Pretty;
    const std::string gap = spread                        ? "\n      "
                            : shape_ == JsonShape::Kineto ? " "
                                                          : "",
                      colon = spread || !gap.empty() ? ": " : ":";
    const auto field = [&](const char* key, const std::string& value) {
      return "\"" + std::string(key) + "\"" + colon + value;
    };
    std::string args = "{" + field("n", n) + ", " + field("grid", "[1,2," + std::to_string(random_.in(0, 999)) + "]");
    if (random_.chance(0.3)) args += ", " + field("list", "[" + nested() + "]");
    if (random_.chance(0.2)) args += ", " + field("text", text());
    args += "}";
    std::vector<std::string> fields = {field("ph", "\"X\""), field("cat", "\"kernel\""), field("name", name()),
                                       field("pid", "0"),    field("tid", "7"),          field("ts", n + ".0"),
                                       field("dur", "0.5")};
    if (random_.chance(0.9)) fields.push_back(field("args", args));
    std::string out = "{" + gap;
    for (std::size_t i = 0; i < fields.size(); ++i) out += (i > 0 ? "," + gap : std::string()) + fields[i];
    return out + (spread ? "\n    " : gap) + "}";
  }

  std::string flag() { return random_.chance(0.5) ? "true" : "false"; }
  std::string name() {
    static constexpr std::string_view kNames[] = {"\"gemm\"",
                                                  "\"void k<{1, 2}>(a[3])\"",
                                                  "\"say \\\"hi\\\", {x}\"",
                                                  "\"a\\\\b\"",
                                                  "\"前\"",
                                                  "\"\\n  {\\\"ph\\\": 1}\"",
                                                  "\"aten::mm\""};
    return std::string(random_.one_of(kNames));
  }
  std::string text() {
    static constexpr std::string_view kTexts[] = {"\"{\\\"ph\\\":\\\"X\\\",\\\"name\\\":\\\"in\\\",\\\"ts\\\":1},\"",
                                                  "\"}]}\"", "\"[{\"", "\",\""};
    return std::string(random_.one_of(kTexts));
  }
  // Looks like a record but is part of one.
  std::string nested() {
    static constexpr std::string_view kParts[] = {"{\"name\": \"a\", \"args\": {}}", "{\"x\": [1, {\"y\": 2}]}, {}",
                                                  "\"s\", 7", "[[1], []]"};
    return std::string(random_.one_of(kParts));
  }

  const JsonShape shape_;
  Random random_;
  WrittenFile out_;
};

/// A record with no byte touched, and its offset in the damaged text.
struct WholeRecord {
  std::uint64_t number = 0;
  std::size_t at = 0;
};

struct DamagedFile {
  std::string text;
  std::vector<WholeRecord> whole;  ///< a doubled record is in here twice
  std::size_t touched = 0;         ///< records with more than a bracket left
  bool in_opening = false;         ///< the damage begins before the first record
  std::string said;                ///< what was done, for messages
};

/// `other`: the file whose bytes overwrite this one's.
inline DamagedFile damage_once(const WrittenFile& file, const WrittenFile& other, Damage kind, Random& random) {
  static constexpr std::string_view kBytes = "{}[]\",:\\\n x0e\x01";
  const std::size_t size = file.text.size();
  const auto place = [&](std::size_t most) {
    return static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(most)));
  };
  std::size_t begin = place(size - 1), length = 1;  // the removed bytes
  std::string middle;
  DamagedFile out;
  const bool block = kind >= Damage::CutOut;
  if (block) length = std::min<std::size_t>(size - begin, 1 + place(random.chance(0.5) ? 60 : 600));
  std::size_t from_other = 0;
  switch (kind) {
    case Damage::Changed:
      middle = std::string(1, random.one_of(kBytes));
      break;
    case Damage::Inserted:
      middle = std::string(1, random.one_of(kBytes)), length = 0;
      break;
    case Damage::Doubled:
      middle = file.text.substr(begin, length), begin += length, length = 0;
      break;
    case Damage::Overwritten:
      from_other = place(other.text.size() - 1);
      middle = other.text.substr(from_other, length);
      middle.resize(length, ' ');
      break;
    case Damage::Zeros:
      middle = std::string(length, '\0');
      break;
    default:
      break;
  }
  out.text = file.text.substr(0, begin) + middle + file.text.substr(begin + length);
  const bool nothing = out.text == file.text;
  for (const WrittenRecord& record : file.records) {
    const bool before = record.end <= begin, behind = record.begin >= begin + length;
    if (nothing || before || behind) {
      out.whole.push_back({record.number, before ? record.begin : record.begin - length + middle.size()});
    } else if (record.begin + 1 < begin || record.end > begin + length + 1) {
      ++out.touched;
    }
  }
  out.in_opening = begin < file.records.front().begin;
  const auto come_in = [&](const WrittenFile& source, std::size_t from) {
    for (const WrittenRecord& record : source.records) {
      if (record.begin < from || record.end > from + middle.size()) continue;
      out.whole.push_back({record.number, begin + record.begin - from});
    }
  };
  if (kind == Damage::Doubled) come_in(file, begin - middle.size());
  if (kind == Damage::Overwritten) come_in(other, from_other);
  out.said = "damage " + std::to_string(static_cast<int>(kind)) + " at " + std::to_string(begin) + ", " +
             std::to_string(length) + " bytes become <" + middle.substr(0, 40) + ">";
  return out;
}

/// Two writers of one file take turns, in blocks that end anywhere.
inline DamagedFile two_writers(const WrittenFile& one, const WrittenFile& two, std::size_t block) {
  DamagedFile out;
  const WrittenFile* files[] = {&one, &two};
  std::size_t at[] = {0, 0};
  for (int turn = 0; at[0] < one.text.size() || at[1] < two.text.size(); turn = 1 - turn) {
    const WrittenFile& file = *files[turn];
    const std::size_t begin = at[turn], end = std::min(file.text.size(), begin + block);
    for (const WrittenRecord& record : file.records) {
      if (record.begin >= begin && record.end <= end)
        out.whole.push_back({record.number, out.text.size() + record.begin - begin});
      if (record.begin < end && record.end > end) ++out.touched;
    }
    out.text += file.text.substr(begin, end - begin);
    at[turn] = end;
  }
  out.said = "two writers, blocks of " + std::to_string(block);
  return out;
}

}  // namespace tv::test
