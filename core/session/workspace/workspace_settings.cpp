// Settings that all views share, as one of them shows and changes them.
#include "core/session/workspace/workspace.h"
#include "core/view/charts/gpu/charts_gpu.h"

namespace tv {

void Workspace::set_theme(ThemeKind kind) {
  settings_->theme = kind == ThemeKind::Light ? ThemeChoice::Light : ThemeChoice::Dark;
  color_anew();
}

void Workspace::color_anew() {
  palette_ = Palette(trace().labels, theme(), CommunicationRules(run_.question().settings.text(kCommunicationRules)),
                     settings_->palette);
  ++layout_version_;  // what was drawn with other colours
}

// They may have been changed in another view, or by the desktop.
void Workspace::follow_settings() {
  if (palette_.theme() != theme() || palette_.kind() != settings_->palette) color_anew();
  if (times_seen_ == settings_->times) return;
  time_format_ = times_seen_ = settings_->times;
  time_words_of_ = UINT64_MAX;
}

// What a person chooses is kept; what comes with somebody's view (workspace_state.cpp) is this view's alone.
void Workspace::on(const command::SetTimeFormat& c) {
  set_time_format(c.format);
  settings_->times = times_seen_ = time_format_;
}

void Workspace::on(const command::ColorSlices& c) { notice_ = coloring_.choose(c.by); }
void Workspace::on(const command::ToggleTheme&) { set_theme(theme() == ThemeKind::Dark ? ThemeKind::Light : ThemeKind::Dark); }
void Workspace::on(const command::ChooseTheme& c) { settings_->theme = c.theme; }

void Workspace::on(const command::SetAppearance& c) {
  set_appearance({c.palette.value_or(appearance().palette), c.reduced_motion.value_or(appearance().reduced_motion)});
}

void Workspace::on(const command::ScaleInterface& c) {
  float& size = settings_->text_size;
  size = c.factor == 0 ? 1 : std::clamp(size * c.factor, kLeastTextSize, kMostTextSize);
}

}  // namespace tv
