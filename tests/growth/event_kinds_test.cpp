// Growth kinds for Trace Event files: slices, lanes, names, begins and ends, counters, args, damage.
#include "tests/growth/trace_events.h"

using namespace tv;
using namespace tv::test;

namespace {

const GrowthKind kSliceKinds[] = {
    {"slices on one lane", 800, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5);
     })},
    {"lanes", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5, i + 1);
     })},
    {"named lanes", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("op", 10 * i, 5, i + 1);
         out.event('M', "thread_name", 0, fmt::format(R"(,"args":{{"name":"thread {}"}})", n - i), i + 1);
       }
     })},
    {"lanes with the same name", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("op", 10 * i, 5, i + 1);
         out.event('M', "thread_name", 0, R"(,"args":{"name":"worker"})", i + 1);
       }
     })},
    {"processes", 160, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5, 1, i + 1);
     })},
    {"processes with the same name", 160, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("op", 10 * i, 5, 1, i + 1);
         out.event('M', "process_name", 0, R"(,"args":{"name":"python"})", 1, i + 1);
       }
     })},
    {"names", 800, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice(fmt::format("op {}", i * 7919 % n), 10 * i, 5);
     })},
    {"names with a common beginning", 400, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice(fmt::format("at::native::vectorized_elementwise_kernel<{}>", i), 10 * i, 5);
     })},
    {"letters of one name", 10'000, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < 10; ++i) out.slice(std::string(n, static_cast<char>('a' + i)), 10 * i, 5);
     })},
    {"categories", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5, 1, 1, fmt::format(R"(,"cat":"kind {}")", i));
     })},
    {"nested slices", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", i, 2 * (n - i));
     })},
    {"slices that overlap partly", 240, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", i, n);
     })},
    {"slices that overlap their neighbours", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 75);
     })},
    {"slices at the same time", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10, 5);
     })},
    {"zero-length slices at the same time", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10, 0);
     })},
    {"slices from the last to the first", 800, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = n; i > 0; --i) out.slice("op", 10 * i, 5);
     })},
    {"stacks of slices", 800, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice(fmt::format("f{}", i % 30), i / 10 * 100 + i % 10, 90 - 2 * (i % 10));
     })},
    {"instants", 1200, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('i', "mark", 10 * i, R"(,"s":"t")");
     })},
    {"instants at the same time", 1200, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('i', "mark", 10, R"(,"s":"t")");
     })},
    {"global instants", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('i', "mark", 10 * i, R"(,"s":"g")", i % 10);
     })},
};

// Slices that overlap without nesting: the layout takes n * overlaps, with at most 512 overlaps (core/store/trace/row_layout.h). So
// does time_of_children() (core/query/neighbours.h), which statistics need for each slice that the edge of an area cuts.
const KnownGrowth kKnownOfSlices[] = {
    {"slices that overlap partly", "load", 2.8},          {"slices that overlap partly", "export chrome", 2.6},
    {"slices that overlap partly", "export perfetto", 2.7}, {"slices that overlap partly", "statistics", 4.0},
};

