#include "core/store/clock/fit_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/base/text/ascii.h"
#include "core/base/text/path_parts.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/clock/collective_clock.h"
#include "core/store/draft/work_rules.h"

namespace tv {
namespace {

constexpr std::uint32_t kNoCollective = UINT32_MAX;

// Kernels of one collective have one name on all ranks, but not always the same parameters:
// "ncclDevKernel_AllReduce(...)".
std::string normal_kernel(std::string_view kernel) {
  std::string name(kernel.substr(0, kernel.find_first_of("(<")));
  std::ranges::transform(name, name.begin(), [](char c) { return to_lower(c); });
  return name;
}

// By label: a number that equal kernels share, or kNoCollective.
std::vector<std::uint32_t> collective_names(const LabelTable& labels) {
  StringTable names;
  std::vector<std::uint32_t> of_label(labels.size(), kNoCollective);
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const std::string_view name = labels.name(id_at<LabelId>(l));
    if (is_collective(labels.category(id_at<LabelId>(l)), name))
      of_label[l] = static_cast<std::uint32_t>(names.intern(normal_kernel(name)));
  }
  return of_label;
}

std::string path_key(const LaneSpec& lane) {
  std::string key;
  for (const LaneSegment& segment : lane.path) key += segment.identity() + '\0';
  return key;
}

bool is_compared(const SourceParts& source) {
  return source.wall_clock && !source.view.rollout && !source.view.metrics && !source.view.pipeline;
}

class ClockFitting {
 public:
  ClockFitting(std::vector<SourceParts>& sources, const LabelTable& labels)
      : sources_(sources), names_(collective_names(labels)) {}

  void run() {
    list_units();
    if (units_.size() < 2) return;
    for (std::size_t u = 0; u < units_.size(); ++u) collect(u);
    name_units();
    clocks_ = collective_clocks(units_);
    for (std::size_t u = 0; u < units_.size(); ++u) tell(u);
  }

 private:
  void list_units() {
    std::map<std::string, std::size_t> by_process;
    for (SourceParts& source : sources_) {
      if (!is_compared(source)) continue;
      const SourceInfo& info = source.view.info;
      std::size_t unit = units_.size();
      if (!info.process.empty()) unit = by_process.emplace(info.process, unit).first->second;
      if (unit == units_.size()) {
        units_.emplace_back();
        of_unit_.emplace_back();
      }
      units_[unit].by_hand |= info.clock_offset != 0;
      of_unit_[unit].push_back(&source);
    }
  }

  void collect(std::size_t unit) {
    std::map<std::string, std::size_t> streams;  // of all its sources
    std::vector<CollectiveStream>& out = units_[unit].streams;
    for (const SourceParts* source : of_unit_[unit]) {
      std::vector<std::size_t> of_track(source->tracks.size(), SIZE_MAX);
      for (std::size_t t = 0; t < of_track.size(); ++t) {
        const auto lane = source->view.lanes.find(source->tracks[id_at<StrId>(t)]);
        if (lane == source->view.lanes.end() || lane->second.kind != LaneKind::Stream) continue;
        of_track[t] = streams.emplace(path_key(lane->second), streams.size()).first->second;
      }
      out.resize(streams.size());
      for (const BatchPiece& piece : source->pieces) collect(*source, piece, of_track, out);
    }
    std::erase_if(out, [](const CollectiveStream& stream) { return stream.empty(); });
    for (CollectiveStream& stream : out) {
      std::ranges::sort(stream, [](const Collective& a, const Collective& b) {
        if (a.end != b.end) return a.end < b.end;
        return a.begin != b.begin ? a.begin < b.begin : a.name < b.name;
      });
    }
  }

  void collect(const SourceParts& source, const BatchPiece& piece, const std::vector<std::size_t>& of_track,
               std::vector<CollectiveStream>& out) const {
    const auto name_of = [&](LabelId label) { return names_[idx(piece.label_of(label))]; };
    const auto is_one = [&](LabelId label) { return names_[idx(label)] != kNoCollective; };
    if (!piece.label.empty() && std::ranges::none_of(piece.label, is_one)) return;
    const SliceBlock& slices = *piece.slices;
    const Ns shift = source.view.clock_base + source.view.info.clock_offset;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::uint32_t name = name_of(slices.label[i]);
      if (name == kNoCollective || slices.duration[i] == kOpenEnd) continue;
      const std::size_t stream = of_track[piece.track_of(slices.track[i])];
      if (stream == SIZE_MAX) continue;
      const Ns begin = slices.begin[i] + shift;
      out[stream].push_back({name, begin, begin + slices.duration[i]});
    }
  }

