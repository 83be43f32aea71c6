#include "core/store/clock/fit_clocks.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/store/clock/unit_clocks.h"
#include "core/store/logs/told_collectives.h"

namespace tv {
namespace {

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
  explicit ClockFitting(std::vector<SourceParts>& sources) : sources_(sources) {}

  void run(const LabelTable& labels) {
    for (SourceParts& source : sources_) {
      if (!is_compared(source)) continue;
      const std::size_t unit = units_.add(source.view.info);
      if (unit == of_unit_.size()) of_unit_.emplace_back();
      of_unit_[unit].push_back(&source);
    }
    if (of_unit_.size() < 2) return;
    names_ = collective_names(labels);
    for (std::size_t u = 0; u < of_unit_.size(); ++u) collect(u);
    ComparedPairs pairs;
    fit_units(units_.units(), pairs);
    for (SourceParts& source : sources_) {
      if (is_compared(source)) source.fitted = source.view.info.clock_fit.offset;
    }
  }

 private:
  void collect(std::size_t unit) {
    std::map<std::string, std::size_t> streams;  // of all its sources
    std::vector<CollectiveStream> out;
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
    units_.units()[unit].clock.collectives = std::make_shared<const UnitCollectives>(std::move(out));
  }

  void collect(const SourceParts& source, const BatchPiece& piece, const std::vector<std::size_t>& of_track,
               std::vector<CollectiveStream>& out) const {
    const auto name_of = [&](LabelId label) { return names_[idx(piece.label_of(label))]; };
    const auto is_one = [&](LabelId label) { return names_[idx(label)] != kNoCollective; };
    if (!piece.label.empty() && std::ranges::none_of(piece.label, is_one)) return;
    const SliceBlock& slices = *piece.slices;
    const Ns shift = source.view.clock_base + source.view.info.clock_offset;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::uint64_t name = name_of(slices.label[i]);
      if (name == kNoCollective || slices.duration[i] == kOpenEnd) continue;
      const std::size_t stream = of_track[piece.track_of(slices.track[i])];
      if (stream == SIZE_MAX) continue;
      const Ns begin = slices.begin[i] + shift;
      out[stream].push_back({told_name(name, source.told_of(piece, i)), begin, begin + slices.duration[i]});
    }
  }

  std::vector<SourceParts>& sources_;
  std::vector<std::uint64_t> names_;  // by label
  ClockUnits units_;
  std::vector<std::vector<SourceParts*>> of_unit_;
};

}  // namespace

void fit_clocks(std::vector<SourceParts>& sources, const LabelTable& labels) { ClockFitting(sources).run(labels); }

}  // namespace tv
