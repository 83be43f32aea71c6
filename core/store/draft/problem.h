// The kinds of problems that an input can have, and the log that counts them. problem_kinds.inc declares each kind with its
// severity and help text. A log keeps the count of each kind and the first examples with their byte offsets, so it is small for
// any file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

enum class Severity : std::uint8_t {
  Info,      ///< odd, but shown as it is
  Warning,   ///< repaired or guessed
  DataLoss,  ///< something in the file is not shown
};

enum class ProblemKind : std::uint8_t {
#define TV_PROBLEM(id, severity, help) id,
#include "core/store/draft/problem_kinds.inc"
#undef TV_PROBLEM
  kCount
};

struct ProblemInfo {
  std::string_view id;  ///< stable name, for --json
  Severity severity;
  std::string_view help;  ///< one sentence for the import report
};

const ProblemInfo& info(ProblemKind kind);
std::string_view name(Severity severity);

struct ProblemExample {
  std::uint64_t byte_offset = 0;  ///< in the file's text, or a place of another kind (is_placed_in_text)
  std::string excerpt;  ///< up to 120 bytes of the file's text, or a note by the reader
};

struct ProblemCount {
  ProblemKind kind;
  std::uint64_t count = 0;
  std::vector<ProblemExample> examples;  ///< the first ones in file order
};

class ProblemLog {
 public:
  static constexpr std::size_t kExamples = 8;

  void add(ProblemKind kind, std::uint64_t byte_offset, std::string_view excerpt);
  /// Adds to the count, without examples.
  void add_count(ProblemKind kind, std::uint64_t count);
  /// For problems that another log reports.
  void subtract_count(ProblemKind kind, std::uint64_t count);
  void forget(ProblemKind kind);
  /// Adds the log of a later part of the same file.
  void merge(const ProblemLog& later);

  std::uint64_t count(ProblemKind kind) const;
  /// How many items of the file are not shown: the sum over the DataLoss kinds.
  std::uint64_t lost() const;
  bool empty() const { return entries_.empty(); }
  /// In the order in which the kinds are declared.
  const std::vector<ProblemCount>& entries() const { return entries_; }

 private:
  ProblemCount& entry(ProblemKind kind);
  std::vector<ProblemCount> entries_;
};

}  // namespace tv
