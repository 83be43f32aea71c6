#include "core/store/rules/work_rules.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/text/ascii.h"
#include "core/base/text/wildcard.h"

namespace tv {
namespace {

using enum CommunicationKind;

// Kernels that communicate. The source of each line says where such names are defined or were seen. Verified for this table: NCCL,
// HCCL with msprof and kineto, DeepEP, MORI, moeA2A, NVSHMEM, userbuffers, and the all-reduces of vLLM, AITER and PyTorch; other
// lines rest on general knowledge of a library. If a library names its kernels after what they do (all_reduce), the last lines
// match kernels that are not listed.
constexpr CommunicationRule kCommunication[] = {
    // Local kernels whose names look like communication.
    {"at::native::*", "ATen", Local,
     "pytorch aten/src/ATen/native: no collective is among them (reduce_kernel, scatter)"},
    {"triton_*_fused*", "Inductor", Local,
     "torch/_inductor/codegen/triton.py: kernels are called after the operators they came from, wait_tensor and "
     "all_reduce among them, but do no communication"},
    {"*warpallreduce*", "within a device", Local, "oneflow/core/cuda/softmax.cuh: WarpAllReduce"},
    {"*warp_all_reduce*", "within a device", Local, "the same, as others write it"},
    {"*blockallreduce*", "within a device", Local, "oneflow/core/cuda/softmax.cuh: BlockAllReduce"},
    {"*block_all_reduce*", "within a device", Local, "the same, as others write it"},
    {"*layout::get_dispatch_layout*", "DeepEP", Local,
     "DeepEP csrc/kernels/layout.cu: counts tokens on its own device"},
    {"*get_dispatch_layout*", "DeepEP", Local, "the same, as C names it"},
    // Ascend's fused operators compute and communicate. Their communication is recorded as a separate slice with its own name.
    {"*aicpukernel", "HCCL", Transfer,
     "msprof overlap_analysis_assembler.cpp: AICPU_KERNEL is not computing (hcom operators run by the AI CPU)"},
    {"*aivkernel", "HCCL", Transfer, "msprof overlap_analysis_assembler.cpp: AIV_KERNEL is not computing"},
    {"*allreduce*aicpu", "HCCL", Transfer,
     "msprof profile_data_file_references: MC2 operators, their twin ends in Aicpu"},
    {"*allgather*aicpu", "HCCL", Transfer, "the same"},
    {"*reducescatter*aicpu", "HCCL", Transfer, "the same"},
    {"*alltoall*aicpu", "HCCL", Transfer, "the same"},
    // Fused with a computation.
    {"*gemm*all*reduce*", "fused with a GEMM", Fused, "TensorRT-LLM gemm_allreduce"},
    {"*gemm*reduce*scatter*", "fused with a GEMM", Fused,
     "bytedance/flux gemm_rs; Triton-distributed gemm_reduce_scatter"},
    {"*gemm*all*to*all*", "fused with a GEMM", Fused, "Triton-distributed"},
    {"*all*gather*gemm*", "fused with a GEMM", Fused, "bytedance/flux ag_gemm; Triton-distributed allgather_gemm"},
    {"*matmul*all*reduce*", "fused with a GEMM", Fused, "CANN aclnnMatmulAllReduce"},
    {"*matmul*reduce*scatter*", "fused with a GEMM", Fused, "CANN aclnnMatmulReduceScatter"},
    {"*matmul*all*to*all*", "fused with a GEMM", Fused, "CANN aclnnMatmulAlltoAll"},
    {"*all*gather*matmul*", "fused with a GEMM", Fused, "CANN aclnnAllGatherMatmul; pytorch _symmetric_memory"},
    {"*all*to*all*matmul*", "fused with a GEMM", Fused, "CANN aclnnAlltoAllMatmul"},
    {"*dispatchffncombine*", "fused with a GEMM", Fused, "vllm-ascend DispatchFFNCombine"},
    {"*mega_moe*", "fused with a GEMM", Fused, "DeepGEMM mega_moe: dispatch, two GEMMs and combine in one kernel"},
    // Libraries.
    {"*nccl*sendrecv*", "NCCL", PointToPoint, "nccl src/device/generate.py: ncclDevKernel_SendRecv"},
    {"*nccl*", "NCCL", Collective,
     "nccl src/device/generate.py: ncclKernel_ (to 2.18), ncclDevKernel_, ncclSymDevKernel_ (2.27); RCCL has the same"},
    {"*rccl*", "RCCL", Collective, "ROCm/rccl; TraceLens: rccl"},
    {"*msccl*", "MSCCL", Collective,
     "microsoft/msccl, rccl mscclKernel_, microsoft/mscclpp, sglang mscclpp_allreduce.cuh"},
    {"*hcom*send*", "HCCL", PointToPoint, "mstt prof_common/constant.py: HCOM_SEND"},
    {"*hcom*receive*", "HCCL", PointToPoint, "mstt prof_common/constant.py: HCOM_RECEIVE"},
    {"hcom*", "HCCL", Collective, "msprof profile_data_file_references_db: hcom_allReduce__428_0_1"},
    {"*hccl*", "HCCL", Collective,
     "CANN HCCL; kineto output_json.cpp: mtia_ccp_events with hccl:: are collectives of MTIA"},
    {"*oneccl*", "oneCCL", Collective, "oneapi-src/oneCCL src/coll/algorithms"},
    {"*::ccl::*", "oneCCL", Collective, "oneapi-src/oneCCL: namespace ccl"},
    {"*xccl*", "XCCL", Collective, "pytorch ProcessGroupXCCL (XPU)"},
    {"*cncl*", "CNCL", Collective, "Cambricon CNCL"},
    {"*bkcl*", "BKCL", Collective, "Baidu Kunlun BKCL (PaddlePaddle ProcessGroupBKCL)"},
    {"*mccl*", "MCCL", Collective, "Moore Threads and MetaX MCCL"},
    {"*eccl*", "ECCL", Collective, "Enflame ECCL"},
    // Experts: tokens are sent to them and back.
    {"*epdispatch*", "MORI", Transfer, "ROCm/mori src/ops/dispatch_combine: EpDispatchInterNodeKernel"},
    {"*epcombine*", "MORI", Transfer, "the same: EpCombineIntraNodeKernel"},
    {"*deep_ep*", "DeepEP", Transfer, "deepseek-ai/DeepEP csrc/kernels: internode, intranode, internode_ll"},
    {"*hybrid_ep*", "DeepEP", Transfer, "deepseek-ai/DeepEP branch hybrid-ep"},
    {"*internode*", "DeepEP", Transfer, "forks of DeepEP: dpsk::ep::internode, uccl, primus_turbo"},
    {"*intranode*", "DeepEP", Transfer, "the same"},
    {"*pplx*", "pplx", Transfer, "perplexityai/pplx-kernels csrc/all_to_all"},
    {"*moea2a*", "MoE all-to-all", Transfer, "TensorRT-LLM moeAlltoAllKernels.cu: moeA2ADispatchKernel; FlashInfer"},
    {"*moe_comm*", "MoE all-to-all", Transfer, "TensorRT-LLM fusedMoeCommKernels.cu"},
    {"*moedistribute*", "MoE all-to-all", Transfer, "CANN aclnnMoeDistributeDispatch, aclnnMoeDistributeCombine"},
    // One-sided access to memory of other devices.
    {"*nvshmem*", "NVSHMEM", Transfer,
     "NVSHMEM 3 device library: nvshmemi_transfer_rma_*, barrier and collective kernels"},
    {"*rocshmem*", "rocSHMEM", Transfer, "ROCm/rocSHMEM"},
    {"ishmem*", "Intel SHMEM", Transfer, "oneapi-src/ishmem"},
    {"*userbuffers*", "userbuffers", Transfer,
     "TransformerEngine comm_gemm_overlap/userbuffers.cu: kuserbuffers_pushsend, userbuffers_fp16_sum_inplace_gpu"},
    {"*put_signal_kernel*", "symmetric memory", Transfer, "pytorch CUDASymmetricMemory.cu"},
    {"*wait_signal_kernel*", "symmetric memory", Transfer, "pytorch CUDASymmetricMemory.cu"},
    {"barrier_kernel", "symmetric memory", Collective, "pytorch CUDASymmetricMemory.cu"},
    {"*::barrier_kernel", "symmetric memory", Collective, "the same"},
    {"*multimem*", "symmetric memory", Collective, "pytorch CUDASymmetricMemoryOps.cu: multimem_all_reduce_kernel"},
    {"*symm_mem*", "symmetric memory", Collective, "pytorch torch/csrc/distributed/c10d/symm_mem"},
    // All-reduce of inference engines.
    {"*cross_device_*", "custom all-reduce", Collective,
     "vllm csrc/custom_all_reduce.cuh, sglang, aiter: cross_device_reduce_1stage, reduce_scatter_cross_device_store; "
     "TraceLens: cross_device_reduce"},
    {"*quickreduce*", "custom all-reduce", Collective, "vllm csrc/quickreduce: allreduce_prototype_twoshot"},
    {"*lamport*", "custom all-reduce", Collective,
     "TensorRT-LLM and FlashInfer allreduce_fusion, mnnvl: kernels spin on buffers that other ranks fill"},
    {"*one*shot*all*reduce*", "one-shot all-reduce", Collective, "pytorch CUDASymmetricMemoryOps.cu; TensorRT-LLM"},
    {"*two*shot*all*reduce*", "two-shot all-reduce", Collective, "pytorch CUDASymmetricMemoryOps.cu; TensorRT-LLM"},
    {"*all*reduce*one*shot*", "one-shot all-reduce", Collective, "trtllm_allreduce_fusion_kernel_oneshot_lamport"},
    {"*all*reduce*two*shot*", "two-shot all-reduce", Collective, "trtllm_allreduce_fusion_kernel_twoshot_sync"},
    // Generic names of collectives, for any other library.
    {"*allreduce*", "all-reduce", Collective, "MPI's names of collectives; e.g. oneCCL, Triton-distributed"},
    {"*all_reduce*", "all-reduce", Collective, "the same"},
    {"*allgather*", "all-gather", Collective, "the same"},
    {"*all_gather*", "all-gather", Collective, "the same"},
    {"*reducescatter*", "reduce-scatter", Collective, "the same"},
    {"*reduce_scatter*", "reduce-scatter", Collective, "the same"},
    {"*alltoall*", "all-to-all", Collective, "the same"},
    {"*all_to_all*", "all-to-all", Collective, "the same"},
    {"*all2all*", "all-to-all", Collective, "the same"},
    {"*sendrecv*", "send and receive", PointToPoint, "the same"},
    {"*send_recv*", "send and receive", PointToPoint, "the same"},
    // XLA's operators, for traces that have them instead of kernels (TPU).
    {"all-reduce*", "XLA", Collective, "openxla/xla hlo_opcode.h: all-reduce, all-reduce-start, all-reduce-done"},
    {"all-gather*", "XLA", Collective, "the same"},
    {"reduce-scatter*", "XLA", Collective, "the same"},
    {"all-to-all*", "XLA", Collective, "the same"},
    {"ragged-all-to-all*", "XLA", Collective, "the same"},
    {"collective-broadcast*", "XLA", Collective, "the same"},
    {"collective-permute*", "XLA", PointToPoint, "the same"},
    {"send", "XLA", PointToPoint, "the same"},
    {"send.*", "XLA", PointToPoint, "the same"},
    {"send-done*", "XLA", PointToPoint, "the same"},
    {"recv", "XLA", PointToPoint, "the same"},
    {"recv.*", "XLA", PointToPoint, "the same"},
    {"recv-done*", "XLA", PointToPoint, "the same"},
};

// The letter pairs of a text, as bits. A name that lacks a pair of the pattern does not match, which rules out nearly all kernel
// names.
constexpr std::uint64_t pairs_of(std::string_view text) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i - 1] == '*' || text[i] == '*') continue;
    const auto a = static_cast<unsigned char>(text[i - 1]), b = static_cast<unsigned char>(text[i]);
    pairs |= std::uint64_t{1} << ((a * 7u + b * 13u) % 64u);
  }
  return pairs;
}

