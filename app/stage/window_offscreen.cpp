#include "app/stage/window_offscreen.h"

#include "app/window/imgui_gl.h"
#include "imgui.h"
#include "ui/gl/offscreen.h"
#include "ui/imgui_memory.h"

namespace tv {

namespace {

struct ImGuiContextOwner {
  ImGuiContextOwner() {
    refuse_imgui_memory_loudly();
    ImGui::CreateContext();
  }
  ~ImGuiContextOwner() { ImGui::DestroyContext(); }
  ImGuiContextOwner(const ImGuiContextOwner&) = delete;
  ImGuiContextOwner& operator=(const ImGuiContextOwner&) = delete;
};

}  // namespace

struct OffscreenWindow::State {
  State(EglContext egl_context, Offscreen target, Fonts& fonts_in, Keys& keys)
      : egl(std::move(egl_context)),
        offscreen(std::move(target)),
        fonts(fonts_in),
        io(keys, {static_cast<float>(offscreen.width()), static_cast<float>(offscreen.height())}) {}

  EglContext egl;
  Offscreen offscreen;
  ImGuiContextOwner imgui;
  ImGuiGl imgui_gl;
  Fonts& fonts;
  HeadlessIo io;
};

Result<OffscreenWindow> OffscreenWindow::create(Size size, Keys& keys, Fonts& fonts) {
  auto egl = EglContext::create();
  if (!egl) return egl.error();
  auto offscreen = Offscreen::create(egl->gl(), size.width, size.height);
  if (!offscreen) return offscreen.error();
  auto state = std::make_unique<State>(std::move(*egl), std::move(*offscreen), fonts, keys);
  if (auto loaded = state->imgui_gl.loaded(); !loaded) return loaded.error();
  return OffscreenWindow(std::move(state));
}

OffscreenWindow::OffscreenWindow(std::unique_ptr<State> state) : state_(std::move(state)) {}
OffscreenWindow::OffscreenWindow(OffscreenWindow&&) noexcept = default;
OffscreenWindow& OffscreenWindow::operator=(OffscreenWindow&&) noexcept = default;
OffscreenWindow::~OffscreenWindow() = default;

Result<void> OffscreenWindow::resize(Size size) {
  auto offscreen = Offscreen::create(gl(), size.width, size.height);
  if (!offscreen) return offscreen.error();
  state_->offscreen = std::move(*offscreen);
  state_->io.resize({static_cast<float>(size.width), static_cast<float>(size.height)});
  return {};
}

const GlApi& OffscreenWindow::gl() const { return state_->egl.gl(); }
const EglContext& OffscreenWindow::context() const { return state_->egl; }
HeadlessIo& OffscreenWindow::io() { return state_->io; }

void OffscreenWindow::begin_frame() {
  state_->imgui_gl.new_frame(state_->fonts);
  state_->io.new_frame();
}

void OffscreenWindow::end_frame(const Backdrop& backdrop, bool draw) {
  ImGui::Render();
  state_->offscreen.begin(backdrop.color());
  if (draw) state_->imgui_gl.draw(gl(), backdrop);
}

Image OffscreenWindow::screenshot() const { return state_->offscreen.read(); }

}  // namespace tv
