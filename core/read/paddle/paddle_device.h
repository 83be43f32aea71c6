// Finds what the path of a Paddle file states: run, machine and device, and whether the file was made from others.
//
//   RUN/workerlog.3                               device 3 of the only machine
//   RUN/machine1/workerlog.3                      device 3 of machine1
//   RUN/profile_record_tmp_file_for_rank_3        of dygraph mode; the rank stands for the device
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
  std::string run, run_key;  ///< name and path of the folder of the whole run
  std::string machine;       ///< empty: the only machine
  std::string name;          ///< of the device: "GPU 3"; for other files, the stem
  std::optional<std::int64_t> number;
};

PaddleDevice paddle_device(std::string_view path);
/// Whether the file is a record, from which a pipeline profile can be made.
bool is_paddle_record(std::string_view path);
/// For a profile made by Paddle's tools: the run_key of the records from which it was made. Else nothing.
std::optional<std::string_view> run_of_paddle_profile(std::string_view path);

}  // namespace tv
