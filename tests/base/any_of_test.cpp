#include "core/base/any_of.h"

#include <doctest/doctest.h>

#include <string>

namespace tv {
namespace {

struct Named {
  std::string name;
};
struct Counted {
  int count = 0;
};
using Thing = AnyOf<Named, Counted>;

TEST_CASE("any of: holds the type it was made from, and a copy is independent") {
  Thing thing = Named{"a name that is longer than a pointer has room for"};
  const Thing copy = thing;
  thing = Counted{3};
  REQUIRE(copy.is<Named>());
  CHECK(copy.get_if<Named>()->name == "a name that is longer than a pointer has room for");
  CHECK_FALSE(copy.is<Counted>());
  CHECK(copy.get_if<Counted>() == nullptr);
  CHECK(thing.get_if<Counted>()->count == 3);
  CHECK(thing.kind() != copy.kind());
}

TEST_CASE("any of: a visitor is called once, for the type held") {
  std::string said;
  const auto say = Overloaded{[&](const Named& named) { said += named.name; }, [&](const Counted& counted) { said += std::to_string(counted.count); }};
  Thing(Counted{7}).visit(say);
  CHECK(said == "7");
  Thing(Named{"x"}).visit(say);
  CHECK(said == "7x");
}

TEST_CASE("any of: each_kind visits the types in the order of the list") {
  std::string all;
  Thing::each_kind([&]<class Kind>() { all += std::is_same_v<Kind, Named> ? 'n' : 'c'; });
  CHECK(all == "nc");
}

}  // namespace
}  // namespace tv
