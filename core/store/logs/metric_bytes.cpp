#include "core/store/logs/metric_bytes.h"

#include <algorithm>

#include "core/store/logs/table_bytes.h"

namespace tv {
namespace {

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, MetricFile>& file) {
  bytes(file.source, file.unit, file.placing);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, MetricStep>& step) {
  bytes(step.step, step.first_step, step.source, step.offset, step.first_value, step.value_count, step.first_part,
        step.part_count, step.begin, step.duration, step.file);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, MetricValue>& value) {
  bytes(value.value, value.name, value.plain);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, MetricPart>& part) {
  bytes(part.name, part.duration);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, StepMark>& mark) {
  bytes(mark.name, mark.offset, mark.steps_before, mark.time, mark.file);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, LogProcess>& process) {
  bytes(process.name, process.pid, process.file);
}

constexpr auto kMetricEntry = [](auto& bytes, auto& entry) { members(bytes, entry); };

bool fits(const MetricLog& log, std::size_t sources) {
  const std::size_t names = log.names.size(), files = log.files.size();
  const auto within = [](std::uint32_t first, std::uint32_t count, std::size_t size) {
    return first <= size && count <= size - first;
  };
  // In a Trace every entry has a time, and all times are small enough for exact arithmetic.
  const auto named = [&](const auto& entry) { return entry.name < names; };
  const auto of_file = [&](const auto& entry) { return entry.file < files; };
  return std::ranges::all_of(log.files, [&](const MetricFile& file) { return file.source < sources; }) &&
         std::ranges::all_of(log.steps,
                             [&](const MetricStep& step) {
                               return step.source < sources && step.duration >= 0 && can_count_with(step.duration) &&
                                      can_count_with(step.begin) && step.first_step <= step.step &&
                                      step.first_step >= 0 &&
                                      within(step.first_value, step.value_count, log.values.size()) &&
                                      within(step.first_part, step.part_count, log.parts.size());
                             }) &&
         std::ranges::all_of(log.steps, of_file) && std::ranges::is_sorted(log.steps, {}, &MetricStep::file) &&
         std::ranges::all_of(
             log.parts, [](const MetricPart& part) { return part.duration >= 0 && can_count_with(part.duration); }) &&
         std::ranges::all_of(log.marks, [](const StepMark& mark) { return can_count_with(mark.time); }) &&
         std::ranges::all_of(log.values, named) && std::ranges::all_of(log.parts, named) &&
         std::ranges::all_of(log.marks, named) && std::ranges::all_of(log.marks, of_file) &&
         std::ranges::all_of(log.processes, named) && std::ranges::all_of(log.processes, of_file);
}

}  // namespace

std::string metric_bytes(const MetricLog& log) {
  ByteWriter bytes;
  put_texts(bytes, log.names);
  put_table(bytes, log.files, kMetricEntry);
  put_table(bytes, log.steps, kMetricEntry);
  put_table(bytes, log.values, kMetricEntry);
  put_table(bytes, log.parts, kMetricEntry);
  put_table(bytes, log.marks, kMetricEntry);
  put_table(bytes, log.processes, kMetricEntry);
  return bytes.bytes();
}

void take_metrics(ByteReader& bytes, std::size_t sources, MetricLog& log) {
  take_texts(bytes, log.names);
  constexpr std::size_t kFile = 20, kStep = 64, kValue = 13, kPart = 12, kMark = 28, kProcess = 16;  // minimum bytes per entry
  take_table(bytes, kFile, log.files, kMetricEntry);
  take_table(bytes, kStep, log.steps, kMetricEntry);
  take_table(bytes, kValue, log.values, kMetricEntry);
  take_table(bytes, kPart, log.parts, kMetricEntry);
  take_table(bytes, kMark, log.marks, kMetricEntry);
  take_table(bytes, kProcess, log.processes, kMetricEntry);
  if (!fits(log, sources)) bytes.fail();
}

}  // namespace tv
