// What numbers and names in Nsight Systems' exports mean, independent of any file. An export of 2023 or later has the same in
// its ENUM_ tables; older ones have not. Source: Nsight Systems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tv {

/// Ids of processes and threads: 8 bits of hardware, 8 of virtual machine, 24 of process, 24 of thread.
inline std::int64_t pid_of(std::int64_t global_id) { return (global_id >> 24) & 0xFFFFFF; }
inline std::int64_t tid_of(std::int64_t global_id) { return global_id & 0xFFFFFF; }
inline std::int64_t global_pid_of(std::int64_t global_tid) { return global_tid & ~std::int64_t{0xFFFFFF}; }

/// "HtoD"; empty when unknown.
std::string_view copy_kind_name(std::int64_t kind);
/// "Pageable"; empty when unknown.
std::string_view memory_kind_name(std::int64_t kind);
/// "cudaStreamWaitEvent": what of it is waited for.
std::string_view sync_kind_name(std::int64_t kind);

/// "Memcpy HtoD (Pageable -> Device)", as PyTorch's traces have it.
std::string memcpy_name(std::int64_t copy_kind, std::int64_t from, std::int64_t to);
std::string memset_name(std::int64_t memory_kind);

/// Shortens "cudaLaunchKernel_v7000" to "cudaLaunchKernel": API versions count as one.
std::string_view without_api_version(std::string_view name);
/// The category PyTorch's traces have for such calls: the runtime's begin with "cuda", the driver's with "cu" alone.
std::string_view api_category(std::string_view name);

/// "aten::mul" of "aten::mul, op_id = 322567" and "aten::mul, seq = 12, op_id = 3, sizes = [[2]]": what numbers a call is
/// no part of its name, or each would be one of its own.
std::string_view without_call_number(std::string_view nvtx_text);

/// NVTX_EVENTS.eventType.
namespace nvtx_type {
inline constexpr std::int64_t kCategory = 33, kMark = 34, kThreadName = 39, kPushPop = 59, kStartEnd = 60, kTextPushPop = 70,
                              kTextStartEnd = 71, kDomain = 75, kDomainEnd = 76;
}

}  // namespace tv
