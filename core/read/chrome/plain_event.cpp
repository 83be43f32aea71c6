#include "core/read/chrome/plain_event.h"

#include "core/io/streams/text_feed.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/plain_json.h"

namespace tv {

static_assert(kPlainPadding <= simdjson::SIMDJSON_PADDING, "the text of a PaddedText has enough padding");
static_assert(kPlainPadding <= kTextPadding, "the text of a window has enough padding");

const char* next_plain_record(const char* at, const char* end) {
  if (at == end) return end;
  while (is_blank(*at)) ++at;
  if (*at != ',') return at == end ? end : nullptr;
  do ++at;
  while (is_blank(*at));
  return at < end && *at == '{' ? at : nullptr;
}

#if defined(__AVX2__) || defined(__SSE2__)

namespace {

class PlainEvent {
 public:
  PlainEvent(const char* end, TraceEvent& event) : json_(end), event_(event) {}

  const char* read(const char* p) {
    return Json::object(p, [this](const char* key) {
      event_.any_field = true;
      return field(key);
    });
  }

 private:
  using Json = PlainJson<Newlines::Blanks>;

  // The most frequent keys come first.
  [[gnu::always_inline]] const char* field(const char* key) {
    const char* p;
    switch (key[0]) {
      case 'p':
        if ((p = Json::value(key, "ph\""))) return first_letter(p, event_.phase);
        if ((p = Json::value(key, "pid\""))) return scalar(p, event_.pid);
        break;
      case 'c':
        if ((p = Json::value(key, "cat\""))) return json_.text(p, event_.category);
        break;
      case 'n':
        if ((p = Json::value(key, "name\""))) return json_.text(p, event_.name);
        break;
      case 't':
        if ((p = Json::value(key, "ts\""))) return scalar(p, event_.ts);
        if ((p = Json::value(key, "tid\""))) return scalar(p, event_.tid);
        if ((p = Json::value(key, "traceview\""))) return json_.text(p, event_.mark);
        break;
      case 'd':
        if ((p = Json::value(key, "dur\""))) return scalar(p, event_.dur);
        break;
      case 'a':
        if ((p = Json::value(key, "args\""))) return event_.args = p, event_.args_end = json_.pass_over(p);
        break;
      case 'i':
        if ((p = Json::value(key, "id\""))) return event_.has_id = true, scalar(p, event_.id);
        if (Json::value(key, "id2\"")) return nullptr;
        break;
      case 's':
        if ((p = Json::value(key, "s\""))) return first_letter(p, event_.instant_scope);
        if (Json::value(key, "scope\"")) return nullptr;
        break;
      case 'b':
        if ((p = Json::value(key, "bp\""))) return first_letter(p, event_.bind_point);
        if (Json::value(key, "bind_id\"")) return nullptr;
        break;
      case 'f':
        if (Json::value(key, "flow_in\"") || Json::value(key, "flow_out\"")) return nullptr;
        break;
      default: break;
    }
    return json_.pass_field(key);
  }

  [[gnu::always_inline]] const char* first_letter(const char* p, char& into) {
    std::string_view letters;
    p = json_.text(p, letters);
    if (letters.empty()) return nullptr;
    into = letters.front();
    return p;
  }

  [[gnu::always_inline]] const char* scalar(const char* p, std::string_view& into) {
    if (*p == '"') return json_.text(p, into);
    const char* const last = json_.end_of_number(p);
    if (!last || last == p) return nullptr;
    into = {p, static_cast<std::size_t>(last - p)};
    return last;
  }

  const Json json_;
  TraceEvent& event_;
};

}  // namespace

const char* read_plain_event(const char* at, const char* end, TraceEvent& event) {
  return PlainEvent(end, event).read(at);
}

#else

const char* read_plain_event(const char*, const char*, TraceEvent&) { return nullptr; }

#endif

}  // namespace tv
