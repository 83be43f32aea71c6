// Texts that name keys, with the keys of the user's choice or none.
#include "core/view/keys/keymap.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("keymap: a text that names a key has no hole when the action has none") {
  const std::vector<Binding> before(bindings().begin(), bindings().end());
  std::vector<Binding> changed = default_bindings(MousePreset::Perfetto);
  for (const Action unbound : {Action::ShowAllLanes, Action::ZoomIn}) {
    changed[static_cast<std::size_t>(unbound)].chord = {};
    changed[static_cast<std::size_t>(unbound)].second = {};
  }
  changed[static_cast<std::size_t>(Action::NewTab)].chord = {Key::J, kCtrl};
  use_bindings(changed);
  CHECK(around_key(Action::NewTab, ": ", " opens it") == ": Ctrl+J opens it");
  CHECK(around_key(Action::NewTab, "", " or a", "A") == "Ctrl+J or a");
  CHECK(around_key(Action::ShowAllLanes, ": ", " shows them") == "");
  CHECK(around_key(Action::ShowAllLanes, "", " or a", "A") == "A");
  CHECK(key_in_brackets(Action::NewTab) == " (Ctrl+J)");
  CHECK(key_in_brackets(Action::ShowAllLanes) == "");
  CHECK(key_or_title(Action::NewTab) == "Ctrl+J");
  CHECK(key_or_title(Action::ShowAllLanes) == "\"Show all lanes\"");
  CHECK(key_or_title(Action::ZoomIn) == "\"Zoom in\"");  // the shorter title, of the menu
  use_bindings(before);
}
