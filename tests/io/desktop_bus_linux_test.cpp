// The desktop's portal, played by a bus that answers every call with nothing.
#include "core/io/system/desktop_bus.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "tests/support/skip.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string as_bytes(std::uint32_t number) {
  std::string out(sizeof number, '\0');
  std::memcpy(out.data(), &number, sizeof number);
  return out;
}

// A session bus for one connection. Its messages are little-endian, as are the machines that this program runs on.
// Source: https://dbus.freedesktop.org/doc/dbus-specification.html, "Message Format" and "Authentication Protocol".
class EmptyBus {
 public:
  EmptyBus() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(::mkdtemp(folder_.data()) != nullptr);
    const std::string path = folder_ + "/bus";
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    REQUIRE(::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(listening_, 1) == 0);
    if (const char* const before = std::getenv("DBUS_SESSION_BUS_ADDRESS")) before_ = before;
    ::setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + path).c_str(), 1);
    thread_ = std::thread([this] { serve(); });
  }
  ~EmptyBus() {
    static_cast<void>(calls());
    ::close(listening_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    before_ ? ::setenv("DBUS_SESSION_BUS_ADDRESS", before_->c_str(), 1) : ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
  }
  EmptyBus(const EmptyBus&) = delete;
  EmptyBus& operator=(const EmptyBus&) = delete;

  /// The bytes of all messages, once the connection has ended or nothing was said for a while.
  const std::string& calls() {
    ::shutdown(listening_, SHUT_RDWR);  // ends accept() if no client has connected
    if (thread_.joinable()) thread_.join();
    return calls_;
  }

 private:
  void serve() {
    connection_ = ::accept(listening_, nullptr, nullptr);
    if (connection_ < 0) return;
    constexpr timeval kSilence{20, 0};
    ::setsockopt(connection_, SOL_SOCKET, SO_RCVTIMEO, &kSilence, sizeof kSilence);
    if (agree()) {
      while (answer_one()) {
      }
    }
    ::close(connection_);
  }

  bool send(std::string_view bytes) const {
    return ::send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  bool take(std::string& bytes, std::size_t n) const {
    bytes.resize(n);
    return n == 0 || ::recv(connection_, bytes.data(), n, MSG_WAITALL) == static_cast<ssize_t>(n);
  }

  // Accepts every user, and no descriptors.
  bool agree() const {
    std::string line, byte;
    while (take(byte, 1)) {
      line += byte;
      if (byte != "\n") continue;
      if (line == "BEGIN\r\n") return true;
      const bool is_user = line.find("AUTH EXTERNAL") != line.npos;
      if (!send(is_user ? "OK 0123456789abcdef0123456789abcdef\r\n" : "ERROR\r\n")) return false;
      line.clear();
    }
    return false;
  }

  bool answer_one() {
    std::string head, rest;
    if (!take(head, 16)) return false;
    std::uint32_t body = 0, serial = 0, fields = 0;
    std::memcpy(&body, head.data() + 4, sizeof body);
    std::memcpy(&serial, head.data() + 8, sizeof serial);
    std::memcpy(&fields, head.data() + 12, sizeof fields);
    if (!take(rest, (fields + 7) / 8 * 8 + body)) return false;
    calls_ += head + rest;
    // The fields of the answer: the number of the call and, only for the first call, Hello, the type of its value, a string.
    const bool hello = serial == 1;
    const std::string number = std::string("\5\1u\0", 4) + as_bytes(serial);
    const std::string type = hello ? std::string("\10\1g\0\1s\0", 7) : "", value = hello ? as_bytes(4) + std::string(":1.1\0", 5) : "";
    const std::string padding(hello ? 1 : 0, '\0');
    const std::string length = as_bytes(static_cast<std::uint32_t>(value.size()));
    return send("l\2\1\1" + length + as_bytes(++sent_) + as_bytes(static_cast<std::uint32_t>((number + type).size())) + number + type +
                padding + value);
  }

  std::string folder_ = "/tmp/traceview-bus-XXXXXX";  // TMPDIR may be longer than an address
  std::optional<std::string> before_;
  const int listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int connection_ = -1;
  std::uint32_t sent_ = 0;
  std::string calls_;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace

// libdbus aborts the program if it is given a text that is not UTF-8, or a malformed path.
TEST_CASE("desktop bus: a name that is not UTF-8 is repaired, and an answer that names no request is an error") {
  EmptyBus bus;
  if (!may_ask_portal()) return skip("there is no libdbus-1");
  PortalQuestion question;
  question.title = "Export";
  question.name = "caf\xe9.json";
  question.saves = true;
  std::stop_source stop;
  stop.request_stop();  // as if the window were closed while it asks
  const auto chosen = ask_portal(question, stop.get_token());
  REQUIRE(!chosen.ok());
  CHECK(chosen.error().message == "the desktop's portal did not say which answer is ours");
  CHECK(bus.calls().find("caf\xEF\xBF\xBD.json") != std::string::npos);
}
