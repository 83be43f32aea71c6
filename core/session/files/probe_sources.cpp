#include "core/session/files/probe_sources.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/io/files/open_stream.h"
#include "core/read/file_facts.h"
#include "core/read/paddle/paddle_device.h"
#include "core/read/registry.h"
#include "core/read/unknown_file.h"
#include "core/read/verl/rollout_span.h"
#include "core/session/files/given_sources.h"
#include "core/store/logs/rollout_log.h"

namespace tv {
namespace {

// A profile that Paddle's tool made from open logs would show everything twice.
void add_profiles_of_logs(const LoadSources& sources, std::vector<LeftOut>& out) {
  std::set<std::string, std::less<>> runs;
  for (const auto& source : sources) {
    if (source->reader && is_paddle_record(source->path)) runs.insert(paddle_device(source->path).run_key);
  }
  for (const auto& source : sources) {
    const std::optional<std::string_view> run = run_of_paddle_profile(source->path);
    if (!source->reader || !run || !runs.contains(*run)) continue;
    out.push_back({source.get(), "made by Paddle's tool from the logs beside it, which are shown; it can be opened by itself"});
  }
}

// A report of Nsight Systems whose export is open would be shown twice.
void add_exported_reports(const LoadSources& sources, std::vector<LeftOut>& out) {
  const auto stem = [](const std::string& path) { return path.substr(0, path.rfind('.')); };
  std::map<std::string, std::int64_t> exported;  // time of the export, by path without suffix
  for (const auto& source : sources) {
    if (source->reader && source->reader->id == "nsys_sqlite") exported[stem(source->path)] = source->draft.info().modified_ns;
  }
  for (const auto& source : sources) {
    if (!source->reader || source->reader->id != "nsys_report") continue;
    const auto found = exported.find(stem(source->path));
    if (found == exported.end() || found->second < source->draft.info().modified_ns) continue;  // the export is older
    out.push_back({source.get(), "the database beside it, which is shown, was exported from it; it can be opened by itself"});
  }
}

}  // namespace

void probe(LoadSource& source, const LoadChoice& choice) {
  if (source.reused || source.reader || source.draft.state() != SourceState::Waiting) return;
  const auto finish = [&](SourceState state, std::string reason) {
    source.draft.edit_info([&](SourceInfo& info) {
      info.state = state;
      info.reason = std::move(reason);
    });
  };
  auto known = recognise(source.path);
  if (!known) return reject(source.draft, known.error());
  source.head = std::move(known.value().head);
  const Reader* const reader = known.value().reader;
  if (reader) {
    source.draft.edit_info([&](SourceInfo& info) {
      info.format = reader->id;
      info.run = rollout_run(reader->id, source.path);
    });
  }
  if (!reader) return finish(SourceState::Rejected, why_unknown(source.head));
  if (!reader->read) {
    const std::string remedy = reader->remedy.empty() ? std::string() : ": " + std::string(reader->remedy);
    finish(SourceState::NotReadYet,
           "recognised as " + std::string(reader->title) + ", which this version cannot read yet" + remedy);
    source.draft.edit_info([&](SourceInfo& info) { info.problems.add(ProblemKind::not_read_yet, 0, reader->title); });
    return;
  }
  if (std::string why = needs_a_file(source.path, reader->id); !why.empty()) {
    return finish(SourceState::Rejected, std::move(why));
  }
  source.rank = rank_of(source.path, reader->is_log ? std::string_view() : source.head);
  if (!chosen(choice.ranks, source.rank)) return finish(SourceState::LeftOut, {});
  const std::vector<RankSpan>& steps = choice.steps;
  if (!steps.empty() && !chosen(steps, facts_of(source.path).step)) {
    // Training logs are joined with all rollouts, whichever of them are shown.
    if (reader->id == "verl_rollout") {
      auto text = open_stream(source.path);
      if (const auto span = text ? rollout_span(**text) : std::nullopt) source.left_out = FileRange::of(*span);
    }
    return finish(SourceState::LeftOut, {});
  }
  const std::vector<DeviceSpan>& devices = choice.devices;
  if (!devices.empty() && is_paddle_record(source.path)) {
    const PaddleDevice device = paddle_device(source.path);
    if (!chosen(devices, device.machine, device.number)) return finish(SourceState::LeftOut, {});
  }
  source.reader = reader;
}

std::vector<LeftOut> shown_by_others(const LoadSources& sources) {
  std::vector<LeftOut> out;
  add_profiles_of_logs(sources, out);
  add_exported_reports(sources, out);
  return out;
}

}  // namespace tv
