#include "core/read/paddle/paddle_device.h"

#include <fmt/format.h>

#include "core/base/text/path_parts.h"
#include "core/read/file_facts.h"

namespace tv {
namespace {

// File names begin with these.
constexpr std::string_view kDygraphRecord = "profile_record_tmp_file_for_rank_";
constexpr std::string_view kProfile = "pipeline_profile";

}  // namespace

PaddleDevice paddle_device(std::string_view path) {
  PaddleDevice device;
  const FileFacts facts = facts_of(path);
  device.name = facts.stem;
  if (is_paddle_record(path) && facts.rank) {
    device.number = facts.rank;
    device.name = fmt::format("GPU {}", *facts.rank);
  }
  std::string_view folder = folder_of(path);
  if (last_part(folder).starts_with("machine")) {
    device.machine = last_part(folder);
    folder = folder_of(folder);
  }
  device.run_key = folder;
  device.run = last_part(folder);
  // A relative path such as ./workerlog.0 lacks the folder's name.
  if (device.run.empty() || device.run == "." || device.run == "..") device.run = "pipeline";
  return device;
}

bool is_paddle_record(std::string_view path) {
  const std::string_view name = last_part(path);
  return name.starts_with(kWorkerLog) || name.starts_with(kDygraphRecord);
}

std::optional<std::string_view> run_of_paddle_profile(std::string_view path) {
  if (!last_part(path).starts_with(kProfile)) return std::nullopt;
  return folder_of(path);
}

}  // namespace tv
