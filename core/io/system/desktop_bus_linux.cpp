#include "core/io/system/desktop_bus.h"

#ifdef __linux__

#include <dbus/dbus.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/base/shared_library.h"
#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kFileChooser = "org.freedesktop.portal.FileChooser";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr int kReplyWithin_ms = 25'000, kPoll_ms = 100;
constexpr std::chrono::milliseconds kFasterThanUsers{150};

// The functions of libdbus-1 that we call, as its headers declare them.
#define TV_DBUS_FUNCTIONS(each)                                                                                          \
  each(bus_get_private) each(bus_add_match) each(connection_set_exit_on_disconnect)                                      \
  each(connection_close) each(connection_unref) each(connection_read_write) each(connection_pop_message)                 \
  each(connection_send) each(connection_flush) each(connection_send_with_reply_and_block) each(message_new_method_call)  \
  each(message_unref) each(message_is_signal) each(message_get_path) each(message_iter_init_append)                      \
  each(message_iter_append_basic) each(message_iter_open_container) each(message_iter_close_container)                   \
  each(message_iter_init) each(message_iter_get_arg_type) each(message_iter_next) each(message_iter_recurse)             \
  each(message_iter_get_basic) each(error_init) each(error_free)

struct DBus {
#define TV_MEMBER(name) decltype(&::dbus_##name) name = nullptr;
  TV_DBUS_FUNCTIONS(TV_MEMBER)
#undef TV_MEMBER
  bool complete = false;
};

const DBus& dbus() {
  static const DBus functions = [] {
    DBus found;
    const SharedLibrary library("libdbus-1.so.3");
    if (!library) return found;
    found.complete = true;
#define TV_FIND(name)                      \
  library.find(found.name, "dbus_" #name); \
  found.complete = found.complete && found.name;
    TV_DBUS_FUNCTIONS(TV_FIND)
#undef TV_FIND
    return found;
  }();
  return functions;
}

struct MessageEnd {
  void operator()(DBusMessage* message) const { dbus().message_unref(message); }
};
using Message = std::unique_ptr<DBusMessage, MessageEnd>;

struct ConnectionEnd {
  void operator()(DBusConnection* connection) const {
    dbus().connection_close(connection);
    dbus().connection_unref(connection);
  }
};
using Connection = std::unique_ptr<DBusConnection, ConnectionEnd>;

Error bus_error(DBusError& failure) {
  Error error{failure.message ? failure.message : "the session bus does not answer", {}, {}, {}};
  dbus().error_free(&failure);
  return error;
}

// Writes into a message. Containers are closed in reverse order.
class Writer {
 public:
  explicit Writer(DBusMessageIter at) : at_(at) {}

  // libdbus ends the program if a text is not UTF-8, which names of files need not be.
  void text(const std::string& value) {
    const std::string valid = valid_utf8(value);
    const char* const chars = valid.c_str();
    dbus().message_iter_append_basic(&at_, DBUS_TYPE_STRING, static_cast<const void*>(&chars));
  }
  void flag(bool value) {
    const std::uint32_t number = value ? 1 : 0;
    dbus().message_iter_append_basic(&at_, DBUS_TYPE_BOOLEAN, &number);
  }
  void number(std::uint32_t value) { dbus().message_iter_append_basic(&at_, DBUS_TYPE_UINT32, &value); }
  void byte(unsigned char value) { dbus().message_iter_append_basic(&at_, DBUS_TYPE_BYTE, &value); }
  template <class Fill>
  void inside(int kind, const char* signature, Fill fill) {
    DBusMessageIter sub;
    dbus().message_iter_open_container(&at_, kind, signature, &sub);
    Writer writer(sub);
    fill(writer);
    dbus().message_iter_close_container(&at_, &writer.at_);
  }
  /// An entry of a dictionary a{sv}.
  template <class Fill>
  void entry(const char* key, const char* signature, Fill fill) {
    inside(DBUS_TYPE_DICT_ENTRY, nullptr, [&](Writer& entry) {
      entry.text(key);
      entry.inside(DBUS_TYPE_VARIANT, signature, fill);
    });
  }
  DBusMessageIter& at() { return at_; }

 private:
  DBusMessageIter at_;
};

void write_options(Writer& options, const PortalQuestion& question, const std::string& token) {
  options.entry("handle_token", "s", [&](Writer& w) { w.text(token); });
  options.entry("accept_label", "s", [&](Writer& w) { w.text(question.button); });
  options.entry("modal", "b", [](Writer& w) { w.flag(true); });
  if (!question.saves) {
    options.entry("multiple", "b", [&](Writer& w) { w.flag(question.several); });
    options.entry("directory", "b", [&](Writer& w) { w.flag(question.folders); });
  }
  if (!question.name.empty()) options.entry("current_name", "s", [&](Writer& w) { w.text(question.name); });
  if (!question.folder.empty()) {
    options.entry("current_folder", "ay", [&](Writer& w) {
      w.inside(DBUS_TYPE_ARRAY, "y", [&](Writer& bytes) {
        for (const char c : question.folder) bytes.byte(static_cast<unsigned char>(c));
        bytes.byte(0);
      });
    });
  }
  if (question.kinds.empty() || question.folders) return;
  options.entry("filters", "a(sa(us))", [&](Writer& w) {
    w.inside(DBUS_TYPE_ARRAY, "(sa(us))", [&](Writer& kinds) {
      for (const auto& kind : question.kinds) {
        kinds.inside(DBUS_TYPE_STRUCT, nullptr, [&](Writer& one) {
          one.text(kind.first);
          one.inside(DBUS_TYPE_ARRAY, "(us)", [&](Writer& patterns) {
            for (const std::string& pattern : kind.second) {
              patterns.inside(DBUS_TYPE_STRUCT, nullptr, [&](Writer& each) {
                each.number(0);  // a pattern, not a MIME type
                each.text(pattern);
              });
            }
          });
        });
      }
    });
  });
}

std::string read_text(DBusMessageIter& at) {
  const int kind = dbus().message_iter_get_arg_type(&at);
  if (kind != DBUS_TYPE_STRING && kind != DBUS_TYPE_OBJECT_PATH) return {};
  const char* value = nullptr;
  dbus().message_iter_get_basic(&at, &value);
  return value ? value : "";
}

// Response(u response, a{sv} results): 0 chosen, 1 cancelled by the user, 2 ended in another way. GTK's dialog returns 2 for Escape
// and the window's close button. The portal returns 2 if the dialog could not be shown, which happens too fast for a user.
std::vector<std::string> uris_of(DBusMessage* response, std::uint32_t& code) {
  std::vector<std::string> uris;
  DBusMessageIter at, entries;
  code = 2;
  if (!dbus().message_iter_init(response, &at) || dbus().message_iter_get_arg_type(&at) != DBUS_TYPE_UINT32) return uris;
  dbus().message_iter_get_basic(&at, &code);
  if (!dbus().message_iter_next(&at) || dbus().message_iter_get_arg_type(&at) != DBUS_TYPE_ARRAY) return uris;
  for (dbus().message_iter_recurse(&at, &entries); dbus().message_iter_get_arg_type(&entries) == DBUS_TYPE_DICT_ENTRY;
       dbus().message_iter_next(&entries)) {
    DBusMessageIter entry, value, list;
    dbus().message_iter_recurse(&entries, &entry);
    if (read_text(entry) != "uris" || !dbus().message_iter_next(&entry) || dbus().message_iter_get_arg_type(&entry) != DBUS_TYPE_VARIANT) continue;
    dbus().message_iter_recurse(&entry, &value);
    if (dbus().message_iter_get_arg_type(&value) != DBUS_TYPE_ARRAY) continue;
    for (dbus().message_iter_recurse(&value, &list); dbus().message_iter_get_arg_type(&list) == DBUS_TYPE_STRING;
         dbus().message_iter_next(&list)) {
      uris.push_back(read_text(list));
    }
  }
  return uris;
}

}  // namespace

