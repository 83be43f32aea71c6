#include "core/store/draft/problem.h"

#include <algorithm>

namespace tv {
namespace {

constexpr ProblemInfo kKinds[] = {
#define TV_PROBLEM(id, severity, help) {#id, Severity::severity, help},
#include "core/store/draft/problem_kinds.inc"
#undef TV_PROBLEM
};

constexpr std::size_t kExcerptBytes = 120;

}  // namespace

const ProblemInfo& info(ProblemKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::DataLoss: return "data-loss";
  }
  return "";
}

ProblemCount& ProblemLog::entry(ProblemKind kind) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), kind,
                                   [](const ProblemCount& e, ProblemKind k) { return e.kind < k; });
  if (at != entries_.end() && at->kind == kind) return *at;
  return *entries_.insert(at, ProblemCount{kind, 0, {}});
}

void ProblemLog::add(ProblemKind kind, std::uint64_t byte_offset, std::string_view excerpt) {
  ProblemCount& e = entry(kind);
  ++e.count;
  if (e.examples.size() < kExamples) {
    e.examples.push_back({byte_offset, std::string(excerpt.substr(0, kExcerptBytes))});
  }
}

void ProblemLog::add_count(ProblemKind kind, std::uint64_t count) {
  if (count > 0) entry(kind).count += count;
}

void ProblemLog::subtract_count(ProblemKind kind, std::uint64_t count) {
  for (ProblemCount& e : entries_) {
    if (e.kind != kind) continue;
    e.count -= std::min(count, e.count);
    if (e.examples.size() > e.count) e.examples.resize(static_cast<std::size_t>(e.count));
  }
  std::erase_if(entries_, [](const ProblemCount& e) { return e.count == 0; });
}

void ProblemLog::forget(ProblemKind kind) {
  std::erase_if(entries_, [&](const ProblemCount& entry) { return entry.kind == kind; });
}

void ProblemLog::merge(const ProblemLog& later) {
  for (const ProblemCount& from : later.entries_) {
    ProblemCount& to = entry(from.kind);
    to.count += from.count;
    const std::size_t room = kExamples - std::min(kExamples, to.examples.size());
    to.examples.insert(to.examples.end(), from.examples.begin(),
                       from.examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, from.examples.size())));
  }
}

std::uint64_t ProblemLog::count(ProblemKind kind) const {
  for (const ProblemCount& e : entries_) {
    if (e.kind == kind) return e.count;
  }
  return 0;
}

std::uint64_t ProblemLog::lost() const {
  std::uint64_t sum = 0;
  for (const ProblemCount& e : entries_) {
    if (info(e.kind).severity == Severity::DataLoss) sum += e.count;
  }
  return sum;
}

}  // namespace tv
