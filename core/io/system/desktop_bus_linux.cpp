#include "core/io/system/desktop_bus.h"

#ifdef __linux__

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/base/shared_library.h"

namespace tv {
namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kFileChooser = "org.freedesktop.portal.FileChooser";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr int kSessionBus = 0, kReplyWithin_ms = 25'000, kPoll_ms = 100;
constexpr std::chrono::milliseconds kNobodyIsSoQuick{150};
constexpr int kArray = 'a', kString = 's', kVariant = 'v', kBool = 'b', kByte = 'y', kUnsigned = 'u', kObjectPath = 'o',
              kStruct = 'r', kEntry = 'e';

// As dbus/dbus-types.h and dbus/dbus-message.h lay them out, with room to spare.
struct BusError {
  const char* name = nullptr;
  const char* message = nullptr;
  unsigned bits = 0;
  void* more = nullptr;
};
struct alignas(16) BusIter {
  unsigned char bytes[128] = {};
};

// The functions of libdbus-1 that are called, as its manual declares them; the two kinds of objects are only passed on.
struct DBus {
  void* (*get_private)(int, BusError*) = nullptr;
  void (*set_exit_on_disconnect)(void*, std::uint32_t) = nullptr;
  const char* (*unique_name)(void*) = nullptr;
  void (*add_match)(void*, const char*, BusError*) = nullptr;
  void (*close)(void*) = nullptr;
  void (*unref)(void*) = nullptr;
  std::uint32_t (*read_write)(void*, int) = nullptr;
  void* (*pop)(void*) = nullptr;
  std::uint32_t (*send)(void*, void*, std::uint32_t*) = nullptr;
  void (*flush)(void*) = nullptr;
  void* (*send_and_wait)(void*, void*, int, BusError*) = nullptr;
  void* (*new_call)(const char*, const char*, const char*, const char*) = nullptr;
  void (*message_unref)(void*) = nullptr;
  std::uint32_t (*is_signal)(void*, const char*, const char*) = nullptr;
  const char* (*path)(void*) = nullptr;
  void (*append_begin)(void*, BusIter*) = nullptr;
  std::uint32_t (*append)(BusIter*, int, const void*) = nullptr;
  std::uint32_t (*open)(BusIter*, int, const char*, BusIter*) = nullptr;
  std::uint32_t (*shut)(BusIter*, BusIter*) = nullptr;
  std::uint32_t (*read_begin)(void*, BusIter*) = nullptr;
  int (*kind)(BusIter*) = nullptr;
  std::uint32_t (*next)(BusIter*) = nullptr;
  void (*recurse)(BusIter*, BusIter*) = nullptr;
  void (*get)(BusIter*, void*) = nullptr;
  void (*error_free)(BusError*) = nullptr;
  bool complete = false;
};

const DBus& dbus() {
  static const DBus functions = [] {
    DBus found;
    const SharedLibrary library("libdbus-1.so.3");
    if (!library) return found;
    found.complete = true;
    const auto get = [&](auto& function, const char* name) {
      library.find(function, name);
      found.complete = found.complete && function;
    };
    get(found.get_private, "dbus_bus_get_private");
    get(found.set_exit_on_disconnect, "dbus_connection_set_exit_on_disconnect");
    get(found.unique_name, "dbus_bus_get_unique_name");
    get(found.add_match, "dbus_bus_add_match");
    get(found.close, "dbus_connection_close");
    get(found.unref, "dbus_connection_unref");
    get(found.read_write, "dbus_connection_read_write");
    get(found.pop, "dbus_connection_pop_message");
    get(found.send, "dbus_connection_send");
    get(found.flush, "dbus_connection_flush");
    get(found.send_and_wait, "dbus_connection_send_with_reply_and_block");
    get(found.new_call, "dbus_message_new_method_call");
    get(found.message_unref, "dbus_message_unref");
    get(found.is_signal, "dbus_message_is_signal");
    get(found.path, "dbus_message_get_path");
    get(found.append_begin, "dbus_message_iter_init_append");
    get(found.append, "dbus_message_iter_append_basic");
    get(found.open, "dbus_message_iter_open_container");
    get(found.shut, "dbus_message_iter_close_container");
    get(found.read_begin, "dbus_message_iter_init");
    get(found.kind, "dbus_message_iter_get_arg_type");
    get(found.next, "dbus_message_iter_next");
    get(found.recurse, "dbus_message_iter_recurse");
    get(found.get, "dbus_message_iter_get_basic");
    get(found.error_free, "dbus_error_free");
    return found;
  }();
  return functions;
}

struct MessageEnd {
  void operator()(void* message) const { dbus().message_unref(message); }
};
using Message = std::unique_ptr<void, MessageEnd>;

struct ConnectionEnd {
  void operator()(void* connection) const {
    dbus().close(connection);
    dbus().unref(connection);
  }
};
using Connection = std::unique_ptr<void, ConnectionEnd>;

Error bus_error(BusError& said) {
  Error error{said.message ? said.message : "the session bus does not answer", {}, {}, {}};
  dbus().error_free(&said);
  return error;
}

// What is written into a message: containers close in reverse.
class Writer {
 public:
  explicit Writer(BusIter at) : at_(at) {}

