// Formats that are recognised by name and content but have no reader in this version: they are listed with that reason,
// and with what to do instead, rather than being called unknown. Each moves to a file of its own when its reader comes.
// Source: formats.md 4.1.
#include "core/read/reader.h"

namespace tv {
namespace {

constexpr int kOfItsFormat = 100, kByName = 50;
constexpr std::string_view kAsSqlite =
    "export the report as a database: nsys export --type sqlite -o X.sqlite X.nsys-rep";

int probe_nsys_stream(const Probe& probe) { return probe.path.ends_with(".qdstrm") ? kByName : 0; }
int probe_parquet(const Probe& probe) { return probe.head.starts_with("PAR1") ? kOfItsFormat : 0; }
int probe_arrow(const Probe& probe) {
  const bool stream = probe.path.ends_with(".arrow") && probe.head.starts_with("\xff\xff\xff\xff");
  return probe.head.starts_with("ARROW1") || stream ? kOfItsFormat : 0;
}
int probe_hdf5(const Probe& probe) { return probe.head.starts_with("\x89HDF\r\n\x1a\n") ? kOfItsFormat : 0; }

constexpr Reader unread(std::string_view id, std::string_view title, int (*probe)(const Probe&),
                        std::string_view remedy) {
  Reader reader{id, title, probe, nullptr, nullptr, nullptr};
  reader.remedy = remedy;
  return reader;
}

}  // namespace

extern const Reader kNsysStream = unread("nsys_stream", "what Nsight Systems records before it makes a report of it",
                                         probe_nsys_stream, "make one: QdstrmImporter -i X.qdstrm, then open X.nsys-rep");
extern const Reader kParquet = unread("parquet", "a Parquet table", probe_parquet, kAsSqlite);
extern const Reader kArrow = unread("arrow", "an Arrow table", probe_arrow, kAsSqlite);
extern const Reader kHdf5 = unread("hdf5", "an HDF5 file", probe_hdf5, kAsSqlite);

}  // namespace tv