constexpr auto kPairs = [] {
  std::array<std::uint64_t, std::size(kCommunication)> pairs{};
  for (std::size_t r = 0; r < pairs.size(); ++r) pairs[r] = pairs_of(kCommunication[r].pattern);
  return pairs;
}();

struct CpuRule {
  std::string_view begin, library;
};
// Names on CPU threads. Source: pytorch torch/csrc/distributed/c10d: RECORD_PARAM_COMMS, ProcessGroup*.cpp profiling
// titles ("gloo:all_reduce"), ops "c10d::allreduce_"; oneCCL and XPU "xccl:"; torch_npu "hccl:", "Hccl".
constexpr CpuRule kCpuCommunication[] = {
    {"nccl", "NCCL"},  {"c10d::", "c10d"}, {"record_param_comms", "c10d"},
    {"gloo:", "gloo"}, {"mpi:", "MPI"},    {"ucc:", "UCC"},
    {"xccl:", "XCCL"}, {"ccl:", "oneCCL"}, {"oneccl", "oneCCL"},
    {"hccl", "HCCL"},  {"hcom", "HCCL"},   {"symm_mem::", "symmetric memory"},
};

struct CategoryRule {
  std::string_view pattern;
  CategoryKind kind;
};
// Source: kineto libkineto/src/ActivityType.cpp, also of 2021 (Kernel, Memcpy, Operator) and of its forks (mlu_, gcu_); HTA utils:
// KERNEL_CATEGORY_PATTERN, DEVICE_RUNTIME_CATEGORY_PATTERN; core/read/nsys/nsys_table.cpp; rocprofiler-sdk
// source/lib/output/generatePerfetto.cpp; Intel pti-gpu tools/unitrace chromelogger.h. Case-sensitive.
constexpr CategoryRule kCategories[] = {
    {"kernel", CategoryKind::Kernels},
    {"Kernel", CategoryKind::Kernels},
    {"kernel_dispatch", CategoryKind::Kernels},  // rocprofv3
    {"memory_copy", CategoryKind::Memory},
    {"marker_api", CategoryKind::Ranges},  // roctx
    {"hip_api", CategoryKind::Api},
    {"hip_*_api", CategoryKind::Api},
    {"hsa_api", CategoryKind::Api},
    {"hsa_*_api", CategoryKind::Api},
    {"gpu_op", CategoryKind::Tasks},  // unitrace
    {"*_memcpy", CategoryKind::Memory},
    {"*_memset", CategoryKind::Memory},
    {"Memcpy", CategoryKind::Memory},
    {"Memset", CategoryKind::Memory},
    {"cuda_graph", CategoryKind::Graphs},      // nsys with --cuda-graph-trace=graph, its default: nodes have no rows
    {"mtia_ccp_events", CategoryKind::Tasks},  // MTIA: work of its command processor on the device
    {"*_runtime", CategoryKind::Api},          // cuda_, hip_, mtia_, xpu_, privateuse1_
    {"*_driver", CategoryKind::Api},
    {"Runtime", CategoryKind::Api},
    {"nvtx", CategoryKind::Ranges},
    {"user_annotation", CategoryKind::Ranges},
    {"*_user_annotation", CategoryKind::Projected},
    {"cuda_sync", CategoryKind::NoWork},
    {"*_event", CategoryKind::NoWork},  // cuda_event, hip_event: records
    {"hpu_op", CategoryKind::NoWork},   // on the host, libkineto ActivityType.h
    {"overhead", CategoryKind::NoWork},
    {"cpu_op", CategoryKind::Host},
    {"Operator", CategoryKind::Host},  // kineto of 2021
    {"python_function", CategoryKind::Host},
    {"cpu_instant_event", CategoryKind::Host},
    {"osrt", CategoryKind::Host},  // and other CPU thread categories of nsys
    {"sched", CategoryKind::Host},
    {"cudnn", CategoryKind::Host},
    {"cublas", CategoryKind::Host},
    {"mpi", CategoryKind::Host},
    {"ucx", CategoryKind::Host},
    {"openmp", CategoryKind::Host},
    {"openacc", CategoryKind::Host},
    {"cuda_graph_event", CategoryKind::Host},
    {"cpu_sample", CategoryKind::Host},
    {"diagnostic", CategoryKind::Host},
};