  void text(const std::string& value) {
    const char* const chars = value.c_str();
    dbus().append(&at_, kString, static_cast<const void*>(&chars));
  }
  void flag(bool value) {
    const std::uint32_t number = value ? 1 : 0;
    dbus().append(&at_, kBool, &number);
  }
  void number(std::uint32_t value) { dbus().append(&at_, kUnsigned, &value); }
  void byte(unsigned char value) { dbus().append(&at_, kByte, &value); }
  template <class Fill>
  void inside(int kind, const char* signature, Fill fill) {
    BusIter sub;
    dbus().open(&at_, kind, signature, &sub);
    Writer writer(sub);
    fill(writer);
    dbus().shut(&at_, &writer.at_);
  }
  /// An entry of a dictionary a{sv}.
  template <class Fill>
  void entry(const char* key, const char* signature, Fill fill) {
    inside(kEntry, nullptr, [&](Writer& entry) {
      entry.text(key);
      entry.inside(kVariant, signature, fill);
    });
  }
  BusIter& at() { return at_; }

 private:
  BusIter at_;
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
      w.inside(kArray, "y", [&](Writer& bytes) {
        for (const char c : question.folder) bytes.byte(static_cast<unsigned char>(c));
        bytes.byte(0);
      });
    });
  }
  if (question.kinds.empty() || question.folders) return;
  options.entry("filters", "a(sa(us))", [&](Writer& w) {
    w.inside(kArray, "(sa(us))", [&](Writer& kinds) {
      for (const auto& kind : question.kinds) {
        kinds.inside(kStruct, nullptr, [&](Writer& one) {
          one.text(kind.first);
          one.inside(kArray, "(us)", [&](Writer& patterns) {
            for (const std::string& pattern : kind.second) {
              patterns.inside(kStruct, nullptr, [&](Writer& each) {
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

std::string read_text(BusIter& at) {
  const int kind = dbus().kind(&at);
  if (kind != kString && kind != kObjectPath) return {};
  const char* value = nullptr;
  dbus().get(&at, &value);
  return value ? value : "";
}

// Response(u response, a{sv} results): 0 chosen, 1 cancelled by the person, 2 ended in another way: GTK's says so of Escape and of the
// window's cross, the portal where what should have shown a dialog could not. That takes no person's time.
std::vector<std::string> uris_of(void* response, std::uint32_t& code) {
  std::vector<std::string> uris;
  BusIter at, entries;
  code = 2;
  if (!dbus().read_begin(response, &at) || dbus().kind(&at) != kUnsigned) return uris;
  dbus().get(&at, &code);
  if (!dbus().next(&at) || dbus().kind(&at) != kArray) return uris;
  for (dbus().recurse(&at, &entries); dbus().kind(&entries) == kEntry; dbus().next(&entries)) {
    BusIter entry, value, list;
    dbus().recurse(&entries, &entry);
    if (read_text(entry) != "uris" || !dbus().next(&entry) || dbus().kind(&entry) != kVariant) continue;
    dbus().recurse(&entry, &value);
    if (dbus().kind(&value) != kArray) continue;
    for (dbus().recurse(&value, &list); dbus().kind(&list) == kString; dbus().next(&list)) uris.push_back(read_text(list));
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
  BusError said;
  const Connection bus(dbus().get_private(kSessionBus, &said));
  if (!bus) return bus_error(said);
  dbus().set_exit_on_disconnect(bus.get(), 0);
  dbus().add_match(bus.get(), "type='signal',interface='org.freedesktop.portal.Request',member='Response'", &said);
  if (said.name) return bus_error(said);
  const Message call(dbus().new_call(kPortal, kPortalPath, kFileChooser, question.saves ? "SaveFile" : "OpenFile"));
  if (!call) return Error{"no memory for a message", {}, {}, {}};
  BusIter begin;
  dbus().append_begin(call.get(), &begin);
  Writer writer(begin);
  writer.text(question.window);
  writer.text(question.title);
  writer.inside(kArray, "{sv}", [&](Writer& options) { write_options(options, question, "traceview" + std::to_string(++asked)); });
  const Message reply(dbus().send_and_wait(bus.get(), call.get(), kReplyWithin_ms, &said));
  if (!reply) return bus_error(said);
  BusIter at;
  const std::string handle = dbus().read_begin(reply.get(), &at) ? read_text(at) : std::string();
  const auto asked_at = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    if (!dbus().read_write(bus.get(), kPoll_ms)) return Error{"the session bus has gone", {}, {}, {}};
    while (const Message message{dbus().pop(bus.get())}) {
      const char* const path = dbus().path(message.get());
      if (!dbus().is_signal(message.get(), kRequest, "Response") || !path || handle != path) continue;
      std::uint32_t code = 2;
      std::vector<std::string> uris = uris_of(message.get(), code);
      const bool at_once = std::chrono::steady_clock::now() - asked_at < kNobodyIsSoQuick;
      if (code > 1 && at_once) return Error{"the desktop's dialog ended without an answer", {}, {}, {}};
      if (code != 0) uris.clear();
      return uris;
    }
  }
  if (const Message close{dbus().new_call(kPortal, handle.c_str(), kRequest, "Close")}; close && !handle.empty()) {
    dbus().send(bus.get(), close.get(), nullptr);
    dbus().flush(bus.get());
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
