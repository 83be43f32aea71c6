#include "core/read/format_examples.h"

namespace tv {

std::span<const FormatExample> format_examples() {
  static constexpr FormatExample kExamples[] = {
      {"chrome_json", "PyTorch profiler, Chrome, JAX, Ray", "profile/rank_0.pt.trace.json.gz\nprofile/rank_1.pt.trace.json.gz"},
      {"nsys_report", "Nsight Systems", "train.nsys-rep"},
      {"nsys_sqlite", "Nsight Systems, exported", "train.sqlite"},
      {"perfetto", "Perfetto", "trace.perfetto-trace"},
      {"verl_rollout", "verl rollouts", "rollout/step_67/worker_0.jsonl\nrollout/step_67/worker_1.jsonl"},
      {"verl_console", "verl console log", "train.log"},
      {"verl_file_logger", "verl file logger", "metrics.jsonl"},
      {"megatron_log", "Megatron-LM console log", "pretrain.log"},
      {"paddle_log", "Paddle pipelines", "log/workerlog.0\nlog/workerlog.1"},
  };
  return kExamples;
}

std::string_view wrapped_examples() {
  return "All but Nsight Systems' files also as .gz, .zst, or in a .zip or .tar; packed traces (.tvx) and saved views";
}

std::string_view folder_example() {
  return "exp_1000/\n  console.log\n  rollout/step_1/worker_0.jsonl ...\n  profile/rank-0.pt.trace.json.gz ...";
}

}  // namespace tv
