// The JSON of stored state: recent_files.h, recent_commands.h, saved_session.h. The text may contain anything: a missing value,
// or one of the wrong type, is ignored.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <climits>

#include "core/base/text/json_text.h"
#include "core/session/persistence/recent_commands.h"
#include "core/session/persistence/recent_files.h"
#include "core/session/persistence/saved_session.h"

namespace tv {
namespace {

namespace dom = simdjson::dom;

std::string text_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + json_quoted(text);
  return out + "]";
}

class StateDocument {
 public:
  explicit StateDocument(const std::string& text) : error_(parser_.parse(text).get(root_)) {}

  bool ok() const { return !error_ && root_.is_object(); }
  const dom::element& root() const { return root_; }
  Error error() const {
    return {error_ ? std::string("the text is not JSON: ") + simdjson::error_message(error_) : "the JSON is not an object", {}, {}, {}};
  }

 private:
  dom::parser parser_;
  dom::element root_;
  simdjson::error_code error_;
};

std::string state_text_at(const dom::element& object, const char* key) {
  std::string_view text;
  return object[key].get(text) ? std::string() : std::string(text);
}

std::int64_t number_at(const dom::element& object, const char* key) {
  std::int64_t number = 0;
  return object[key].get(number) ? 0 : number;
}

int pixels_at(const dom::element& object, const char* key) {
  return static_cast<int>(std::clamp<std::int64_t>(number_at(object, key), INT_MIN / 4, INT_MAX / 4));
}

bool flag_at(const dom::element& object, const char* key) {
  bool flag = false;
  return !object[key].get(flag) && flag;
}

std::vector<dom::element> list_at(const dom::element& object, const char* key) {
  dom::array array;
  if (object[key].get(array)) return {};
  return {array.begin(), array.end()};
}

std::vector<std::string> texts_at(const dom::element& object, const char* key) {
  std::vector<std::string> out;
  for (const dom::element& element : list_at(object, key)) {
    std::string_view text;
    if (!element.get(text) && !text.empty()) out.emplace_back(text);
  }
  return out;
}

}  // namespace

std::string recent_text(const std::vector<RecentFile>& recent) {
  std::string out;
  for (const RecentFile& file : recent) {
    out += fmt::format("{}\n  {{\"paths\": {}, \"opened\": {}, \"bytes\": {}, \"pinned\": {}}}", out.empty() ? "" : ",",
                       text_list(file.paths), file.opened_s, file.bytes, file.pinned);
  }
  return "{\"recent\": [" + out + "\n]}\n";
}

Result<std::vector<RecentFile>> recent_from(const std::string& text) {
  const StateDocument document(text);
  if (!document.ok()) return document.error();
  std::vector<RecentFile> out;
  for (const dom::element& entry : list_at(document.root(), "recent")) {
    RecentFile file;
    file.paths = texts_at(entry, "paths");
    file.opened_s = number_at(entry, "opened");
    file.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_at(entry, "bytes")));
    file.pinned = flag_at(entry, "pinned");
    if (!file.paths.empty()) out.push_back(std::move(file));
  }
  return out;
}

std::string recent_commands_text(const std::vector<std::string>& ids) { return "{\"commands\": " + text_list(ids) + "}\n"; }

Result<std::vector<std::string>> recent_commands_from(const std::string& text) {
  const StateDocument document(text);
  if (!document.ok()) return document.error();
  return texts_at(document.root(), "commands");
}

std::string session_text(const SavedSession& session) {
  std::string views;
  for (const SavedView& view : session.views) {
    views += fmt::format("{}\n  {{\"paths\": {}, \"state\": {}}}", views.empty() ? "" : ",", text_list(view.paths),
                         json_quoted(view.state));
  }
  return fmt::format("{{\"saved\": {}, \"process\": {}, \"ended\": {}, \"current\": {}, \"views\": [{}\n]}}\n", session.saved_s,
                     session.process, session.ended, session.current, views);
}

Result<SavedSession> session_from(const std::string& text) {
  const StateDocument document(text);
  if (!document.ok()) return document.error();
  SavedSession out;
  out.saved_s = number_at(document.root(), "saved");
  out.process = number_at(document.root(), "process");
  out.ended = flag_at(document.root(), "ended");
  const std::int64_t current = number_at(document.root(), "current");
  std::int64_t at = 0;
  for (const dom::element& entry : list_at(document.root(), "views")) {
    SavedView view{texts_at(entry, "paths"), state_text_at(entry, "state")};
    if (!view.paths.empty() && at == current) out.current = out.views.size();
    if (!view.paths.empty()) out.views.push_back(std::move(view));
    ++at;
  }
  return out;
}

std::string window_place_text(const WindowPlace& place) {
  return fmt::format("{{\"x\": {}, \"y\": {}, \"width\": {}, \"height\": {}, \"maximised\": {}}}\n", place.x, place.y,
                     place.width, place.height, place.maximised);
}

Result<WindowPlace> window_place_from(const std::string& text) {
  const StateDocument document(text);
  if (!document.ok()) return document.error();
  const dom::element& root = document.root();
  return WindowPlace{pixels_at(root, "x"), pixels_at(root, "y"), pixels_at(root, "width"), pixels_at(root, "height"),
                     flag_at(root, "maximised")};
}

}  // namespace tv
