#include "core/read/chrome/collective_args.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

std::string told(std::string_view args, std::string_view kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL") {
  const auto found = collective_in_args(args, kernel);
  if (!found) return "nothing";
  return std::string(found->group) + " " + std::string(found->ranks) + " " + std::string(found->number);
}

}  // namespace

TEST_CASE("collective_args: group, ranks and sequence number are read as PyTorch writes them") {
  CHECK(told(R"({"stream": 7, "Process Group Name": "3", "Process Group Ranks": "[0, 4]", "Seq": 12, "Rank": 0})") == "3 [0, 4] 12");
  CHECK(told(R"({"Process Group Name":3,"Process Group Ranks":[0, 4],"Seq":"12"})") == "3 [0, 4] 12");
  CHECK(told(R"({"Process Group Name": "3"})") == "3  ");
  CHECK(told(R"({"Process Group Name": "3", "Seq": -1})") == "3  ");
  CHECK(told(R"({"stream": 7})") == "nothing");
  CHECK(told(R"({"of": {"Process Group Name": "9", "Seq": 8}, "Process Group Name": "3", "Seq": 1})") == "3  1");
  CHECK(told(R"({"as": "Seq", "Process Group Name": "3", "Seq": 1})") == "3  1");
  CHECK(told(R"({"Process Group Name": ""})") == "nothing");
  CHECK(told(R"({"stream": 7}, {"Process Group Name": "3"})") == "nothing");  // of the next record
  CHECK(told(R"({"Process Group Name": "3", "Seq": 1)") == "nothing");
  CHECK(told("") == "nothing");
  CHECK(told("[1]") == "nothing");
}

TEST_CASE("collective_args: sends and receives get no number, because each side counts its own") {
  const std::string_view kernel = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
  CHECK(told(R"({"Process Group Name": "3", "Process Group Ranks": "[0, 4]", "Seq": 12})", kernel) == "3 [0, 4] ");
  CHECK(told(R"({"Collective name": "send", "Process Group Name": "3", "Seq": 12})", kernel) == "3  ");
  CHECK(told(R"({"Collective name": "all_to_allv", "Process Group Name": "3", "Seq": 12})", kernel) == "3  12");
}

TEST_CASE("collective_args: groups of distributedInfo are read from an array or from a string that holds one") {
  const std::vector<std::string> expected = {told_group_key("0", "[0,1]"), told_group_key("tp", "[0]")};
  CHECK(groups_in_info(R"({"rank": 0, "pg_config": [{"pg_name": "0", "ranks": [0, 1]}, {"pg_name": "tp", "ranks": "[0]"},
                           {"pg_name": "2", "ranks": []}, {"pg_name": "3"}, 7]})") == expected);
  CHECK(groups_in_info(R"({"pg_config": "[{\"pg_name\": \"0\", \"ranks\": [0, 1]}, {\"pg_name\": \"tp\", \"ranks\": [0]}]"})") ==
        expected);
  CHECK(groups_in_info(R"({"rank": 0})").empty());
  CHECK(groups_in_info("nothing").empty());
}

TEST_CASE("collective_args: brackets nested 200,000 deep in distributedInfo do not overflow the stack") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK(groups_in_info(R"({"pg_config":[{"pg_name":"a","ranks":)" + deep + "}]}").empty());
  CHECK(groups_in_info(R"({"pg_config":[{"pg_name":)" + deep + R"(,"ranks":[0]}]})").empty());
  CHECK(groups_in_info(R"({"pg_config":"[{\"pg_name\":\"a\",\"ranks\":)" + deep + R"(}]"})").empty());
  CHECK(groups_in_info(R"({"pg_config":[{"pg_name":"a","ranks":[[0, 1], [2]]}]})") ==
        std::vector<std::string>{told_group_key("a", "[[0,1],[2]]")});
}
