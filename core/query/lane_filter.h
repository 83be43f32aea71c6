// The one language for choosing lanes, used by the box above the timeline, screenshot --lanes, export --lanes and scripts.
//
//   rank 3 nccl          all of these in the path, in upper or lower case; a number belongs to the word before it
//   rank 0..3,7 stream   a word with numbers as --rank takes them; "rank 1" is neither rank 10 nor rank 21
//   stream !rank 3       excludes lanes that match what follows the "!": a word, a word with numbers, an expression
//   /GPU [01] .*stream/  a regular expression (name_pattern.h; ignores case) that is found in "rank 0 / GPU 1 / stream 7"
//   rank 1 !/stream 2/   words and expressions can be mixed
//
// If no lane matches the words, a text that has no /expression/, but a slash or a special character of regular expressions, is
// tried as one expression, because export --lanes used to take one. A text that cannot be understood is an error that explains
// the syntax, unless a lane has that name. Cost: O(lanes) paths; an expression takes time linear in their length. (std::regex
// crashes at a name of 100,000 letters and takes forever for "(a*)*b".)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The forms of the language, for --help and for the box.
inline constexpr std::string_view kLaneFilterHelp =
    "  nccl           a word: a role, a GPU, a stream, a kind of lane\n"
    "  rank 3         a word with a number; rank 0..3,7 with one of several\n"
    "  !cpu  !rank 3  excludes lanes that match\n"
    "  /GPU [01].*7/  a regular expression; !/.../ excludes its matches\n"
    "  rank 0..3 nccl !/stream 2/   all of these together";

struct ChosenLanes {
  std::vector<bool> lanes;   ///< by lane; all of them if the text is empty
  bool as_expression = false;  ///< the text was taken as one regular expression although no slashes enclose it
};

/// The lanes that the text chooses, including groups whose own path matches. Fails if the text cannot be understood.
Result<ChosenLanes> chosen_lanes(const Trace& trace, std::string_view text);

/// "rank 0 / python 1375 / thread 1375"
std::string joined_path(const Trace& trace, LaneId lane);

}  // namespace tv