struct TaskRule {
  std::string_view pattern;
  DeviceWork work;
};
// Names of device tasks that are not computing. Source: HTA utils (MTIA: dma is memory); msprof task types, which name tasks
// without an operator (ascend_hardware_assembler.cpp: GetOpName).
constexpr TaskRule kTasks[] = {
    {"*memcpy*", DeviceWork::Memory},  // MEMCPY_ASYNC
    {"*memset*", DeviceWork::Memory},
    {"copy*to*", DeviceWork::Memory},  // CopyHostToDevice of rocprof and RPD
    {"fillbuffer", DeviceWork::Memory},
    {"marker", DeviceWork::None},
    {"barrier", DeviceWork::None},
    // XLA's operators: asynchronous copies, and operators that contain others with slices of their own.
    {"copy-start*", DeviceWork::Memory},
    {"copy-done*", DeviceWork::Memory},
    {"*slice-start*", DeviceWork::Memory},
    {"*slice-done*", DeviceWork::Memory},
    {"while", DeviceWork::None},
    {"while.*", DeviceWork::None},
    {"conditional", DeviceWork::None},
    {"conditional.*", DeviceWork::None},
    {"call", DeviceWork::None},
    {"call.*", DeviceWork::None},
    {"event_*", DeviceWork::None},   // EVENT_WAIT, EVENT_RECORD_SQE; MTIA event_wait
    {"notify_*", DeviceWork::None},  // HCCL's planes have such tasks, too
    {"notify wait*", DeviceWork::None},
    {"*_event", DeviceWork::None},  // STREAM_WAIT_EVENT
    {"capture_*", DeviceWork::None},
    {"place_holder*", DeviceWork::None},
    {"write_value*", DeviceWork::None},
    {"profiling_*", DeviceWork::None},
    {"profiler_*", DeviceWork::None},
    {"model_*", DeviceWork::None},  // MODEL_EXECUTE, MODEL_MAINTAINCE: tasks of a model have their own slices
    {"label_*", DeviceWork::None},
    {"mstx*", DeviceWork::None},  // marks of the program
    {"*sync*", DeviceWork::None},
    {"dma*", DeviceWork::Memory},      // MTIA dma_request
    {"*dma_sqe", DeviceWork::Memory},  // PCIE_DMA_SQE, SDMA_SQE
    {"sdma*", DeviceWork::Memory},
    {"rdmasend*", DeviceWork::Communication},
    {"reduce_inline", DeviceWork::Communication},  // HCCL's planes: a copy with addition
};

