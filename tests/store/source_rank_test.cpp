// Which rank a source has, if several things name one.
#include "core/store/draft/source_rank.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("source_rank: the first kind in the list decides, in whatever order ranks are found, and of one kind the first found") {
  constexpr RankFrom kOrder[] = {RankFrom::Contents, RankFrom::Communicator, RankFrom::FileName, RankFrom::Process, RankFrom::SameProcess};
  for (const RankFrom a : kOrder) {
    for (const RankFrom b : kOrder) {
      std::optional<std::int64_t> rank;
      RankFrom from{};
      CHECK(take_rank(rank, from, 1, a));
      CHECK(rank == 1);
      CHECK(take_rank(rank, from, 2, b) == (b < a));
      CHECK(rank == (b < a ? 2 : 1));
      CHECK(from == (b < a ? b : a));
    }
  }
}
