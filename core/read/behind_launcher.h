// Removes what launchers put before a line of a log, so that only the program's own output is left:
//
//   "0: ", "[default7]:", "[1,0]<stdout>:", "(TaskRunner pid=123, ip=10.0.0.1) ", "trainer-1  | ", "[pod/x/trainer] ",
//   "2026-07-27T10:00:02.123456789Z ", "2026-07-27T10:00:02+0200 node7 run.sh[12]: ", or several of these, perhaps in colours
//
// stamp_before_message() (log_stamp.h) finds a line's timestamp without knowing the launchers. Cost: O(prefix).
#pragma once

#include <string_view>

namespace tv {

std::string_view behind_launcher(std::string_view line);

}  // namespace tv