// Vendors' words for a device. Source: kineto's process_labels ("GPU 0", "XPU 0", "MTIA 17"), msprof ("NPU", "NPU 3").
constexpr std::string_view kDeviceWords[] = {"GPU", "XPU", "NPU",  "MTIA", "HPU",  "MLU", "GCU",
                                             "TPU", "DCU", "MUSA", "MACA", "IPU", "PPU", "SDAA"};

struct LaneRule {
  std::string_view pattern;
  DeviceLane lane;
};
// Threads of a device's process, by thread_name in lower case. Source: tsl/profiler/utils/xplane_schema.cc, lines derived from
// others (TensorFlow and JAX): kXlaOpLineName and its neighbours.
constexpr LaneRule kDeviceLanes[] = {
    {"stream*", DeviceLane::Stream},          {"xla ops", DeviceLane::Operators},  {"async xla ops", DeviceLane::Operators},
    {"*steps", DeviceLane::Repeats},          {"*modules", DeviceLane::Repeats},   {"*name scope*", DeviceLane::Repeats},
    {"framework ops", DeviceLane::Repeats},   {"tensorflow ops", DeviceLane::Repeats},
    {"xla traceme", DeviceLane::Repeats},     {"source*", DeviceLane::Repeats},    {"launch stats*", DeviceLane::Repeats},
};

