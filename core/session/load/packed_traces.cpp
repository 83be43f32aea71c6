#include "core/session/load/packed_traces.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/base/text/path_parts.h"
#include "core/base/time.h"

namespace tv {
namespace {

// Identifies a file independently of its folder. Archive members have timestamps in whole seconds, so rank0/trace.json and
// rank1/trace.json may agree in name, size and time. So for times in whole seconds the folder's name is included.
using Content = std::tuple<std::string, std::string, std::uint64_t, std::int64_t>;

Content content_of(const SourceInfo& info) {
  const bool whole_second = info.modified_ns % kSecond == 0;
  return {std::string(whole_second ? last_part(folder_of(info.path)) : std::string_view()), std::string(last_part(info.path)), info.bytes,
          info.modified_ns};
}

}  // namespace

void PackedTraces::add(SourceInfo info, PackedSegment segment, const ClockOffsets& clocks) {
  auto& [trace, index] = segment;
  Ns manual_offset = info.clock_offset;
  if (manual_offset == 0 && !trace->sources.empty()) {
    const auto given = [&](const SourceInfo& source) { return clock_offset_of(clocks, source.path); };
    const Ns first = given(trace->sources.front());
    const bool all_same = std::ranges::all_of(trace->sources, [&](const SourceInfo& source) { return given(source) == first; });
    manual_offset = all_same ? first : 0;
  }
  all_.push_back({std::move(info), std::move(trace), std::move(index), manual_offset});
}

void PackedTraces::list_only(Packed& packed, SourceState state, std::string reason) {
  packed.info.state = state;
  packed.info.reason = std::move(reason);
  auto listed = std::make_shared<Trace>();
  listed->sources.push_back(packed.info);
  packed.trace = std::move(listed);
  packed.index.reset();
  packed.manual_offset = 0;
  packed.shown = false;
}

void PackedTraces::leave_out_unchosen(const LoadChoice& choice) {
  const auto is_chosen = [&](const SourceInfo& source) {
    return chosen(choice.ranks, source.rank ? source.rank : source.worker) && chosen(choice.steps, source.step) &&
           chosen(choice.roles, source.role);
  };
  for (Packed& packed : all_) {
    if (std::ranges::none_of(packed.trace->sources, is_chosen)) list_only(packed, SourceState::LeftOut, {});
  }
}

std::vector<bool> PackedTraces::leave_out_copies(const std::vector<SourceInfo>& files) {
  std::vector<bool> out(files.size(), false);
  std::map<Content, std::vector<std::size_t>> files_of;
  std::set<Content> shown;
  for (std::size_t f = 0; f < files.size(); ++f) {
    Content content = content_of(files[f]);
    files_of[content].push_back(f);
    shown.insert(std::move(content));
  }
  std::vector<Packed*> by_size;
  for (Packed& packed : all_) by_size.push_back(&packed);
  std::ranges::stable_sort(by_size, std::greater<>(),
                           [](const Packed* packed) { return packed->trace->sources.size(); });
  std::vector<Packed> left_out;
  for (Packed* const packed : by_size) {
    std::set<Content> contents;
    for (const SourceInfo& source : packed->trace->sources) {
      if (source.state == SourceState::Ready) contents.insert(content_of(source));
    }
    const auto is_shown = [&](const Content& content) { return shown.contains(content); };
    if (!contents.empty() && std::ranges::all_of(contents, is_shown)) {
      list_only(*packed, SourceState::LeftOut, "all that is packed in it is shown; it can be opened by itself");
      continue;
    }
    std::vector<std::size_t> copies;
    for (const Content& content : contents) {
      const auto found = files_of.find(content);
      if (found != files_of.end()) copies.insert(copies.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(copies);
    for (const std::size_t f : copies) {
      if (out[f]) continue;
      out[f] = true;
      list_only(
          left_out.emplace_back(Packed{files[f], {}, {}}), SourceState::LeftOut,
          "it is in " + std::string(last_part(packed->info.path)) + ", which is shown; it can be opened by itself");
    }
    shown.merge(contents);
  }
  all_.insert(all_.end(), left_out.begin(), left_out.end());
  return out;
}

std::shared_ptr<const Trace> PackedTraces::compose_with(const Segments& read, PlaceBy clocks, std::vector<Ns> manual_offsets,
                                                        EarlierView earlier, AlignChoice align, ThreadPool& pool) {
  manual_offsets.resize(read.size(), 0);
  for (const Packed& packed : all_) manual_offsets.push_back(packed.manual_offset);
  for (std::size_t left = all_.size();; --left) {
    Segments segments = read;
    for (const Packed& packed : all_) segments.push_back(packed.trace);
    auto view = compose(segments, clocks, manual_offsets, earlier, align, read.size(), &pool);
    while (!view && left > 0 && !all_[left - 1].shown) --left;  // it keeps its reason for being left out
    if (view || left == 0) return view ? view.value() : std::make_shared<const Trace>();
    list_only(all_[left - 1], SourceState::Rejected, view.error().reason());
  }
}

}  // namespace tv
