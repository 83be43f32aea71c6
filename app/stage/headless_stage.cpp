#include "app/stage/headless_stage.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace tv {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPollInterval = std::chrono::milliseconds(2);
constexpr auto kSixtieth = std::chrono::microseconds(16'667);
constexpr int kLongestSettle = 600;  // frames

OffscreenWindow::Size pixels_of(int width, int height, double scale) {
  return {static_cast<int>(std::lround(width * scale)), static_cast<int>(std::lround(height * scale))};
}

}  // namespace

HeadlessStage::HeadlessStage(const Options& options)
    : options_(options),
      pool_(options.threads),
      user_state_(load_user_state(options, {})),
      desk_(pool_, [] {}, load_options(options, *user_state_->settings()), user_state_->settings()),
      window_(pixels_of(options.width, options.height, options.scale), keys_, fonts_),
      canvas_(nullptr),
      view_(desk_, keys_, fonts_, canvas_, [] {}) {
  frames(2);
}

Result<void> HeadlessStage::open_gl() {
  if (renderer_) return {};
  if (auto opened = window_.open_gl(); !opened) return opened;
  auto renderer = TimelineRenderer::create(window_.gl());
  if (!renderer) return renderer.error();
  renderer_.emplace(std::move(*renderer));
  canvas_.set_renderer(&*renderer_);
  return {};
}

Result<void> HeadlessStage::resize(int width, int height, double scale) {
  if (auto resized = window_.resize(pixels_of(width, height, scale)); !resized) return resized;
  options_.scale = scale;
  return {};
}

void HeadlessStage::frame(bool draw) {
  const Clock::time_point begin = Clock::now();
  interface().set_start_page(user_state_->start_page());
  view_.prepare(static_cast<float>(options_.scale));
  window_.begin_frame();
  const OffscreenWindow::Size size = window_.size();
  view_.frame({static_cast<float>(size.width), static_cast<float>(size.height)}, HeadlessIo::kFrameSeconds, now_s());
  window_.end_frame(interface().backdrop(), draw);
  take_requests();
  remember();
  ++frame_;
  if (draw) return;
  ++frame_times_.count;
  frame_times_.longest_s = std::max(frame_times_.longest_s, std::chrono::duration<double>(Clock::now() - begin).count());
}

void HeadlessStage::remember() {
  const std::vector<Workspace*> views = views_of(desk_);
  user_state_->follow({now_s(), views, desk_.current_index(), {}});
  if (std::string notice = user_state_->take_notice(); !notice.empty()) interface().notify(std::move(notice), now_s());
}

void HeadlessStage::take_requests() {
  WindowRequests requests = view_.take_requests();
  asked_.screenshots += requests.screenshots.size();
  if (!requests.screenshots.empty()) asked_.last_shot = std::move(requests.screenshots.back());
  asked_.edit_keys = asked_.edit_keys || requests.edit_keys;
  asked_.quit = asked_.quit || requests.quit;
  asked_.full_screen = asked_.full_screen != requests.toggle_full_screen;
  for (const Command& asked : requests.user_state) apply_user_state(*user_state_, desk_, asked);
  if (!requests.copies.empty()) asked_.copied = std::move(requests.copies.back());
  for (command::SaveText& file : requests.files) asked_.files.push_back(std::move(file));
}

void HeadlessStage::frames(int n) {
  for (int i = 0; i < n; ++i) frame(false);
}

void HeadlessStage::drawn_frame() {
  frame(true);
  window_.gl().Finish();
}

const char* HeadlessStage::driver() const { return reinterpret_cast<const char*>(window_.gl().GetString(GL_RENDERER)); }

Result<Image> HeadlessStage::screenshot() {
  if (auto opened = open_gl(); !opened) return opened.error();
  frame(true);
  return window_.screenshot();
}

void HeadlessStage::wait_until_loaded(bool at_sixty) {
  frames(1);
  while (workspace().session().status().running() || workspace().aligning()) {
    const Clock::time_point next = Clock::now() + kSixtieth;
    if (at_sixty || !workspace().session().status().running()) frames(1);
    at_sixty ? std::this_thread::sleep_until(next) : std::this_thread::sleep_for(kPollInterval);
  }
  frames(2);
}

void HeadlessStage::catch_up() {
  workspace().session().look_now();
  frames(1);
  while (!workspace().session().up_to_date() || workspace().busy()) {
    frames(1);
    std::this_thread::sleep_for(kPollInterval);
  }
  settle();
}

void HeadlessStage::live(double seconds, const std::function<void()>& shown) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::uint64_t reported = 0;  // generation of the last reported snapshot
  for (Clock::time_point next = Clock::now(); next < end; std::this_thread::sleep_until(next)) {
    next = std::max(next, Clock::now() - kSixtieth) + kSixtieth;
    frames(1);
    const std::uint64_t now = workspace().snapshot().generation;
    if (now != reported && !workspace().run().pending()) reported = now, shown();
  }
}

void HeadlessStage::settle() {
  // The next frame takes over background results that arrive during a frame, and may start more work.
  int calm = 0, moving = 0;
  while (calm < 3 && moving < kLongestSettle) {
    frames(1);
    const bool waiting = workspace().busy() || interface().panels().others().busy();
    calm = interface().animating() || waiting ? 0 : calm + 1;
    if (waiting) {
      std::this_thread::sleep_for(kPollInterval);  // background work has no limit
    } else {
      ++moving;
    }
  }
  frames(2);
}

}  // namespace tv