bool may_ask_portal() {
  const char* const address = std::getenv("DBUS_SESSION_BUS_ADDRESS");
  return address && *address && dbus().complete;
}

Result<std::vector<std::string>> ask_portal(const PortalQuestion& question, const std::stop_token& stop) {
  static std::atomic<int> asked = 0;
  if (!may_ask_portal()) return Error{"there is no session bus", {}, {}, {}};
  DBusError failure;
  dbus().error_init(&failure);
  const Connection bus(dbus().bus_get_private(DBUS_BUS_SESSION, &failure));
  if (!bus) return bus_error(failure);
  dbus().connection_set_exit_on_disconnect(bus.get(), 0);
  dbus().bus_add_match(bus.get(), "type='signal',interface='org.freedesktop.portal.Request',member='Response'", &failure);
  if (failure.name) return bus_error(failure);
  const Message call(dbus().message_new_method_call(kPortal, kPortalPath, kFileChooser, question.saves ? "SaveFile" : "OpenFile"));
  if (!call) return Error{"there is no memory for a D-Bus message", {}, {}, {}};
  DBusMessageIter begin;
  dbus().message_iter_init_append(call.get(), &begin);
  Writer writer(begin);
  writer.text(question.window);
  writer.text(question.title);
  writer.inside(DBUS_TYPE_ARRAY, "{sv}", [&](Writer& options) { write_options(options, question, "traceview" + std::to_string(++asked)); });
  const Message reply(dbus().connection_send_with_reply_and_block(bus.get(), call.get(), kReplyWithin_ms, &failure));
  if (!reply) return bus_error(failure);
  DBusMessageIter at;
  // Only a value of this type may be passed on as an object path: libdbus ends the program if a path is not valid.
  if (!dbus().message_iter_init(reply.get(), &at) || dbus().message_iter_get_arg_type(&at) != DBUS_TYPE_OBJECT_PATH) {
    return Error{"the desktop's portal did not say which answer is ours", {}, {}, {}};
  }
  const std::string handle = read_text(at);
  const auto asked_at = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    if (!dbus().connection_read_write(bus.get(), kPoll_ms)) return Error{"the connection to the session bus was lost", {}, {}, {}};
    while (const Message message{dbus().connection_pop_message(bus.get())}) {
      const char* const path = dbus().message_get_path(message.get());
      if (!dbus().message_is_signal(message.get(), kRequest, "Response") || !path || handle != path) continue;
      std::uint32_t code = 2;
      std::vector<std::string> uris = uris_of(message.get(), code);
      const bool at_once = std::chrono::steady_clock::now() - asked_at < kFasterThanUsers;
      if (code > 1 && at_once) return Error{"the desktop's dialog ended without an answer", {}, {}, {}};
      if (code != 0) uris.clear();
      return uris;
    }
  }
  if (const Message close{dbus().message_new_method_call(kPortal, handle.c_str(), kRequest, "Close")}) {
    dbus().connection_send(bus.get(), close.get(), nullptr);
    dbus().connection_flush(bus.get());
  }
  return std::vector<std::string>();
}

}  // namespace tv

#else

namespace tv {

bool may_ask_portal() { return false; }
Result<std::vector<std::string>> ask_portal(const PortalQuestion&, const std::stop_token&) {
  return Error{"there is no session bus", {}, {}, {}};
}

}  // namespace tv

#endif
