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
void Workspace::choose_times(std::optional<TimeFormat> format) {
  set_time_format(format);
  settings_->times = times_seen_ = time_format_;
}

}  // namespace tv
