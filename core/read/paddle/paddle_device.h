// Facts from a file's path: its run, machine and device, and whether it was made from other files.
//
//   RUN/workerlog.3                               device 3 of the only machine
//   RUN/machine1/workerlog.3                      device 3 of machine1
//   RUN/profile_record_tmp_file_for_rank_3        dygraph; the rank stands for the device
//   RUN/pipeline_profile.json, ..._perfetto.json  made by Paddle's tools from the other files
//
// Source: Paddle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tv {

inline constexpr std::string_view kWorkerLog = "workerlog.";

struct PaddleDevice {
  std::string run, run_key;  ///< the folder of the whole run: its name and path
  std::string machine;       ///< empty: the only machine
  std::string name;          ///< "GPU 3"
  std::optional<std::int64_t> number;
};

PaddleDevice paddle_device(std::string_view path);
/// Whether it is a record that a pipeline profile is made from.
bool is_paddle_record(std::string_view path);
/// For a profile made by Paddle's tools: the run_key of the records that it would be made from. Else nothing.
std::optional<std::string_view> run_of_paddle_profile(std::string_view path);

}  // namespace tv
