// The meaning of numbers and names in Nsight Systems exports, which is the same in all files. Exports before 2023 lack the ENUM_
// tables that state it. Source: Nsight Systems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tv {

/// Global ids of processes and threads: 8 bits for the hardware, 8 for the virtual machine, 24 each for process and thread.
inline std::int64_t pid_of(std::int64_t global_id) { return (global_id >> 24) & 0xFFFFFF; }
inline std::int64_t tid_of(std::int64_t global_id) { return global_id & 0xFFFFFF; }
inline std::int64_t global_pid_of(std::int64_t global_tid) { return global_tid & ~std::int64_t{0xFFFFFF}; }

/// "HtoD"; empty if unknown.
std::string_view copy_kind_name(std::int64_t kind);
/// "Pageable"; empty if unknown.
std::string_view memory_kind_name(std::int64_t kind);
/// The kind of wait, "Stream Wait Event"; empty if unknown.
std::string_view sync_kind_name(std::int64_t kind);

/// "Memcpy HtoD (Pageable -> Device)", as in PyTorch's traces.
std::string memcpy_name(std::int64_t copy_kind, std::int64_t from, std::int64_t to);
std::string memset_name(std::int64_t memory_kind);

/// Shortens "cudaLaunchKernel_v7000" to "cudaLaunchKernel", so that all API versions count as one.
std::string_view without_api_version(std::string_view name);
/// The category of such calls in PyTorch's traces: runtime calls begin with "cuda", driver calls with "cu".
std::string_view api_category(std::string_view name);

/// "aten::mul" of "aten::mul, op_id = 322567" and "aten::mul, seq = 12, op_id = 3, sizes = [[2]]": if its number were part of
/// the name, each call would have a name of its own.
std::string_view without_call_number(std::string_view nvtx_text);

/// NVTX_EVENTS.eventType.
namespace nvtx_type {
inline constexpr std::int64_t kCategory = 33, kMark = 34, kThreadName = 39, kPushPop = 59, kStartEnd = 60, kTextPushPop = 70,
                              kTextStartEnd = 71, kDomain = 75, kDomainEnd = 76;
}

}  // namespace tv
