// Logs of trainers without a reader. Sources: torchtitan/components/metrics.py and its structured logger;
// deepspeed/utils/logging.py; transformers/trainer.py; LLaMA-Factory's callbacks.py; maxtext's metric_logger.py; slime's data.py;
// nemo_rl/algorithms/grpo.py.
#include "core/read/unread/unread_formats.h"

namespace tv {
namespace {

// Must be lower than the score that a reader gives a log whose first step lies beyond the probed text.
constexpr int kOfALog = 45;
constexpr std::string_view kOtherLogs =
    "only training logs of verl, Megatron-LM, NeMo 2 and Paddle are read; open the run's profiler traces";

bool says(const Probe& probe, std::string_view words) { return probe.head.find(words) != std::string_view::npos; }
// A file that is obviously JSON is not a console log, so it need not be searched.
bool is_console(const Probe& probe) { return !probe.head.starts_with("{\"") && !probe.head.starts_with("[{"); }

int probe_titan(const Probe& probe) {
  if (!is_console(probe)) return 0;
  const bool lines = says(probe, "[titan]") || says(probe, "torchtitan");
  return lines && (says(probe, " - root - INFO - ") || says(probe, " - INFO - ") || says(probe, "torchtitan.train"))
             ? kOfALog
             : 0;
}
int probe_titan_structured(const Probe& probe) {
  return probe.head.starts_with('{') && says(probe, "\"log_type_name\"") && says(probe, "\"time_ms\"") ? kOfItsFormat
                                                                                                       : 0;
}
int probe_deepspeed(const Probe& probe) {
  if (!is_console(probe)) return 0;
  const bool lines = says(probe, ":log_dist]") || says(probe, "DeepSpeed info: version=");
  return lines ? kOfALog : 0;
}
int probe_hf_trainer(const Probe& probe) {
  if (!is_console(probe)) return 0;
  const bool lines = says(probe, "{'loss': ") && (says(probe, "'learning_rate': ") || says(probe, "'epoch': "));
  return lines || says(probe, "{'train_runtime': ") ? kOfALog : 0;
}
int probe_hf_state(const Probe& probe) {
  return says(probe, "\"log_history\"") && says(probe, "\"global_step\"") ? kOfItsFormat : 0;
}
int probe_llama_factory(const Probe& probe) {
  return probe.head.starts_with('{') && says(probe, "\"current_steps\"") && says(probe, "\"total_steps\"")
             ? kOfItsFormat
             : 0;
}
int probe_maxtext(const Probe& probe) {
  if (!is_console(probe)) return 0;
  return says(probe, "completed step: ") && says(probe, ", seconds: ") ? kOfALog : 0;
}
int probe_slime(const Probe& probe) {
  if (!is_console(probe)) return 0;
  const bool lines = says(probe, ": {'rollout/") || says(probe, ": {'train/loss'") || says(probe, ": {'perf/");
  return lines ? kOfALog : 0;
}
int probe_nemo_rl(const Probe& probe) {
  if (!is_console(probe)) return 0;
  return says(probe, "Total step time: ") && says(probe, "Training Results:") ? kOfALog : 0;
}

constexpr Reader kLogs[] = {
    unread("torchtitan_log", "a console log of torchtitan", probe_titan, kOtherLogs),
    unread("torchtitan_structured", "a structured log of torchtitan", probe_titan_structured, kOtherLogs),
    unread("deepspeed_log", "a console log of DeepSpeed", probe_deepspeed, kOtherLogs),
    unread("hf_trainer_log", "a console log of Hugging Face's Trainer", probe_hf_trainer, kOtherLogs),
    unread("hf_trainer_state", "the state of Hugging Face's Trainer", probe_hf_state, kOtherLogs),
    unread("llama_factory_log", "a log of LLaMA-Factory", probe_llama_factory, kOtherLogs),
    unread("maxtext_log", "a console log of MaxText", probe_maxtext, kOtherLogs),
    unread("slime_log", "a console log of slime", probe_slime, kOtherLogs),
    unread("nemo_rl_log", "a console log of NeMo-RL", probe_nemo_rl, kOtherLogs),
};

}  // namespace

std::span<const Reader> unread_logs() { return kLogs; }

}  // namespace tv
