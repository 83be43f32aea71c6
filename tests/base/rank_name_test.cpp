#include "core/base/names/rank_name.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace tv;

TEST_CASE("rank_name: the rank is found in the name of a process") {
  CHECK(rank_in_name("app [Rank 12]") == 12);
  CHECK(rank_in_name("rank12 python") == 12);
  CHECK(rank_in_name("Rank: 7") == 7);
  CHECK(rank_in_name("RANK_0") == 0);
  CHECK(rank_in_name("local rank of rank=3") == 3);
  CHECK(rank_in_name("python 4711") == std::nullopt);
  CHECK(rank_in_name("prank 3") == std::nullopt);
  CHECK(rank_in_name("ranking 3") == std::nullopt);
  CHECK(rank_in_name("rank") == std::nullopt);
  CHECK(rank_in_name("rank 12345678901234567890") == std::nullopt);
}

TEST_CASE("rank_name: tensor, data and expert parallel ranks are found in names") {
  const auto text = [](std::string_view name) {
    const auto found = rank_in_text(name);
    return found ? found->text() + (found->number ? " = " + std::to_string(*found->number) : "") : "nothing";
  };
  CHECK(text("[TP01] 4101") == "TP01 = 1");
  CHECK(text("[TP01-DP00] 4101") == "TP01-DP00");
  CHECK(text("sglang::scheduler_TP1_EP0") == "TP1-EP0");
  CHECK(text("VLLM::Worker_DP0_TP3") == "DP0-TP3");
  CHECK(text("Proton TP0") == "TP0 = 0");
  CHECK(text("Rank 1 - GPU streams") == "rank 1 = 1");
  CHECK(text("rank 5 TP1") == "rank 5 TP1 = 5");
  CHECK(text("HTTP2 server") == "nothing");
  CHECK(text("tp0") == "nothing");
  CHECK(text("TP0x") == "nothing");
  CHECK(text("TP") == "nothing");
  CHECK(text("") == "nothing");
  CHECK(rank_in_text("[TP00-DP01] 1")->sort > rank_in_text("[TP07-DP00] 1")->sort);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "DP999999999 ";
  CHECK(rank_in_text(many)->sort == INT64_MAX);  // the sum of their weights is larger
}

TEST_CASE("rank_name: the rank prefix is removed from process ids, and places are found in file names") {
  CHECK(without_rank("[TP01] 4101") == "4101");
  CHECK(without_rank("[TP01] ") == "");
  CHECK(without_rank("[anything] 4101") == "[anything] 4101");
  CHECK(without_rank("4101") == "4101");
  CHECK(place_in_file_name("1760000000.5-DP-1-TP-0") == "DP1-TP0");
  CHECK(place_in_file_name("1760000000-TP-3") == "TP3");
  CHECK(place_in_file_name("model_tp2_pp4_rank3") == "");
  CHECK(place_in_file_name("HTTP-2") == "");
}

TEST_CASE("rank_name: a rank is found at the beginning of a name") {
  const auto text = [](std::string_view name) { return rank_at_begin(name).value_or(RankName{}).text(); };
  CHECK(text("rank 3 actor, ref, pid 4711") == "rank 3");
  CHECK(text("rank 3") == "rank 3");
  CHECK(text("rank 3, before, pid 4711") == "rank 3");
  CHECK(text("TP01-DP00") == "TP01-DP00");
  CHECK(text("TP01-DP00 4101") == "TP01-DP00");
  CHECK(text("rank of all") == "");
  CHECK(text("python rank 3") == "");
  CHECK(text("GPU 3") == "");
}
