// Runs a fuzz target where libFuzzer is not available (gcc): first every file given, then random
// changes of them. Takes the options of libFuzzer that tests/CMakeLists.txt passes. Every input is
// written to a file before it is tried: after a crash the last one is in the file crash-last, behind
// artifact_prefix, and running the program on that file repeats the crash.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// The mutator of a target that knows its format (mutate.h); null if there is none.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                                     std::size_t max_size, unsigned seed);

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Options {
    std::uint64_t runs = 0;
    std::uint64_t seed = 1;
    std::size_t max_len = 65536;
    double max_total_time = 1e9;
    std::string artifact_prefix = "./";
    std::vector<std::filesystem::path> paths;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string arg = argv[i];
        const std::size_t equals = arg.find('=');
        if (arg[0] != '-' || equals == std::string::npos) {
            options.paths.emplace_back(arg);
            continue;
        }
        const std::string name = arg.substr(1, equals - 1);
        const std::string value = arg.substr(equals + 1);
        if (name == "runs") options.runs = std::stoull(value);
        if (name == "seed") options.seed = std::stoull(value);
        if (name == "max_len") options.max_len = std::stoull(value);
        if (name == "max_total_time") options.max_total_time = std::stod(value);
        if (name == "artifact_prefix") options.artifact_prefix = value;
    }
    return options;
}

Bytes read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::vector<Bytes> read_corpus(const Options& options) {
    std::vector<std::filesystem::path> files;
    for (const auto& path : options.paths) {
        if (std::filesystem::is_regular_file(path)) files.push_back(path);
        if (!std::filesystem::is_directory(path)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
            if (entry.is_regular_file()) files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Bytes> corpus;
    for (const auto& file : files)
        corpus.push_back(read_file(file));
    return corpus;
}

class Mutator {
  public:
    Mutator(const std::vector<Bytes>& corpus, const Options& options)
        : corpus_(corpus), max_len_(options.max_len), random_(options.seed) {}

    Bytes next() {
        Bytes bytes = corpus_.empty() ? Bytes() : corpus_[below(corpus_.size())];
        if (LLVMFuzzerCustomMutator) {
            const std::size_t size = std::min(bytes.size(), max_len_);
            bytes.resize(max_len_);
            const auto seed = static_cast<unsigned>(random_());
            bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, max_len_, seed));
            return bytes;
        }
        return changed(std::move(bytes), max_len_);
    }
    Bytes changed(Bytes bytes, std::size_t max_len) {
        for (std::size_t i = 1 + below(4); i > 0; --i)
            change(bytes);
        if (bytes.size() > max_len) bytes.resize(max_len);
        return bytes;
    }

  private:
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

    void change(Bytes& bytes) {
        using namespace std::string_literals;
        static const std::string tokens = "{}[],:\"\\-0123456789eE.+\n\r\t \0\xff\x80nulltruefalse"s;
        const auto at = static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
        const std::size_t rest = bytes.size() - static_cast<std::size_t>(at);
        const auto count = static_cast<std::ptrdiff_t>(std::min(rest, 1 + below(32)));
        switch (below(6)) {
            case 0:  // change one byte
                if (rest > 0)
                    bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(below(256));
                break;
            case 1:  // insert one of the characters that matter to our formats
                bytes.insert(bytes.begin() + at,
                             static_cast<std::uint8_t>(tokens[below(tokens.size())]));
                break;
            case 2:  // remove some bytes
                bytes.erase(bytes.begin() + at, bytes.begin() + at + count);
                break;
            case 3: {  // repeat some bytes
                const Bytes again(bytes.begin() + at, bytes.begin() + at + count);
                bytes.insert(bytes.begin() + at, again.begin(), again.end());
                break;
            }
            case 4:  // cut off the end
                bytes.resize(static_cast<std::size_t>(at));
                break;
            default:  // continue with the end of another input
                if (!corpus_.empty()) {
                    const Bytes& other = corpus_[below(corpus_.size())];
                    bytes.resize(static_cast<std::size_t>(at));
                    bytes.insert(bytes.end(),
                                 other.end() - static_cast<std::ptrdiff_t>(below(other.size() + 1)),
                                 other.end());
                }
        }
    }

    const std::vector<Bytes>& corpus_;
    std::size_t max_len_;
    std::mt19937_64 random_;
};

// Used by LLVMFuzzerMutate(), which a target's own mutator calls for generic changes.
Mutator* mutator_in_use = nullptr;

// A file that always holds the input being tried.
class LastInput {
  public:
    explicit LastInput(const std::string& path)
        : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644)) {
        if (file_ < 0) std::fprintf(stderr, "cannot write %s\n", path.c_str());
    }
    void keep(const Bytes& bytes) {
        if (file_ < 0) return;
        const bool kept = pwrite(file_, bytes.data(), bytes.size(), 0) >= 0 &&
                          ftruncate(file_, static_cast<off_t>(bytes.size())) == 0;
        if (!kept) file_ = -1;
    }
    void remove() { std::filesystem::remove(path_); }

  private:
    std::string path_;
    int file_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size) {
    const Bytes bytes = mutator_in_use->changed(Bytes(data, data + size), max_size);
    std::copy(bytes.begin(), bytes.end(), data);
    return bytes.size();
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const std::vector<Bytes> corpus = read_corpus(options);
    LastInput last_input(options.artifact_prefix + "crash-last");
    const auto run = [&](const Bytes& bytes) {
        last_input.keep(bytes);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    };
    for (const Bytes& bytes : corpus)
        run(bytes);

    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    Mutator mutator(corpus, options);
    mutator_in_use = &mutator;
    std::uint64_t done = 0;
    while (done < options.runs && seconds() < options.max_total_time) {
        run(mutator.next());
        ++done;
    }
    last_input.remove();
    std::printf("%zu files and %llu changed ones, no crash\n", corpus.size(),
                static_cast<unsigned long long>(done));
}
