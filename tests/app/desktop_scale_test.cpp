// The desktop's text scale, from the X resources.
#include <doctest/doctest.h>

#include "app/window/display_facts.h"

using namespace tv;

TEST_CASE("desktop scale: Xft.dpi is found among other resources, and invalid values are ignored") {
  CHECK(scale_in_resources("Xft.dpi:\t192\n") == 2.0f);
  CHECK(scale_in_resources("*customization: -color\nXft.antialias: 1\nXft.dpi: 144\nXft.rgba: none") == 1.5f);
  CHECK(scale_in_resources("Xft.dpi:96") == 1.0f);
  for (const char* none : {"", "\n\n", "Xft.dpi:", "Xft.dpi: large", "Xft.dpi: -96", "Xft.dpi: 0", "Xft.dpi: nan", "Xft.dpi: 1e9", "XXft.dpi: 192"}) {
    CAPTURE(none);
    CHECK(!scale_in_resources(none));
  }
}
