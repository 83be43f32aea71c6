#include "ui/widgets/text/label.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "tests/ui/bare_imgui.h"
#include "tests/ui/drawn_letters.h"

using namespace tv;
using namespace tv::test;

namespace {

// The letters that a window with one widget draws.
std::size_t letters_of_widget(const std::function<void()>& widget) {
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({600, 300});
  ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
  widget();
  ImGui::End();
  ImGui::Render();
  return drawn_letters("window").count;
}

}  // namespace

TEST_CASE("label: every kind of widget shows a text with ## whole, as wide as without") {
  const OwnImGui imgui;
  ImGui::GetIO().DisplaySize = {600, 300};
  ImGui::GetIO().IniFilename = nullptr;
  take_fonts();
  for (const std::string text : {"plain", "#", "7 #", "## Call CompiledFxGraph f3x ##", "a##b###c", "####"}) {
    CAPTURE(text);
    const std::string label = whole_label(text), labels[] = {label, label + "##id", label + "###id"};
    for (const std::string& each : labels) {
      const char* const shown = each.c_str();
      const std::function<void()> widgets[] = {
          [&] { ImGui::Button(shown); },
          [&] { ImGui::SmallButton(shown); },
          [&] { ImGui::Selectable(shown); },
          [&] { ImGui::MenuItem(shown); },
          [&] { ImGui::TreeNodeEx(shown, ImGuiTreeNodeFlags_Leaf | ImGuiTreeNodeFlags_NoTreePushOnOpen); },
          [&] { ImGui::BeginCombo("##choice", shown); },
      };
      for (const auto& widget : widgets) CHECK(letters_of_widget(widget) == letters_of(text));
    }
    letters_of_widget([&] {
      CHECK(ImGui::CalcTextSize(label.c_str()).x == ImGui::CalcTextSize(text.c_str()).x);
      CHECK(ImGui::CalcTextSize(labels[1].c_str(), nullptr, true).x == ImGui::CalcTextSize(text.c_str()).x);
    });
  }
}

TEST_CASE("label: texts that differ before ### have different ids") {
  const OwnImGui imgui;
  ImGui::GetIO().DisplaySize = {600, 300};
  ImGui::GetIO().IniFilename = nullptr;
  take_fonts();
  letters_of_widget([] {
    CHECK(ImGui::GetID("a###same") == ImGui::GetID("b###same"));
    CHECK(ImGui::GetID(whole_label("a###same").c_str()) != ImGui::GetID(whole_label("b###same").c_str()));
    CHECK(ImGui::GetID((whole_label("a#") + "##1").c_str()) != ImGui::GetID((whole_label("b#") + "##1").c_str()));
  });
}
