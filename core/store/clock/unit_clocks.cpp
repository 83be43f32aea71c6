#include "core/store/clock/unit_clocks.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/names/distinct_names.h"
#include "core/base/text/ascii.h"
#include "core/base/text/path_parts.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/lane_owner.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

// Kernels of one collective have one name on all ranks, but not always the same parameters:
// "ncclDevKernel_AllReduce(...)".
std::string normal_kernel(std::string_view kernel) {
  std::string name(kernel.substr(0, kernel.find_first_of("(<")));
  std::ranges::transform(name, name.begin(), [](char c) { return to_lower(c); });
  return name;
}

bool may_hold_kernels(std::string_view category) { return category.empty() || is_device_category(category); }

bool is_collective_kernel(std::string_view name) {
  const CommunicationRule* const rule = communication_rule(name);
  return rule && (rule->kind == CommunicationKind::Collective || rule->kind == CommunicationKind::PointToPoint);
}

}  // namespace

std::vector<std::uint64_t> collective_names(const LabelTable& labels) {
  std::vector<std::uint64_t> of_label(labels.size(), kNoCollective);
  std::unordered_map<std::string_view, bool> has_kernels;  // by category, of which there are few
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const std::string_view category = labels.category(id_at<LabelId>(l)), name = labels.name(id_at<LabelId>(l));
    const auto [known, is_new] = has_kernels.try_emplace(category);
    if (is_new) known->second = may_hold_kernels(category);
    if (!known->second || !is_collective_kernel(name)) continue;
    const std::string kernel = normal_kernel(name);
    of_label[l] = XXH3_64bits(kernel.data(), kernel.size()) | 1;
  }
  return of_label;
}

std::size_t ClockUnits::add(SourceInfo& source) {
  std::size_t unit = units_.size();
  if (!source.process.empty()) unit = by_process_.emplace(source.process, unit).first->second;
  if (unit == units_.size()) units_.emplace_back();
  units_[unit].clock.moved_by_user |= source.clock_offset != 0;
  units_[unit].sources.push_back(&source);
  return unit;
}

namespace {

class UnitFitting {
 public:
  UnitFitting(std::vector<FittedUnit>& units, ComparedPairs& pairs) : units_(units), pairs_(pairs) {}

  void run() {
    std::vector<ClockUnit> clocks;
    for (const FittedUnit& unit : units_) {
      clocks.push_back(unit.clock);
      clocks.back().rank = unit.sources.front()->rank;
      clocks.back().path = unit.sources.front()->path;
    }
    clocks_ = collective_clocks(clocks, pairs_);
    name_units();
    for (std::size_t u = 0; u < units_.size(); ++u) set_fit(u);
  }

 private:
  // "rank 3", or the file's name without a rank. Units that share a name also get what differs in their files: "rank 3, before".
  void name_units() {
    std::map<std::string, std::vector<std::size_t>> units_of_name;
    for (const FittedUnit& unit : units_) {
      const SourceInfo& info = *unit.sources.front();
      const std::string file(last_part(info.path));
      unit_names_.push_back(info.rank ? owned_by_rank(*info.rank).member : file);
      units_of_name[unit_names_.back()].push_back(unit_names_.size() - 1);
    }
    std::vector<std::size_t> alike, group;
    std::vector<std::string_view> paths;
    for (const auto& [name, units] : units_of_name) {
      for (const std::size_t u : units) {
        if (units.size() < 2) continue;
        alike.push_back(u);
        group.push_back(units.front());
        paths.push_back(units_[u].sources.front()->path);
      }
    }
    const std::vector<std::string> names = distinct_names(paths, group);
    for (std::size_t i = 0; i < alike.size(); ++i) unit_names_[alike[i]] += ", " + names[i];
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

  void set_fit(std::size_t unit) {
    const CollectiveClock& clock = clocks_[unit];
    ClockFit fit;
    fit.unit = static_cast<std::uint32_t>(unit);
    fit.group = clock.group;
    fit.name = unit_names_[unit];
    fit.evidence = clock.known() ? ClockEvidence::Collectives : ClockEvidence::WallClock;
    if (clock.known()) {
      fit.found = clock.offset;
      fit.offset = clock.is_significant() && !units_[unit].clock.moved_by_user ? clock.offset : 0;
      fit.matched = clock.matched;
      fit.residual = clock.residual;
      fit.residual_p90 = clock.residual_p90;
      fit.partners = names_of(clock.partners);
      fit.text = fitted_text(unit, fit);
    } else if (const std::size_t found = units_[unit].clock.collectives->size(); found == 0) {
      fit.text = "wall clock, uncertainty unknown: no collective kernels to compare it by";
    } else {
      fit.text = fmt::format(
          "wall clock, uncertainty unknown: its {} collective kernels cannot be matched with those of others", found);
    }
    for (SourceInfo* const source : units_[unit].sources) source->clock_fit = fit;
  }

  std::string fitted_text(std::size_t unit, const ClockFit& fit) const {
    const CollectiveClock& clock = clocks_[unit];
    const std::string offset = format_clock_offset(clock.offset);
    std::string text;
    if (fit.offset != 0) {
      text = fmt::format("clock moved by {} to that of {}", offset, unit_names_[clock.reference]);
    } else if (clock.reference == unit) {
      text = "clock kept: the other clocks are compared with it";
    } else if (units_[unit].clock.moved_by_user && clock.is_significant()) {
      text = fmt::format("clock as moved by hand; its collectives suggest moving it by another {}", offset);
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

  std::vector<FittedUnit>& units_;
  ComparedPairs& pairs_;
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
  return may_hold_kernels(category) && is_collective_kernel(kernel);
}

void fit_units(std::vector<FittedUnit>& units, ComparedPairs& pairs) {
  if (units.size() > 1) UnitFitting(units, pairs).run();
}

}  // namespace tv
