#include "core/store/logs/pipeline_bytes.h"

#include <algorithm>

#include "core/store/logs/table_bytes.h"

namespace tv {
namespace {

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, PipelineDevice>& device) {
  bytes(device.source, device.folder, device.run, device.machine, device.name, device.number, device.numbered);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, PipelineStep>& step) {
  bytes(step.number, step.begin, step.end, step.offset, step.device, step.attempt, step.first_job, step.job_count);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, PipelineJob>& job) {
  bytes(job.begin, job.end, job.offset, job.micro_batch, job.chunk, job.work);
}

constexpr std::size_t kLeastDevice = 29, kLeastStep = 48, kLeastJob = 33;  // bytes per entry

constexpr auto kPipelineEntry = [](auto& bytes, auto& entry) { members(bytes, entry); };

bool pipeline_consistent(const PipelineLog& log, std::size_t sources) {
  const std::size_t texts = log.texts.size(), devices = log.devices.size(), jobs = log.jobs.size();
  return std::ranges::all_of(log.devices,
                             [&](const PipelineDevice& d) {
                               return d.source < sources && d.folder < texts && d.run < texts && d.machine < texts &&
                                      d.name < texts;
                             }) &&
         std::ranges::all_of(log.steps,
                             [&](const PipelineStep& s) {
                               return s.device < devices && s.first_job <= jobs && s.job_count > 0 &&
                                      s.job_count <= jobs - s.first_job && s.begin <= s.end &&
                                      can_count_with(s.begin) && can_count_with(s.end);
                             }) &&
         std::ranges::all_of(log.jobs, [](const PipelineJob& job) {
           return job.begin <= job.end && can_count_with(job.begin) && can_count_with(job.end) &&
                  job.work < PipelineWork::kCount && job.micro_batch >= 0 && job.chunk >= -1 && job.chunk < kMostChunks;
         });
}

}  // namespace

std::string pipeline_bytes(const PipelineLog& log) {
  ByteWriter bytes;
  put_texts(bytes, log.texts);
  put_table(bytes, log.devices, kPipelineEntry);
  put_table(bytes, log.steps, kPipelineEntry);
  put_table(bytes, log.jobs, kPipelineEntry);
  return bytes.bytes();
}

void take_pipeline(ByteReader& bytes, std::size_t sources, PipelineLog& log) {
  take_texts(bytes, log.texts);
  take_table(bytes, kLeastDevice, log.devices, kPipelineEntry);
  take_table(bytes, kLeastStep, log.steps, kPipelineEntry);
  take_table(bytes, kLeastJob, log.jobs, kPipelineEntry);
  if (!pipeline_consistent(log, sources)) bytes.fail();
}

}  // namespace tv
