#include "core/store/pipeline_bytes.h"

#include <algorithm>

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

constexpr std::size_t kLeastDevice = 29, kLeastStep = 48, kLeastJob = 33;  // bytes an entry takes

template <class Table>
void put_entries(ByteWriter& bytes, const Table& table) {
  bytes(std::uint64_t{table.size()});
  for (const auto& entry : table) members(bytes, entry);
}

template <class Table>
void take_entries(ByteReader& bytes, std::size_t least, Table& table) {
  table.resize(bytes.count(least));
  for (auto& entry : table) members(bytes, entry);
}

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
                                      s.job_count <= jobs - s.first_job && s.begin <= s.end;
                             }) &&
         std::ranges::all_of(log.jobs, [](const PipelineJob& job) {
           return job.begin <= job.end && job.work < PipelineWork::kCount && job.micro_batch >= 0 && job.chunk >= -1 &&
                  job.chunk < kMostChunks;
         });
}

}  // namespace

std::string pipeline_bytes(const PipelineLog& log) {
  ByteWriter bytes;
  bytes(std::uint64_t{log.texts.size()});
  for (std::size_t t = 0; t < log.texts.size(); ++t) bytes(std::string(log.texts[id_at<StrId>(t)]));
  put_entries(bytes, log.devices);
  put_entries(bytes, log.steps);
  put_entries(bytes, log.jobs);
  return bytes.bytes();
}

void take_pipeline(ByteReader& bytes, std::size_t sources, PipelineLog& log) {
  std::string text;
  const std::size_t texts = bytes.count(8);
  for (std::size_t t = 0; t < texts && bytes.ok(); ++t) {
    bytes(text);
    if (idx(log.texts.intern(text)) != t) bytes.fail();
  }
  take_entries(bytes, kLeastDevice, log.devices);
  take_entries(bytes, kLeastStep, log.steps);
  take_entries(bytes, kLeastJob, log.jobs);
  if (!pipeline_consistent(log, sources)) bytes.fail();
}

}  // namespace tv