const GrowthKind kHalfKinds[] = {
    {"B and E pairs", 640, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('B', "op", 10 * i), out.event('E', "op", 10 * i + 5);
     })},
    {"B within B", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('B', "op", i);
       for (std::size_t i = 0; i < n; ++i) out.event('E', "op", n + i);
     })},
    {"B within B, E in the same order", 128, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('B', fmt::format("op {}", i), i);
       for (std::size_t i = 0; i < n; ++i) out.event('E', fmt::format("op {}", i), n + i);
     })},
    {"B without E", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('B', "op", 10 * i);
     })},
    {"E without B", 1000, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('E', "op", 10 * i);
       out.slice("op", 0, 5);
     })},
    {"E whose names differ from B's", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('B', "op", i);
       for (std::size_t i = 0; i < n; ++i) out.event('E', "other", n + i);
     })},
    {"asynchronous ids", 400, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         const std::string id = fmt::format(R"(,"cat":"x","id":"{}")", i);
         out.event('b', "request", 10 * i, id), out.event('e', "request", 10 * i + 35, id);
       }
     })},
    {"asynchronous ids that all overlap", 200, events([](TraceEvents& out, std::size_t n) {
       for (const char phase : {'b', 'e'}) {
         for (std::size_t i = 0; i < n; ++i) {
           out.event(phase, "request", i + (phase == 'e' ? 2 * n : 0), fmt::format(R"(,"cat":"x","id":"{}")", i));
         }
       }
     })},
    {"events of one asynchronous id", 400, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.event('b', "part", 10 * i, R"(,"cat":"x","id":"1")"), out.event('e', "part", 10 * i + 5, R"(,"cat":"x","id":"1")");
       }
     })},
    {"b without e", 200, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('b', "request", 10 * i, fmt::format(R"(,"cat":"x","id":"{}")", i));
     })},
    {"b of one id without e", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('b', "request", 10 * i, R"(,"cat":"x","id":"1")");
     })},
    {"metadata of one thread", 1000, events([](TraceEvents& out, std::size_t n) {
       out.slice("op", 0, 5);
       for (std::size_t i = 0; i < n; ++i) out.event('M', "thread_name", 0, fmt::format(R"(,"args":{{"name":"name {}"}})", i));
     })},
    {"counters", 200, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < 4 * n; ++i) {
         out.event('C', fmt::format("counter {}", i % n), 10 * i, fmt::format(R"(,"args":{{"value":{}}})", i % 77));
       }
     })},
    {"samples of one counter", 1200, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('C', "counter", 10 * i, fmt::format(R"(,"args":{{"value":{}}})", i % 77));
     })},
    {"samples at the same time", 1200, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.event('C', "counter", 10, fmt::format(R"(,"args":{{"value":{}}})", i % 77));
     })},
    {"series of one counter", 200, events([](TraceEvents& out, std::size_t n) {
       std::string args;
       for (std::size_t i = 0; i < n; ++i) args += fmt::format(R"({}"key {}":{})", i ? "," : "", i, i % 77);
       for (std::size_t i = 0; i < 4; ++i) out.event('C', "counter", 10 * i, R"(,"args":{)" + args + "}");
     })},
};

// These slices overlap partly, too: see kKnownOfSlices.
const KnownGrowth kKnownOfHalves[] = {{"B within B, E in the same order", "statistics", 3.6}};

// A file of n records with other text before and after each.
std::function<void(Meter&, std::size_t)> records_within(std::string opening, std::string before, std::string after,
                                                        std::string closing) {
  return file("trace.json", [=](std::size_t n) {
    std::string text = opening;
    for (std::size_t i = 0; i < n; ++i) {
      text += before + fmt::format(R"({{"ph":"X","ts":{},"dur":5,"tid":1,"pid":1}})", 10 * i) + after;
    }
    return text + closing;
  });
}

