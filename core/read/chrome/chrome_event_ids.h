// Finds which events of the Trace Event Format belong together by their ids: flows, async spans, slots of a packed lane. An id is
// unique within its domain (kind, category and a qualifier). Nearly all ids are numbers, and there are millions of them, so only
// the domains are interned. The last domain is cached, since the next id usually has the same one.
//
// Source: Trace Event Format.
#pragma once

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text/same_text.h"
#include "core/read/chrome/trace_event.h"
#include "core/store/draft/event_batch.h"

namespace tv {

struct DomainId {
  std::uint32_t key;     ///< index into EventBatch::keys
  std::uint64_t number;  ///< 0 if the id is part of the key
};

class EventIds {
 public:
  /// The batch receives the keys and must outlive this.
  explicit EventIds(EventBatch& batch) : batch_(batch) {}

  /// Call when the batch has been emptied.
  void clear() {
    flow_.reset();
    async_.reset();
  }

  /// A local id is valid only within its process. `pid` is called only for these; it must always spell a process the same way.
  template <class Pid>
  DomainId of_flow(const TraceEvent& event, Pid pid) {
    if (!event.id_is_local) return in_domain(flow_, "flow", event.category, event.name, event.id);
    return in_domain(flow_, "flow of " + std::string(pid()), event.category, event.name, event.id);
  }
  /// For slices whose own record says that arrows leave or enter them.
  DomainId of_bound_flow(std::string_view bind_id) { return in_domain(flow_, "flow", "bind_id", {}, bind_id); }

  /// An id that is local, or missing, is valid only within its process.
  template <class Pid>
  DomainId of_async(const TraceEvent& event, std::string_view kind, std::string_view qualifier, Pid pid) {
    if (!event.id_is_local && event.has_id) return in_domain(async_, kind, event.category, qualifier, event.id);
    return in_domain(async_, std::string(kind) + " of " + std::string(pid()), event.category, qualifier, event.id);
  }

  /// The format has no ids for complete slices. traceview writes one: the slot of a packed lane (exported_lane.h).
  std::uint32_t of_slot(const TraceEvent& event) { return key({"slot", normal_id(event.id, id_buffer_)}); }

 private:
  // Nearly all writers use this form: only digits, without leading zeros, and few enough not to overflow.
  static std::optional<std::uint64_t> plain_number(std::string_view id) {
    if (id.empty() || id.size() > 19 || id.front() == '0') return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : id) {
      if (c < '0' || c > '9') return std::nullopt;
      number = 10 * number + static_cast<std::uint64_t>(c - '0');
    }
    return number;
  }

  struct Domain {
    std::string kind, category, qualifier;
    std::uint32_t key;

    bool is(std::string_view its_kind, std::string_view its_category, std::string_view its_qualifier) const {
      return same_text(category, its_category) && same_text(qualifier, its_qualifier) && same_text(kind, its_kind);
    }
  };

  DomainId in_domain(std::optional<Domain>& known, std::string_view kind, std::string_view category,
                     std::string_view qualifier, std::string_view id) {
    std::optional<std::uint64_t> number = plain_number(id);
    if (!number) {
      const std::string_view text = normal_id(id, id_buffer_);
      std::uint64_t written = 0;
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), written);
      const bool numeric = code == std::errc() && end == text.data() + text.size();
      if (!numeric) return {key({kind, category, qualifier, "=", text}), 0};
      number = written;
    }
    if (!known || !known->is(kind, category, qualifier)) {
      known = {std::string(kind), std::string(category), std::string(qualifier), key({kind, category, qualifier, "#"})};
    }
    return {known->key, *number};
  }

  std::uint32_t key(std::initializer_list<std::string_view> parts) {
    key_.clear();
    for (const std::string_view part : parts) key_.append(part).push_back('\x1f');
    return static_cast<std::uint32_t>(batch_.keys.intern(key_));
  }

  EventBatch& batch_;
  std::optional<Domain> flow_, async_;  // the most recent ones
  std::string id_buffer_, key_;
};

}  // namespace tv
