// Reads the calls that workers time and print. A verl log has nothing else before its first step ends:
//
//   (WorkerDict pid=2256262) Time taken for sorting in _req_level_generate_sequences: 0.0002 seconds [repeated 2x across cluster]
//
// A line says how long a call took, but not when, nor which calls lie within it. If a launcher stamped all these lines, each call
// ends at its line's stamp. Otherwise the calls of a process are placed one after the other in the order of their lines: counts,
// lengths and sums are real, positions are not.
// Cost: a search through the text, 40 bytes for each call. Source: verl's console.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/base/time.h"
#include "core/store/draft/arg_tree.h"
#include "core/store/draft/source_draft.h"

namespace tv {

struct TimedCall {
  std::string name;            ///< "sorting in _req_level_generate_sequences", "total of generate"; without colours
  std::string seconds;         ///< as printed
  std::optional<Ns> duration;  ///< none: the text is not a duration
  std::size_t length = 0;      ///< of the record, which ends with the line, a carriage return or the next record
  std::uint32_t repeated = 0;  ///< equal lines of other processes that Ray left out
};

/// The call whose record begins the text; nullopt if no record does.
std::optional<TimedCall> timed_call(std::string_view text);
/// The contents of a call's record.
ArgTree decode_timed_call(std::string_view record, const TimedCall& call);

/// The calls of a file.
class TimedCalls {
 public:
  /// Adds the calls in whole lines, which begin at `offset` in the file. `written`: see stamp_before_message().
  void add(std::string_view lines, std::uint64_t offset, Ns written);
  /// Adds the calls in another part of the file. Parts may come in any order.
  void add(const TimedCalls& part);
  /// Adds the calls to the draft: a lane for each process, in a group with the file's name. Calls that cannot be shown become
  /// problems. Returns, for users, "1,692 timed calls, longest sorting in ... (68.57 s), no step yet". Empty if no calls are
  /// shown.
  std::string hand_over(SourceDraft& draft, std::string_view path);
  /// Whether all calls have a stamp, and at least one of the stamps names no time zone.
  bool local_time() const;
  /// Whether Ray names the process of at least one call. If not, the lines may come from any program.
  bool any_of_process() const;

 private:
  struct Call {
    std::uint64_t offset = 0;
    Ns duration = kNone, end = kNone;
    std::uint32_t repeated = 0;
    StrId name = {}, process = {};
    bool zoned = false;
  };
  static constexpr Ns kNone = kEarliestTime - kLongestLength - 1;  // neither a length nor a time
  bool stamped() const;

  std::vector<Call> calls_;
  StringTable names_, processes_;
};

}  // namespace tv
