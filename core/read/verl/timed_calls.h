// Calls that workers time and print. They are all that a log of verl has before its first step ends:
//
//   (WorkerDict pid=2256262) Time taken for sorting in _req_level_generate_sequences: 0.0002 seconds [repeated 2x across cluster]
//
// A line says how long a call took, not when, nor which calls lie within it. Where a launcher's stamp says when each line was
// written, a call ends there. Else the calls of a process are laid one after the other in the order of their lines: counts,
// lengths and sums are the log's, places are not.
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
  std::optional<Ns> duration;  ///< none: that is no length of time
  std::size_t length = 0;      ///< of the record, which ends with its line or a carriage return
  std::uint32_t repeated = 0;  ///< lines of other processes that Ray left out because they are alike
};

/// The call whose record the text begins with. Nullopt: it is something else.
std::optional<TimedCall> timed_call(std::string_view text);
/// What a record says.
ArgTree decode_timed_call(std::string_view record, const TimedCall& call);

/// The calls of a file.
class TimedCalls {
 public:
  /// Adds those of whole lines, which stand in the file from `offset` on. `written`: see stamp_before_message().
  void add(std::string_view lines, std::uint64_t offset, Ns written);
  /// Takes those of another part of the file. Parts may come in any order.
  void add(const TimedCalls& part);
  /// Gives them to the draft, a lane for each process, in a group with the file's name. Those that cannot be shown are problems.
  /// Returns, for people, "1,692 timed calls, longest sorting in ... (68.57 s), no step yet". Empty: there are none.
  std::string hand_over(SourceDraft& draft, std::string_view path);
  /// Whether all have a stamp, and one of them names no zone.
  bool local_time() const;
  /// Whether Ray names a process for one of them: text of any program can have such words.
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
