// Formats that are recognised by name and content but have no reader in this version: they are listed with that reason
// instead of being called unknown. Each moves to a file of its own when its reader comes.
// Source: formats.md section 4.
#include "core/read/reader.h"

namespace tv {
namespace {

int probe_nsys_report(const Probe& probe) { return probe.head.starts_with("NVIDIA Tegra Profiler Report") ? 100 : 0; }

std::optional<std::size_t> no_records(std::string_view) { return std::nullopt; }
Result<ArgTree> no_decode(std::string_view) { return Error{"this format has no records yet", {}, {}, {}}; }

}  // namespace

extern const Reader kNsysReport{"nsys_report", "Nsight Systems report", probe_nsys_report, nullptr, no_records, no_decode};

}  // namespace tv
