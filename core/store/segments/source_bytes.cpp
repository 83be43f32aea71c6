#include "core/store/segments/source_bytes.h"

#include <string>
#include <type_traits>

#include "core/store/clock/clock_offset.h"
#include "core/store/logs/rollout_log.h"
#include "core/store/logs/table_bytes.h"

namespace tv {
namespace {

constexpr std::size_t kLeastSource = 40, kLeastFact = 24;  // minimum bytes per entry

bool is_clock_offset(Ns t) { return t >= -kLongestClockOffset && t <= kLongestClockOffset; }

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, ClockFit>& fit) {
  bytes(fit.evidence, fit.unit, fit.group, fit.name, fit.found, fit.offset, fit.matched, fit.residual, fit.residual_p90,
        fit.partners, fit.text);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, SourceInfo>& source) {
  bytes(source.path, source.format, source.reason, source.state, source.bytes, source.modified_ns, source.rank, source.worker,
        source.step, source.role, source.pid, source.phase, source.host, source.database, source.slices, source.instants,
        source.samples, source.flows, source.wall_clock, source.by_row, source.shift.by);
  members(bytes, source.clock_fit);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, SourceFact>& fact) {
  bytes(fact.what, fact.value, fact.evidence);
}

// Problems are stored by name, so that a file with kinds unknown to this version can still be read.
void put_problems(ByteWriter& bytes, const ProblemLog& log) {
  bytes(std::uint64_t{log.entries().size()});
  for (const ProblemCount& problem : log.entries()) {
    bytes(std::string(info(problem.kind).id), problem.count, std::uint64_t{problem.examples.size()});
    for (const ProblemExample& example : problem.examples) bytes(example.byte_offset, example.excerpt);
  }
}

void take_problems(ByteReader& bytes, ProblemLog& log) {
  for (std::size_t left = bytes.count(24); left > 0; --left) {
    std::string id;
    std::uint64_t count = 0;
    bytes(id, count);
    std::size_t known = 0;
    while (known < static_cast<std::size_t>(ProblemKind::kCount) && info(static_cast<ProblemKind>(known)).id != id) ++known;
    const std::size_t examples = bytes.count(16);
    const bool is_known = known < static_cast<std::size_t>(ProblemKind::kCount) && examples <= count;
    for (std::size_t e = 0; e < examples; ++e) {
      ProblemExample example;
      bytes(example.byte_offset, example.excerpt);
      if (is_known) log.add(static_cast<ProblemKind>(known), example.byte_offset, example.excerpt);
    }
    if (is_known) log.add_count(static_cast<ProblemKind>(known), count - examples);
  }
}

}  // namespace

void put_sources(ByteWriter& bytes, const std::vector<SourceInfo>& sources) {
  bytes(std::uint64_t{sources.size()});
  for (const SourceInfo& source : sources) {
    members(bytes, source);
    bytes(std::uint64_t{source.facts.size()});
    for (const SourceFact& fact : source.facts) members(bytes, fact);
    put_problems(bytes, source.problems);
  }
}

void take_sources(ByteReader& bytes, std::vector<SourceInfo>& sources) {
  sources.resize(bytes.count(kLeastSource));
  for (SourceInfo& source : sources) {
    members(bytes, source);
    source.run = rollout_run(source.format, source.path);
    if (source.clock_fit.evidence >= ClockEvidence::kCount || source.state > SourceState::Cancelled) bytes.fail();
    const ClockFit& fit = source.clock_fit;
    if (!can_count_with(source.shift.by)) bytes.fail();
    for (const Ns t : {fit.found, fit.offset, fit.residual, fit.residual_p90}) {
      if (!is_clock_offset(t)) bytes.fail();
    }
    source.facts.resize(bytes.count(kLeastFact));
    for (SourceFact& fact : source.facts) members(bytes, fact);
    take_problems(bytes, source.problems);
  }
}

void put_places(ByteWriter& bytes, const std::vector<SourceInfo>& sources) {
  for (const SourceInfo& source : sources) bytes(source.aligned.by, source.work.begin, source.work.end, source.process);
}

void take_places(ByteReader& bytes, std::vector<SourceInfo>& sources) {
  for (SourceInfo& source : sources) {
    bytes(source.aligned.by, source.work.begin, source.work.end, source.process);
    for (const Ns t : {source.aligned.by, source.work.begin, source.work.end}) {
      if (!can_count_with(t)) bytes.fail();
    }
  }
}

void put_extents(ByteWriter& bytes, const std::vector<SourceInfo>& sources) {
  for (const SourceInfo& source : sources) {
    const TimeRange extent = source.extent.value_or(TimeRange{});
    bytes(source.extent.has_value(), extent.begin, extent.end);
  }
}

void take_extents(ByteReader& bytes, TimeRange within, bool has_lanes, std::vector<SourceInfo>& sources) {
  for (SourceInfo& source : sources) {
    bool shows = false;
    TimeRange extent;
    bytes(shows, extent.begin, extent.end);
    if (!shows) continue;
    source.extent = extent;
    if (!has_lanes || !lies_within(extent, within) || !lies_within(source.work, extent)) bytes.fail();
  }
}

void put_zones(ByteWriter& bytes, const std::vector<SourceInfo>& sources) {
  for (const SourceInfo& source : sources) bytes(source.zone_east);
}

void take_zones(ByteReader& bytes, std::vector<SourceInfo>& sources) {
  for (SourceInfo& source : sources) {
    bytes(source.zone_east);
    if (source.zone_east && !can_count_with(*source.zone_east)) bytes.fail();
  }
}

void put_clocks(ByteWriter& bytes, const std::vector<SourceInfo>& sources) {
  for (const SourceInfo& source : sources) bytes(source.clock_offset);
}

void take_clocks(ByteReader& bytes, std::vector<SourceInfo>& sources) {
  for (SourceInfo& source : sources) {
    bytes(source.clock_offset);
    if (!is_clock_offset(source.clock_offset)) bytes.fail();
  }
}

}  // namespace tv
