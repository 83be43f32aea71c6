#include "core/store/logs/metric_log.h"

#include <algorithm>

namespace tv {

void MetricLog::append(const MetricLog& other, std::uint32_t source, Ns shift) {
  std::vector<std::uint32_t> new_name;  // by id in the other log: the id here
  for (std::size_t n = 0; n < other.names.size(); ++n) {
    new_name.push_back(static_cast<std::uint32_t>(names.intern_from(other.names, id_at<StrId>(n))));
  }
  const auto file_base = static_cast<std::uint32_t>(files.size());
  const auto value_base = static_cast<std::uint32_t>(values.size()), part_base = static_cast<std::uint32_t>(parts.size());
  for (MetricFile file : other.files) {
    file.source += source;
    files.push_back(std::move(file));
  }
  for (MetricStep step : other.steps) {
    step.source += source;
    step.first_value += value_base;
    step.first_part += part_base;
    step.file += file_base;
    if (step.begin != kNoPlace) step.begin += shift;
    steps.push_back(step);
  }
  for (MetricValue value : other.values) {
    value.name = new_name[value.name];
    values.push_back(value);
  }
  for (MetricPart part : other.parts) {
    part.name = new_name[part.name];
    parts.push_back(part);
  }
  for (StepMark mark : other.marks) {
    mark.name = new_name[mark.name];
    mark.file += file_base;
    if (mark.time != kNoPlace) mark.time += shift;
    marks.push_back(mark);
  }
  for (LogProcess process : other.processes) {
    process.name = new_name[process.name];
    process.file += file_base;
    processes.push_back(process);
  }
  local_time |= other.local_time;
}

std::span<const MetricStep> MetricLog::steps_of(std::uint32_t file) const {
  const auto found = std::equal_range(steps.begin(), steps.end(), MetricStep{.file = file},
                                      [](const MetricStep& a, const MetricStep& b) { return a.file < b.file; });
  return {found.first, found.second};
}

std::string_view MetricLog::placing_of(std::size_t source) const {
  const auto file = std::ranges::find(files, source, &MetricFile::source);
  return file == files.end() ? std::string_view() : std::string_view(file->placing);
}

std::size_t MetricLog::bytes() const {
  return names.bytes() + files.capacity() * sizeof(MetricFile) + steps.capacity() * sizeof(MetricStep) +
         values.capacity() * sizeof(MetricValue) + parts.capacity() * sizeof(MetricPart) +
         marks.capacity() * sizeof(StepMark) + processes.capacity() * sizeof(LogProcess);
}

}  // namespace tv
