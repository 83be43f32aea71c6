// Marks and measured spans: their order, names, deletion and undo, and the places of their names.
#include <doctest/doctest.h>

#include <random>

#include "core/view/lists/notes_list.h"
#include "core/view/table/table_files.h"
#include "core/view/table/table_rows.h"
#include "core/view/timeline/note_flags.h"
#include "core/view/timeline/notes.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("notes: notes are sorted, unique by time, and can be renamed and recoloured") {
  Notes notes;
  CHECK(notes.add({{300, 300}}) == 0);
  CHECK(notes.add({{100, 100}}) == 0);
  CHECK(notes.add({{100, 200}, "span"}) == 1);
  const std::uint64_t version = notes.version();
  CHECK(notes.add({{100, 200}, "another"}) == 1);
  CHECK(notes.version() == version);
  CHECK(notes.all()[1].name == "span");
  notes.rename(0, "  a\nb\t ");
  CHECK(notes.all()[0].name == "a b");
  notes.recolor(0, NoteColor::Red);
  CHECK(notes.version() == version + 2);
  notes.rename(7, "nowhere");
  notes.recolor(0, NoteColor::Red);
  CHECK(notes.version() == version + 2);
  CHECK(title(notes.all()[0]) == "a b");
  CHECK(title(notes.all()[2]) == "mark");
}

TEST_CASE("notes: names are valid UTF-8, cut between characters at the maximum length") {
  Notes notes;
  std::string name;
  while (name.size() + 3 <= kLongestNoteName) name += "训";
  notes.add({{0, 0}, name + "练"});
  CHECK(notes.all()[0].name == name);
  name += std::string(kLongestNoteName - name.size(), 'x');
  notes.rename(0, name + "练");  // cut between two characters
  CHECK(notes.all()[0].name == name);
  name = "x" + name.substr(0, name.find('x'));
  CHECK(name.size() == kLongestNoteName);
  notes.rename(0, name + "练");
  CHECK(notes.all()[0].name == name);
  notes.rename(0, "\xE8\xAE");
  CHECK(notes.all()[0].name == "\xEF\xBF\xBD\xEF\xBF\xBD");  // one for each byte
}

TEST_CASE("notes: deleted notes are restored, the last one first") {
  Notes notes;
  CHECK(!notes.restore());
  notes.add({{1, 1}, "one"});
  notes.add({{2, 2}, "two"});
  notes.erase(0);
  notes.erase(0);
  notes.erase(0);
  CHECK(notes.empty());
  CHECK(notes.restore() == 0);
  CHECK(notes.all()[0].name == "two");
  CHECK(notes.restore() == 0);
  CHECK(notes.all()[0].name == "one");
  CHECK(!notes.restore());
}

TEST_CASE("notes: a restored note replaces a newer one at its time, which can be restored too") {
  Notes notes;
  notes.add({{1, 1}, "earlier"});
  notes.add({{5, 5}, "named"});
  notes.erase(0);
  notes.erase(0);
  notes.add({{5, 5}});
  const std::uint64_t version = notes.version();
  CHECK(notes.restore() == 0);
  REQUIRE(notes.all().size() == 1);
  CHECK(notes.all()[0].name == "named");
  CHECK(notes.version() > version);
  CHECK(notes.restore() == 0);
  CHECK(notes.all()[0].name == "earlier");
  CHECK(notes.restore() == 1);
  REQUIRE(notes.all().size() == 2);
  CHECK(notes.all()[1].name.empty());
}

TEST_CASE("notes: the nearest note in view is found, and notes with changed times are sorted again") {
  Notes notes;
  notes.add({{100, 100}});
  notes.add({{100, 400}});
  notes.add({{900, 900}});
  CHECK(notes.nearest(120, {0, 1000}) == 0);
  CHECK(notes.nearest(390, {0, 1000}) == 1);
  CHECK(notes.nearest(890, {0, 1000}) == 2);
  CHECK(notes.nearest(890, {0, 800}) == 1);
  CHECK(!notes.nearest(500, {500, 600}));
  notes.carry([](Ns t) { return t == 900 ? 50 : t + 1000; });
  CHECK(notes.all()[0].time == TimeRange{50, 50});
  CHECK(notes.all()[2].time == TimeRange{1100, 1400});
}

TEST_CASE("note flags: names do not overlap, stay on the ruler and touch their marks") {
  for (const std::uint64_t seed : seeds(200)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto number = [&](std::uint64_t below) { return static_cast<Ns>(random() % below); };
    Notes notes;
    for (Ns n = 0; n < 12; ++n) notes.add({{number(1000), 0}, std::string(static_cast<std::size_t>(number(4)), 'x')});
    std::vector<Note> marks = notes.all();
    for (Note& note : marks) note.time.end = note.time.begin;
    std::vector<NoteFlag> flags;
    place_flags(marks, {200, 600}, 600, [](const Note& note) { return static_cast<double>(note.name.size()) * 50; }, 20, 120, flags);
    double end = 0;
    for (const NoteFlag& flag : flags) {
      CHECK(flag.x >= 0);
      CHECK(flag.x <= 600);
      if (flag.label_px == 0) continue;
      CHECK(!marks[flag.note].name.empty());
      CHECK(flag.label_px >= 20);
      CHECK(flag.label_px <= 120);
      CHECK(flag.label_x >= end - 1e-9);
      CHECK((flag.label_x == flag.x || flag.label_x + flag.label_px == doctest::Approx(flag.x)));
      end = flag.label_x + flag.label_px;
      CHECK(end <= 600);
    }
  }
}

TEST_CASE("note flags: a name is shown in full if there is room, else cut before the next mark") {
  const std::vector<Note> notes = {{{0, 0}, "first"}, {{50, 50}, {}}, {{100, 100}, "second"}, {{590, 590}, "third"}};
  std::vector<NoteFlag> flags;
  place_flags(notes, {0, 600}, 600, [](const Note&) { return 150.0; }, 20, 200, flags);
  REQUIRE(flags.size() == 4);
  CHECK(flags[0].label_px == 100);
  CHECK(flags[1].label_px == 0);
  CHECK(flags[2].label_px == 150);
  CHECK(flags[3].label_x == 440);  // before its mark
}

TEST_CASE("notes list: the table can be sorted by each column and exported as text") {
  const std::vector<Note> notes = {{{100, 100}, "step 10"}, {{200, 1200}, "step 9"}, {{300, 300}, {}}, {{400, 450}, "step 9"}};
  const ListTable table = notes_table(notes, TimeStyle{TimeFormat::Seconds, 0, false, {}});
  using Order = std::vector<std::uint32_t>;
  const auto by = [&](const char* column, bool falling) {
    TableState state;
    state.sort = {{column, falling}};
    TableRows rows;
    rows.update(table, 1, state);
    return Order(rows.shown().begin(), rows.shown().end());
  };
  CHECK(by("begin", true) == Order{3, 2, 1, 0});
  CHECK(by("name", false) == Order{2, 1, 3, 0});  // a note without a name is "mark"
  CHECK(by("length", true) == Order{1, 3, 0, 2});
  CHECK(table.target(2).range == TimeRange{300, 300});
  CHECK(table_as_text(table, Order{1, 2}, TableState(), TableFormat::Tsv) ==
        "Name\tTime (ns)\tLength (ns)\nstep 9\t200\t1000\nmark\t300\t\n");
}