  // "rank 3"; the file's name where there is no rank, or several units have it.
  void name_units() {
    std::map<std::string, int> users;
    for (const auto& sources : of_unit_) {
      const SourceInfo& info = sources.front()->view.info;
      const std::string file(last_part(info.path));
      unit_names_.push_back(info.rank ? fmt::format("rank {}", *info.rank) : file);
      ++users[unit_names_.back()];
    }
    for (std::size_t u = 0; u < unit_names_.size(); ++u) {
      const std::string& path = of_unit_[u].front()->view.info.path;
      if (users[unit_names_[u]] > 1) unit_names_[u] += fmt::format(" ({})", last_part(path));
    }
  }

  std::string names_of(const std::vector<std::uint32_t>& units) const {
    constexpr std::size_t kMost = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(units.size(), kMost); ++i) {
      if (i > 0) text += ", ";
      text += unit_names_[units[i]];
    }
    if (units.size() > kMost) text += fmt::format(" and {} more", units.size() - kMost);
    return text;
  }

  std::size_t collectives(std::size_t unit) const {
    std::size_t sum = 0;
    for (const CollectiveStream& stream : units_[unit].streams) sum += stream.size();
    return sum;
  }

  void tell(std::size_t unit) {
    const CollectiveClock& clock = clocks_[unit];
    ClockFit fit;
    fit.unit = static_cast<std::uint32_t>(unit);
    fit.group = clock.group;
    fit.name = unit_names_[unit];
    fit.evidence = clock.known() ? ClockEvidence::Collectives : ClockEvidence::WallClock;
    if (clock.known()) {
      fit.found = clock.offset;
      fit.offset = clock.told() && !units_[unit].by_hand ? clock.offset : 0;
      fit.matched = clock.matched;
      fit.residual = clock.residual;
      fit.residual_p90 = clock.residual_p90;
      fit.partners = names_of(clock.partners);
      fit.text = known_text(unit, fit);
    } else if (const std::size_t found = collectives(unit); found == 0) {
      fit.text = "wall clock, uncertainty unknown: no collective kernels to compare it by";
    } else {
      fit.text =
          fmt::format("wall clock, uncertainty unknown: its {} collective kernels cannot be matched with another's", found);
    }
    for (SourceParts* source : of_unit_[unit]) {
      source->fitted = fit.offset;
      source->view.info.clock_fit = fit;
    }
  }

  std::string known_text(std::size_t unit, const ClockFit& fit) const {
    const CollectiveClock& clock = clocks_[unit];
    const std::string offset = format_clock_offset(clock.offset);
    std::string text;
    if (fit.offset != 0) {
      text = fmt::format("clock moved by {} to that of {}", offset, unit_names_[clock.reference]);
    } else if (clock.reference == unit) {
      text = "clock kept: the others' are compared with it";
    } else if (units_[unit].by_hand && clock.told()) {
      text = fmt::format("clock as moved by hand; by its collectives it would be {} from there", offset);
    } else {
      text = fmt::format("clock kept: it agrees with that of {}", unit_names_[clock.reference]);
    }
    text += fmt::format("; {} collective kernels end within {} of those of {} (nine in ten within {})", fit.matched,
                        format_duration(fit.residual), fit.partners, format_duration(fit.residual_p90));
    if (clock.period != 0) {
      text +=
          fmt::format("; they come so regularly that {} more or less would fit as well", format_duration(clock.period));
    }
    return text;
  }

  std::vector<SourceParts>& sources_;
  const std::vector<std::uint32_t> names_;  // by label
  std::vector<ClockUnit> units_;
  std::vector<std::vector<SourceParts*>> of_unit_;
  std::vector<std::string> unit_names_;
  std::vector<CollectiveClock> clocks_;
};

}  // namespace

std::string_view name(ClockEvidence evidence) {
  switch (evidence) {
    case ClockEvidence::None:
      return "none";
    case ClockEvidence::WallClock:
      return "wall_clock";
    case ClockEvidence::Collectives:
      return "collectives";
    case ClockEvidence::Zone:
      return "zone";
    case ClockEvidence::NoZone:
      return "no_zone";
    case ClockEvidence::kCount:
      break;
  }
  return "";
}

bool is_collective(std::string_view category, std::string_view kernel) {
  if (!category.empty() && !is_device_category(category)) return false;
  const CommunicationRule* const rule = communication_rule(kernel);
  return rule && (rule->kind == CommunicationKind::Collective || rule->kind == CommunicationKind::PointToPoint);
}

void fit_clocks(std::vector<SourceParts>& sources, const LabelTable& labels) { ClockFitting(sources, labels).run(); }

}  // namespace tv