struct ProcessRule {
  std::string_view name;
  ProcessKind kind;
};
// Processes of msprof's and torch_npu's trace_view.json, by process_name: one device has several of them. Source: msprof
// analysis/csrc/application/timeline: ascend_hardware_assembler.cpp, hccl_assembler.cpp ("HCCL" until CANN 7, "Communication"
// since), overlap_analysis_assembler.cpp.
constexpr ProcessRule kAscendProcesses[] = {
    {"Ascend Hardware", ProcessKind::Part},
    {"Communication", ProcessKind::Part},
    {"HCCL", ProcessKind::Part},
    {"Overlap Analysis", ProcessKind::Derived},
};

// msprof's process ids: the process, 5 bits for the layer, 5 bits for the device, 31 for the host (json_assembler.cpp:
// GetFormatPid). Returns "NPU" without a number for the host and for other ids.
std::string ascend_device(std::string_view labels, std::string_view pid) {
  if (device_word(labels) == "NPU" && labels.size() > 3) return std::string(labels);
  const auto number = whole_number(pid);
  constexpr std::int64_t kDevices = 32, kIdsPerProcess = 1024;
  if (!number || *number < kIdsPerProcess || *number % kDevices == kDevices - 1) return "NPU";
  return "NPU " + std::to_string(*number % kDevices);
}

}  // namespace

