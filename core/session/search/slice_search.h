// The window's search: the question, its hits, and which of the hits is selected.
//
// Names are searched, and ids of requests if the text has four letters or more: synchronously in up to kAtOnce slices, otherwise
// in the background. Records are always searched in the background (record_search.h). Their hits so far are sorted like those of
// names, above kAtOnce slices in the background. The window shows the old hits until the new ones are ready.
// Only the UI thread calls it. Cost per frame: a comparison.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/rollout/rollout.h"
#include "core/base/threads/async_memo.h"
#include "core/index/snapshot.h"
#include "core/query/search/search_hits.h"
#include "core/session/records/record_search.h"
#include "core/view/lists/hit_list.h"

namespace tv {

struct SearchQuestion {
  std::string text;
  bool in_records = false;  ///< in everything that the files say about a slice, exactly as written
  bool match_case = false, regex = false;  ///< only for names
  bool in_area = false;     ///< only in the selected area, if there is one
  bool operator==(const SearchQuestion&) const = default;
};

class SliceSearch {
 public:
  static constexpr std::uint64_t kAtOnce = 1 << 16;

  SliceSearch(ThreadPool& pool, std::function<void()> wake) : pool_(pool), found_(pool, wake), lists_(pool, std::move(wake)) {}

  void ask(SearchQuestion question) {
    asked_ = std::move(question);
    gone_to_ = kNone<SliceId>;
  }
  /// The view goes to this hit. The next step through the hits starts from it, even if the view has moved by then.
  void went_to(SliceId hit) { gone_to_ = hit; }
  SliceId gone_to() const { return gone_to_; }
  /// Call once per frame, and whenever hits are needed. `area`: the selected area; `records`: the record hits so far.
  void follow(const std::shared_ptr<const Snapshot>& snapshot, const std::optional<HitArea>& area,
              const std::shared_ptr<const RecordHits>& records, SliceId selected,
              const std::shared_ptr<const Rollout>& rollout = nullptr);

  const SearchQuestion& asked() const { return asked_; }
  const SearchHits& hits() const { return *hits_; }
  /// The hits as a list, made in the background on demand. Null until it is ready.
  std::shared_ptr<const HitList> list();
  bool busy() const { return pending_ || growing_ || lists_.running(); }
  /// The search for the present question is still running, and hits() are those of the previous question.
  bool pending() const { return pending_; }
  /// Why the text is not understood, so that nothing is searched. Empty if it is.
  const std::string& complaint() const { return complaint_; }
  /// The number of the selected hit, from 1. None: the selection is not a hit.
  std::optional<std::uint64_t> place() const { return place_; }
  /// "3 of 8,568", "8,568 hits in the area"; empty without a question.
  const std::string& said() const { return said_; }
  /// Changes whenever hits() change.
  std::uint64_t version() const { return version_; }

 private:
  struct Made {
    std::shared_ptr<const Snapshot> snapshot;
    SearchQuestion question;
    std::optional<HitArea> area;
    std::shared_ptr<const RecordHits> records;
    std::shared_ptr<const Rollout> rollout;  ///< of the same trace
    bool operator==(const Made&) const = default;
  };
  void search(bool grows);
  static SearchHits find(const Made& asked, const NamePattern& pattern, ThreadPool& pool);
  void take_found();
  void set_hits(std::shared_ptr<const SearchHits> hits);
  std::string words(const RecordHits* records) const;

  ThreadPool& pool_;
  SearchQuestion asked_;
  Made made_;  ///< the question that hits_ answer, or will answer
  std::shared_ptr<const SearchHits> hits_ = std::make_shared<const SearchHits>();
  NamePattern pattern_;
  std::string complaint_, said_;
  SliceId selected_ = kNone<SliceId>, gone_to_ = kNone<SliceId>;
  std::optional<std::uint64_t> place_;
  std::uint64_t version_ = 0, question_number_ = 0;
  bool pending_ = false;  ///< the hits of made_ are being found in the background
  bool growing_ = false;  ///< hits_ are only the first ones for made_; a longer list is being made in the background
  AsyncMemo<std::uint64_t, SearchHits> found_;  ///< by question number: a snapshot as key would stay in memory
  AsyncMemo<std::uint64_t, HitList> lists_;     ///< by version
};

}  // namespace tv