const GrowthKind kRecordKinds[] = {
    {"args of one record", 1600, events([](TraceEvents& out, std::size_t n) {
       std::string args;
       for (std::size_t i = 0; i < n; ++i) args += fmt::format(R"({}"arg {}":{})", i ? "," : "", i, i);
       for (std::size_t i = 0; i < 4; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"args":{)" + args + "}");
     })},
    {"args with the same name", 1600, events([](TraceEvents& out, std::size_t n) {
       std::string args;
       for (std::size_t i = 0; i < n; ++i) args += fmt::format(R"({}"arg":{})", i ? "," : "", i);
       for (std::size_t i = 0; i < 4; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"args":{)" + args + "}");
     })},
    {"members of one record", 1600, events([](TraceEvents& out, std::size_t n) {
       std::string more;
       for (std::size_t i = 0; i < n; ++i) more += fmt::format(R"(,"member {}":{})", i, i);
       for (std::size_t i = 0; i < 4; ++i) out.slice("op", 10 * i, 5, 1, 1, more);
     })},
    {"depth of args", 80, events([](TraceEvents& out, std::size_t n) {
       const std::string args = std::string(n, '[') + std::string(n, ']');
       for (std::size_t i = 0; i < 4; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"args":{"a":)" + args + "}");
     })},
    {"letters of one arg", 20'000, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < 8; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"args":{"a":")" + std::string(n, 'x') + "\"}");
     })},
    {"escapes of one arg", 5'000, events([](TraceEvents& out, std::size_t n) {
       std::string text;
       for (std::size_t i = 0; i < n; ++i) text += R"(\n\")";
       for (std::size_t i = 0; i < 8; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"args":{"a":")" + text + "\"}");
     })},
    {"records that are not JSON", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5), out.add(R"({"ph":"X","name":"op","ts":,"dur":5 "tid"})");
     })},
    {"records without a time", 1000, events([](TraceEvents& out, std::size_t n) {
       out.slice("op", 0, 5);
       for (std::size_t i = 0; i < n; ++i) out.add(R"({"ph":"X","name":"op","dur":5,"tid":1,"pid":1})");
     })},
    {"records of an unknown phase", 1000, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5), out.event('?', "op", 10 * i);
     })},
    {"letters between records", 640, records_within("[", "", "x", "]")},
    {"letters between records of an object", 640, records_within(R"({"traceEvents":[)", "", "x", "]}")},
    {"letters and newlines between records", 640, records_within("[", "", "x\n", "]")},
    {"strings between records", 640, records_within("[", "", R"("x")", "]")},
    {"members between records", 640, records_within("[", "", R"(,"ts":1)", "]")},
    {"members after brackets that came too early", 640, records_within("[", "", R"(,"name":1)", "]")},
    {"members that lost a bracket", 640, records_within(R"({"traceEvents":[],)", R"("a":[[)", "],", R"("b":1})")},
    {"objects with a damaged first member", 640, records_within("", "", "\n{\"a\":[}\n", "")},
    {"objects without a key", 2000, records_within("", "{x", "", "")},
    {"records that lost their end", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("op", 10 * i, 4);
         out.add(fmt::format(R"({{"ph":"X","name":"op","ts":{},"dur":4,"tid":1)", 10 * i + 5));
       }
     })},
    {"extra brackets in one record", 1600, events([](TraceEvents& out, std::size_t n) {
       std::string record = R"({"ph":"X","ts":10,"dur":5,"tid":1,"pid":1}, "name":"op"})";
       for (std::size_t i = 0; i < n; ++i) record += fmt::format(R"(, "member{}":{}}})", i, i);
       out.slice("op", 0, 5);
       out.add(record);
     })},
    {"members of damaged records", 1600, events([](TraceEvents& out, std::size_t n) {
       std::string more = R"( "value":5)";  // without a comma
       for (std::size_t i = 0; i < n; ++i) more += fmt::format(R"(,"member {}":{})", i, i);
       for (std::size_t i = 0; i < 4; ++i) out.slice("op", 10 * i, 5, 1, 1, more);
     })},
    {"records with lost quotes", 320, events([](TraceEvents& out, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5, 1, 1, R"(,"args":{"a":"lost})");
     })},
    {"raw newlines in one record", 1000, events([](TraceEvents& out, std::size_t n) {
       out.slice("op", 0, 5);
       out.slice("op", 10, 5, 1, 1, R"(,"args":{"a":")" + std::string(n, '\n') + "\"}");
     })},
    {"brackets that are never closed", 640, file("trace.json", [](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < 100; ++i) out.slice("op", 10 * i, 5);
       std::string text = out.text();
       text.erase(text.rfind(']'));
       return text + "," + std::string(n, '{');
     })},
    {"documents one after the other", 320, file("trace.json", [](std::size_t n) {
       std::string text;
       for (std::size_t i = 0; i < n; ++i) {
         TraceEvents out;
         out.slice("op", 10 * i, 5);
         text += out.text();
       }
       return text;
     })},
    {"members beside the events", 1000, file("trace.json", [](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < 10; ++i) out.slice("op", 10 * i, 5);
       std::string text = R"({"traceEvents":)" + out.text();
       for (std::size_t i = 0; i < n; ++i) text += fmt::format(R"(,"member {}":{})", i, i);
       return text + "}";
     })},
    {"blank lines", 40'000, file("trace.json", [](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < 100; ++i) out.slice("op", 10 * i, 5), out.add(std::string(n / 100, '\n') + R"({"ph":"E"})");
       return out.text();
     })},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: slices and lanes cost at most n log n, with known exceptions") { check_growth(kSliceKinds, kKnownOfSlices); }
  TEST_CASE("growth: begins and ends, counters and metadata cost at most n log n, with known exceptions") {
    check_growth(kHalfKinds, kKnownOfHalves);
  }
  TEST_CASE("growth: contents of records and damage in them cost at most n log n") { check_growth(kRecordKinds); }
}