bool fits_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos) return text.find(pattern) != std::string_view::npos;
  return matches_wildcard(pattern, text);
}

std::string own_kernel_name(std::string_view name) {
  constexpr std::string_view kVoid = "void ", kAnonymous = "(anonymous namespace)";
  if (name.starts_with(kVoid)) name.remove_prefix(kVoid.size());
  std::string bare;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') ++depth;
    if (depth == 0) {
      if (c == '(') {
        if (!name.substr(i).starts_with(kAnonymous)) break;
        i += kAnonymous.size() - 1;
        continue;
      }
      bare.push_back(to_lower(c));
    }
    if (c == '>' && depth > 0) --depth;
  }
  return bare;
}

std::span<const CommunicationRule> communication_rules() { return kCommunication; }

const CommunicationRule* communication_rule(std::string_view kernel) {
  const std::string bare = own_kernel_name(kernel);
  const std::uint64_t pairs = pairs_of(bare);
  for (std::size_t r = 0; r < kPairs.size(); ++r) {
    if ((kPairs[r] & ~pairs) == 0 && matches_wildcard(kCommunication[r].pattern, bare)) return &kCommunication[r];
  }
  return nullptr;
}

std::string_view cpu_communication(std::string_view category, std::string_view name) {
  const auto begins = [name](const CpuRule& rule) {
    return name.size() >= rule.begin.size() &&
           std::ranges::equal(name.substr(0, rule.begin.size()), rule.begin, {}, to_lower);
  };
  const auto* rule = std::ranges::find_if(kCpuCommunication, begins);
  if (rule != std::end(kCpuCommunication)) return rule->library;
  if (category == "collective_comm") return "c10d";
  return category.find("nccl") != std::string_view::npos ? "NCCL" : std::string_view();
}

CommunicationRules::CommunicationRules(std::string_view user_patterns) {
  while (!user_patterns.empty()) {
    const std::size_t end = std::min(user_patterns.find_first_of("|,"), user_patterns.size());
    std::string_view pattern = user_patterns.substr(0, end);
    user_patterns.remove_prefix(std::min(end + 1, user_patterns.size()));
    while (pattern.starts_with(' ')) pattern.remove_prefix(1);
    pattern = without_trailing_blanks(pattern);
    const bool excludes = pattern.starts_with('-');
    if (excludes) pattern.remove_prefix(1);
    if (!pattern.empty()) user_patterns_.push_back({lower_case(pattern), excludes});
  }
}

std::optional<CommunicationRules::Fit> CommunicationRules::communication(std::string_view kernel) const {
  if (!user_patterns_.empty()) {
    const std::string whole = lower_case(kernel);
    const UserPattern* added = nullptr;
    for (const UserPattern& user : user_patterns_) {
      if (!fits_pattern(whole, user.pattern)) continue;
      if (user.excludes) return std::nullopt;
      if (!added) added = &user;
    }
    if (added) return Fit{added->pattern, "own pattern", CommunicationKind::Collective};
  }
  const CommunicationRule* const rule = communication_rule(kernel);
  if (!rule || !rule->communicates()) return std::nullopt;
  return Fit{std::string(rule->pattern), std::string(rule->family), rule->kind};
}

