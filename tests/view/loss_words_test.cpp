#include "core/view/words/loss_words.h"

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

TEST_CASE("loss_words: only what was read whole is said to be") {
  const LossWords whole = loss_words(with({}), false);
  CHECK(whole.tone == LossWords::Tone::Whole);
  CHECK(whole.lost == "0 lost");
  CHECK(whole.repaired.empty());
  CHECK(whole.early.empty());

  const LossWords cut = loss_words(with({{"folder/b.json", ProblemKind::truncated_record}}), false);
  CHECK(cut.tone == LossWords::Tone::Doubtful);
  CHECK(cut.lost == "0 lost");
  CHECK(cut.repaired == "1 repaired or skipped");
  CHECK(cut.early == "b.json ends early");
  CHECK(cut.sentences == info(ProblemKind::truncated_record).help);
  CHECK(loss_words(with({{"a", ProblemKind::repaired_record}, {"b", ProblemKind::scaled_times}, {"c", ProblemKind::scaled_times}}), false).sentences ==
        std::string(info(ProblemKind::scaled_times).help).append(" ").append(info(ProblemKind::repaired_record).help));
  CHECK(whole.sentences.empty());
  CHECK(loss_words(with({{"folder/b.json", ProblemKind::truncated_record}}), true).early.empty());

  const std::string far(40, 'x');
  CHECK(loss_words(with({{far.c_str(), ProblemKind::cut_off_database}}), false).early == "1 file ends early");
  const auto two = {std::pair("a", ProblemKind::truncated_record), std::pair("b", ProblemKind::truncated_record)};
  CHECK(loss_words(with(two), false).early == "2 files end early");
  CHECK(loss_words(with({{"a", ProblemKind::repaired_record}}), false).tone == LossWords::Tone::Doubtful);

  Trace trace = with({});
  trace.sources.front().refused = true;
  CHECK(loss_words(trace, false).unread == "whole.json was not read");
  CHECK(loss_words(trace, false).tone == LossWords::Tone::Doubtful);
  trace.sources.push_back(trace.sources.front());
  CHECK(loss_words(trace, false).unread == "2 files were not read");

  Trace log = with({});
  log.sources.front().problems.add(ProblemKind::no_steps, 0, "3 timed calls");
  CHECK(loss_words(log, false).sentences.empty());
  log.sources.front().slices = 3;
  CHECK(loss_words(log, false).sentences == "3 timed calls.");
  CHECK(loss_words(log, false).tone == LossWords::Tone::Whole);
  log.sources.push_back(log.sources.front());
  CHECK(loss_words(log, false).sentences == "2 logs have no step yet.");

  Trace nothing = with({});
  nothing.sample_count = 0;
  CHECK(loss_words(nothing, false).tone == LossWords::Tone::Doubtful);

  const LossWords lost = loss_words(with({{"a", ProblemKind::bad_record}}), false);
  CHECK(lost.tone == LossWords::Tone::Lost);
  CHECK(lost.lost == "1 lost");
}
