// Settings that all views share: shown and changed in any of them.
#include "core/session/workspace/workspace.h"
#include "core/view/charts/gpu/charts_gpu.h"

namespace tv {

void Workspace::color_anew() {
  palette_ = Palette(trace().labels, settings_->shown_theme(), CommunicationRules(run_.question().settings.text(kCommunicationRules)),
                     settings_->palette);
  ++state_.halves.layout_version;  // drawings have the old colours
}

// Settings may have been changed in another view, or by the desktop.
void Workspace::follow_settings() {
  if (palette_.theme() != settings_->shown_theme() || palette_.kind() != settings_->palette) color_anew();
  if (state_.times_seen == settings_->times) return;
  state_.times_seen = settings_->times;
  state_.times.choose(state_.times_seen);
}

// A user's choice is stored in the settings; what comes with a view file (workspace_state.cpp) applies to this view only.
void Workspace::on(const command::SetTimeFormat& c) {
  set_time_format(c.format);
  settings_->times = state_.times_seen = state_.times.format();
}

void Workspace::on(const command::ColorSlices& c) { notice_ = coloring_.choose(c.by); }
void Workspace::on(const command::ChooseTheme& c) { settings_->theme = c.theme; }

void Workspace::on(const command::ToggleTheme&) {
  settings_->theme = settings_->shown_theme() == ThemeKind::Dark ? ThemeChoice::Light : ThemeChoice::Dark;
  color_anew();
}

void Workspace::on(const command::SetAppearance& c) {
  if (c.palette) settings_->palette = *c.palette;
  if (c.reduced_motion) settings_->reduced_motion = *c.reduced_motion;
}

void Workspace::on(const command::ScaleInterface& c) {
  float& size = settings_->text_size;
  size = c.factor == 0 ? 1 : std::clamp(size * c.factor, kLeastTextSize, kMostTextSize);
}

}  // namespace tv
