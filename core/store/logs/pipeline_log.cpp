#include "core/store/logs/pipeline_log.h"

#include <array>

namespace tv {
namespace {

constexpr std::array<std::string_view, kPipelineWorks> kWorkNames = {
    "forward", "backward", "backward_b", "backward_w", "optimizer", "lr", "communication", "other"};

}  // namespace

std::string_view name(PipelineWork work) { return kWorkNames[static_cast<std::size_t>(work)]; }

void PipelineLog::append(const PipelineLog& other, std::uint32_t source, Ns shift) {
  std::vector<std::uint32_t> text_of;
  for (std::size_t t = 0; t < other.texts.size(); ++t) {
    text_of.push_back(static_cast<std::uint32_t>(texts.intern_from(other.texts, id_at<StrId>(t))));
  }
  const auto device_base = static_cast<std::uint32_t>(devices.size()),
             job_base = static_cast<std::uint32_t>(jobs.size());
  for (PipelineDevice device : other.devices) {
    device.folder = text_of[device.folder];
    device.run = text_of[device.run];
    device.machine = text_of[device.machine];
    device.name = text_of[device.name];
    device.source += source;
    devices.push_back(device);
  }
  for (PipelineStep step : other.steps) {
    step.begin += shift;
    step.end += shift;
    step.device += device_base;
    step.first_job += job_base;
    steps.push_back(step);
  }
  for (PipelineJob job : other.jobs) {
    job.begin += shift;
    job.end += shift;
    jobs.push_back(job);
  }
}

std::size_t PipelineLog::bytes() const {
  return texts.bytes() + devices.capacity() * sizeof(PipelineDevice) + steps.capacity() * sizeof(PipelineStep) +
         jobs.capacity() * sizeof(PipelineJob);
}

}  // namespace tv