CategoryKind category_kind(std::string_view category) {
  const auto* rule = std::ranges::find_if(
      kCategories, [category](const CategoryRule& r) { return matches_wildcard(r.pattern, category); });
  return rule == std::end(kCategories) ? CategoryKind::Other : rule->kind;
}

bool is_device_category(std::string_view category) {
  const CategoryKind kind = category_kind(category);
  return kind == CategoryKind::Kernels || kind == CategoryKind::Memory || kind == CategoryKind::Graphs ||
         kind == CategoryKind::Tasks;
}

DeviceWork device_work(std::string_view category, std::string_view name, const CommunicationRules& rules,
                       bool on_device) {
  CategoryKind kind = category_kind(category);
  if (kind == CategoryKind::Other && on_device) kind = CategoryKind::Tasks;
  if (kind == CategoryKind::Memory) return DeviceWork::Memory;
  if (kind == CategoryKind::Graphs) return DeviceWork::Graph;
  if (kind != CategoryKind::Kernels && kind != CategoryKind::Tasks) return DeviceWork::None;
  if (rules.communication(name)) return DeviceWork::Communication;
  if (kind == CategoryKind::Kernels) return DeviceWork::Compute;
  const std::string task = lower_case(name);
  const auto* rule =
      std::ranges::find_if(kTasks, [&task](const TaskRule& r) { return matches_wildcard(r.pattern, task); });
  return rule == std::end(kTasks) ? DeviceWork::Compute : rule->work;
}

NamedDevice named_device(std::string_view name) {
  constexpr std::string_view kDevice = "/device:", kAgent = "agent ";
  std::string_view rest = name;
  if (const std::size_t at = name.rfind(kDevice); at != std::string_view::npos) {
    rest.remove_prefix(at + kDevice.size());
  } else if (const std::size_t blank = name.find(' '); blank < name.size() && whole_number(name.substr(0, blank))) {
    rest.remove_prefix(blank + 1);  // rocprof numbers its processes: "6 GPU0"
  }
  const auto* const word = std::ranges::find_if(kDeviceWords, [rest](std::string_view w) { return rest.starts_with(w); });
  if (word == std::end(kDeviceWords)) return {};
  rest.remove_prefix(word->size());
  if (rest.empty()) return {*word, {}};
  const bool apart = rest.front() == ' ';
  if (apart || rest.front() == ':' || rest.front() == '#') rest.remove_prefix(1);
  const bool agent = rest.starts_with(kAgent);
  std::size_t digits = agent ? kAgent.size() : 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  const bool numbered = digits > 0 && is_digit(rest[digits - 1]) && (digits == rest.size() || to_lower(rest[digits]) < 'a' || to_lower(rest[digits]) > 'z');
  if (numbered) return {*word, rest.substr(0, digits)};
  return apart ? NamedDevice{*word, {}} : NamedDevice();
}

std::string_view device_word(std::string_view name) { return named_device(name).word; }

DeviceLane device_lane(std::string_view thread_name) {
  const std::string text = lower_case(thread_name);
  const auto* const rule =
      std::ranges::find_if(kDeviceLanes, [&text](const LaneRule& r) { return matches_wildcard(r.pattern, text); });
  return rule == std::end(kDeviceLanes) ? DeviceLane::Unknown : rule->lane;
}

DeviceProcess device_process(std::string_view name, std::string_view labels, std::string_view pid) {
  const auto* rule = std::ranges::find(kAscendProcesses, name, &ProcessRule::name);
  if (rule != std::end(kAscendProcesses)) {
    // Any program may use "Communication" as a process name, but msprof adds a label.
    const bool is_ascend = name == "Ascend Hardware" || device_word(labels) == "NPU" || name == "HCCL";
    if (is_ascend || rule->kind == ProcessKind::Derived) return {rule->kind, ascend_device(labels, pid)};
  }
  if (labels.empty() && !named_device(name).number.empty()) return {ProcessKind::Device, std::string(name)};
  const std::string_view word = device_word(labels);
  if (word.empty() || word == "NPU") return {};
  return {ProcessKind::Device, std::string(labels)};
}

}  // namespace tv
