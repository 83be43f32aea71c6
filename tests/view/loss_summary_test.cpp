#include "core/view/words/loss_summary.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

Trace with(std::initializer_list<std::pair<const char*, ProblemKind>> problems) {
  Trace trace;
  trace.sample_count = 1;
  trace.sources.emplace_back().path = "folder/whole.json";
  for (const auto& [path, kind] : problems) {
    SourceInfo& source = trace.sources.emplace_back();
    source.path = path;
    source.problems.add(kind, 7, "");
  }
  return trace;
}

}  // namespace

TEST_CASE("loss_summary: only a trace that was read completely is called whole") {
  const LossSummary whole = loss_summary(with({}), false);
  CHECK(whole.tone == LossSummary::Tone::Whole);
  CHECK(whole.lost == "0 lost");
  CHECK(whole.repaired.empty());
  CHECK(whole.early.empty());

  const LossSummary cut = loss_summary(with({{"folder/b.json", ProblemKind::truncated_record}}), false);
  CHECK(cut.tone == LossSummary::Tone::Doubtful);
  CHECK(cut.lost == "0 lost");
  CHECK(cut.repaired == "1 repaired or skipped");
  CHECK(cut.early == "b.json ends early");
  CHECK(cut.sentences == info(ProblemKind::truncated_record).help);
  CHECK(loss_summary(with({{"a", ProblemKind::repaired_record}, {"b", ProblemKind::scaled_times}, {"c", ProblemKind::scaled_times}}), false).sentences ==
        std::string(info(ProblemKind::scaled_times).help).append(" ").append(info(ProblemKind::repaired_record).help));
  CHECK(whole.sentences.empty());
  CHECK(loss_summary(with({{"folder/b.json", ProblemKind::truncated_record}}), true).early.empty());

  const std::string far(40, 'x');
  CHECK(loss_summary(with({{far.c_str(), ProblemKind::cut_off_database}}), false).early == "1 file ends early");
  const auto two = {std::pair("a", ProblemKind::truncated_record), std::pair("b", ProblemKind::truncated_record)};
  CHECK(loss_summary(with(two), false).early == "2 files end early");
  CHECK(loss_summary(with({{"a", ProblemKind::repaired_record}}), false).tone == LossSummary::Tone::Doubtful);

  Trace trace = with({});
  trace.sources.front().refused = true;
  CHECK(loss_summary(trace, false).unread == "whole.json was not read");
  CHECK(loss_summary(trace, false).tone == LossSummary::Tone::Doubtful);
  trace.sources.push_back(trace.sources.front());
  CHECK(loss_summary(trace, false).unread == "2 files were not read");

  Trace log = with({});
  log.sources.front().problems.add(ProblemKind::no_steps, 0, "3 timed calls");
  CHECK(loss_summary(log, false).sentences.empty());
  log.sources.front().slices = 3;
  CHECK(loss_summary(log, false).sentences == "3 timed calls.");
  CHECK(loss_summary(log, false).tone == LossSummary::Tone::Whole);
  log.sources.push_back(log.sources.front());
  CHECK(loss_summary(log, false).sentences == "2 logs have no step yet.");

  Trace nothing = with({});
  nothing.sample_count = 0;
  CHECK(loss_summary(nothing, false).tone == LossSummary::Tone::Doubtful);

  const LossSummary lost = loss_summary(with({{"a", ProblemKind::bad_record}}), false);
  CHECK(lost.tone == LossSummary::Tone::Lost);
  CHECK(lost.lost == "1 lost");
}
