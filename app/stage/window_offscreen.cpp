#include "app/stage/window_offscreen.h"

#include <optional>

#include "app/stage/context_egl.h"
#include "app/window/imgui_gl.h"
#include "imgui.h"
#include "ui/gl/offscreen.h"
#include "ui/imgui_memory.h"

namespace tv {

namespace {

struct ImGuiContextOwner {
  ImGuiContextOwner() {
    make_imgui_throw_bad_alloc();
    ImGui::CreateContext();
  }
  ~ImGuiContextOwner() { ImGui::DestroyContext(); }
  ImGuiContextOwner(const ImGuiContextOwner&) = delete;
  ImGuiContextOwner& operator=(const ImGuiContextOwner&) = delete;
};

}  // namespace

struct OffscreenWindow::State {
  // The OpenGL renderer. It must not outlive the ImGui context.
  struct Drawing {
    Drawing(EglContext context, Offscreen picture) : egl(std::move(context)), target(std::move(picture)) {}
    EglContext egl;
    Offscreen target;
    ImGuiGl imgui;
  };

  State(Size size_in, Keys& keys, Fonts& fonts_in)
      : size(size_in), fonts(fonts_in), io(keys, {static_cast<float>(size_in.width), static_cast<float>(size_in.height)}) {}

  Size size;
  ImGuiContextOwner imgui;
  Fonts& fonts;
  HeadlessIo io;
  std::optional<Drawing> drawing;
};

OffscreenWindow::OffscreenWindow(Size size, Keys& keys, Fonts& fonts) : state_(std::make_unique<State>(size, keys, fonts)) {}
OffscreenWindow::OffscreenWindow(OffscreenWindow&&) noexcept = default;
OffscreenWindow& OffscreenWindow::operator=(OffscreenWindow&&) noexcept = default;
OffscreenWindow::~OffscreenWindow() = default;

Result<OffscreenWindow> OffscreenWindow::create(Size size, Keys& keys, Fonts& fonts) {
  OffscreenWindow window(size, keys, fonts);
  if (auto opened = window.open_gl(); !opened) return opened.error();
  return window;
}

Result<void> OffscreenWindow::open_gl() {
  if (state_->drawing) return {};
  auto egl = EglContext::create();
  if (!egl) return egl.error();
  auto target = Offscreen::create(egl->gl(), state_->size.width, state_->size.height);
  if (!target) return target.error();
  state_->drawing.emplace(std::move(*egl), std::move(*target));
  auto loaded = state_->drawing->imgui.loaded();
  if (!loaded) state_->drawing.reset();
  return loaded;
}

Result<void> OffscreenWindow::resize(Size size) {
  if (state_->drawing) {
    auto target = Offscreen::create(gl(), size.width, size.height);
    if (!target) return target.error();
    state_->drawing->target = std::move(*target);
  }
  state_->size = size;
  state_->io.resize({static_cast<float>(size.width), static_cast<float>(size.height)});
  return {};
}

const GlApi& OffscreenWindow::gl() const { return state_->drawing->egl.gl(); }
OffscreenWindow::Size OffscreenWindow::size() const { return state_->size; }
HeadlessIo& OffscreenWindow::io() { return state_->io; }

void OffscreenWindow::begin_frame() {
  state_->drawing ? state_->drawing->imgui.new_frame(state_->fonts) : new_frame_without_gl(state_->fonts);
  state_->io.new_frame();
}

void OffscreenWindow::end_frame(const Backdrop& backdrop, bool draw) {
  ImGui::Render();
  if (!draw) return;
  state_->drawing->target.begin(backdrop.color());
  state_->drawing->imgui.draw(gl(), backdrop);
}

Image OffscreenWindow::screenshot() const { return state_->drawing->target.read(); }

}  // namespace tv
