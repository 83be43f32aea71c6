// A part of the window at a fixed place: an ImGui window without decoration, whose background is on the backdrop.
#pragma once

#include <cstdio>
#include <exception>

#include "imgui.h"
#include "ui/widgets/area.h"
#include "ui/widgets/backdrop.h"

namespace tv {

class BarWindow {
 public:
  BarWindow(const char* name, const Area& area, Backdrop& backdrop, Rgba background) {
    backdrop.add(area, background);
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    char scoped[64];
    std::snprintf(scoped, sizeof(scoped), "%s##%llu", name, static_cast<unsigned long long>(backdrop.scope()));
    ImGui::Begin(scoped, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBackground);
  }
  ~BarWindow() {
    if (std::uncaught_exceptions() > 0) return;  // End() could end something begun inside; no frame follows anyway
    ImGui::End();
    ImGui::PopStyleVar(3);
  }
  BarWindow(const BarWindow&) = delete;
  BarWindow& operator=(const BarWindow&) = delete;
};

}  // namespace tv
