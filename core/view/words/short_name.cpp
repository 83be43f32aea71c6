#include "core/view/words/short_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "core/base/text/ascii.h"
#include "core/store/rules/work_rules.h"
#include "core/view/words/mangled_length.h"

namespace tv {
namespace {

// Kernels that only apply their template argument: of PyTorch (aten/src/ATen/native/cuda), CUTLASS (device_kernel.h), rocPRIM, CUB.
constexpr std::string_view kApplies[] = {
    "elementwise_kernel",
    "vectorized_elementwise_kernel",
    "unrolled_elementwise_kernel",
    "elementwise_kernel_with_index",
    "index_elementwise_kernel",
    "elementwise_kernel_manual_unroll",
    "reduce_kernel",
    "multi_tensor_apply_kernel",
    "distribution_elementwise_grid_stride_kernel",
    "Kernel",
    "Kernel2",
    "device_kernel",
    "trampoline_kernel",
    "DeviceReduceKernel",
    "kernel",
};

// Types and other arguments that do not describe what a kernel does.
constexpr std::string_view kPlainArguments[] = {
    "float",
    "double",
    "int",
    "long",
    "bool",
    "char",
    "short",
    "unsigned",
    "signed",
    "void",
    "half",
    "Half",
    "__half",
    "BFloat16",
    "bfloat16_t",
    "half_t",
    "__nv_bfloat16",
    "array",
    "tuple",
    "C",
    "true",
    "false",
    "std",
    "int64_t",
    "int32_t",
    "uint32_t",
    "uint64_t",
    "const",
    "TrivialOffsetCalculator",
    "OffsetCalculator",
    "LoadWithCast",
    "StoreWithCast",
    "LoadWithoutCast",
    "StoreWithoutCast",
    "TensorListMetadata",
    "TensorListScalarListMetadata",
    "gpu_kernel_impl_nocast",
    "gpu_kernel_impl",
};

bool is_name_part(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

template <std::size_t n>
bool is_one_of(std::string_view name, const std::string_view (&list)[n]) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// Names that could become too long stay mangled: some hundred bytes can stand for gigabytes. The names of kernels become a few
// thousand bytes long, those of CUTLASS too, and the bound is below 100,000 for these (mangled_length.h).
std::string demangled(std::string_view name) {
  constexpr double kMostDemangled = 1 << 20;  // takes milliseconds
  if (!name.starts_with("_Z")) return std::string(name);
  std::string mangled(name.substr(0, name.find_first_of(" .")));  // "... [clone .kd]"
  if (demangled_length(mangled) > kMostDemangled) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : std::string(name);
}

// Where "(float)" begins in "f<g(int)>(float)"; the length of the name if it has no parameters.
std::size_t parameters_at(std::string_view name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' && (i == 0 || name[i - 1] != '<')) ++depth;
    if (c == '>' && depth > 0) --depth;
    const bool anonymous = name.substr(i).starts_with("(anonymous") || name.substr(i).starts_with("(unnamed");
    if (c == '(' && depth == 0 && i > 0 && !anonymous) return i;
    if (c == '(') {  // skips parentheses, whose angle brackets do not count
      int open = 0;
      for (; i < name.size(); ++i) {
        open += name[i] == '(' ? 1 : name[i] == ')' ? -1 : 0;
        if (open == 0) break;
      }
    }
  }
  return name.size();
}

// Removes the return type, as in "std::enable_if<(8 > 0), void>::type f<int>": a blank outside of all brackets ends it.
std::string_view without_return_type(std::string_view name) {
  std::size_t function = 0;
  int depth = 0, open = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(') ++open;
    if (c == ')') --open;
    if (open > 0) continue;
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (c == ' ' && depth == 0 && i + 1 < name.size()) function = i + 1;
  }
  return name.substr(function);
}

// Removes "a::b::" in front of names, and the spaces of "> >".
std::string unqualified(std::string_view name) {
  std::string out;
  std::size_t word = 0;  // start of the word being copied
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    if (rest.starts_with("(anonymous namespace)::")) {
      i += std::string_view("(anonymous namespace)::").size();
    } else if (rest.starts_with("::") && out.size() > word) {
      out.resize(word);
      i += 2;
    } else if (rest.starts_with(" >")) {
      ++i;
    } else {
      out += name[i];
      if (!is_name_part(name[i])) word = out.size();
      ++i;
    }
  }
  return out;
}

// 1 for a bracket that opens, -1 for one that closes, of whatever kind.
int bracket_step(char c) { return c == '<' || c == '(' || c == '{' ? 1 : c == '>' || c == ')' || c == '}' ? -1 : 0; }

// The arguments of "f<a, g<b>>", split at top-level commas.
std::vector<std::string_view> template_arguments(std::string_view name) {
  std::vector<std::string_view> out;
  const std::size_t open = name.find('<');
  if (open == name.npos) return out;
  std::size_t begin = open + 1;
  int depth = 1;
  const auto add = [&](std::size_t end) {
    std::string_view part = name.substr(begin, end - begin);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    if (!part.empty()) out.push_back(part);
    begin = end + 1;
  };
  for (std::size_t i = open + 1; i < name.size(); ++i) {
    const char c = name[i];
    depth += bracket_step(c);
    if (depth == 0) {
      add(i);
      break;
    }
    if (c == ',' && depth == 1) add(i);
  }
  return out;
}

std::string_view head_of(std::string_view name) {
  const auto end = std::find_if_not(name.begin(), name.end(), is_name_part);
  return name.substr(0, static_cast<std::size_t>(end - name.begin()));
}

// The template argument that describes the kernel: the innermost functor, or else the first argument that is not a plain type.
struct Telling {
  std::string_view text;  // begins with the argument's name
  int depth = 0;
  bool functor = false;
};

bool names_a_functor(std::string_view head) {
  return head.find("unctor") != head.npos || head.ends_with("Op") || head.ends_with("Ops") ||
         head.ends_with("kernel_cuda") || head.ends_with("kernel_impl") || head.find("gemm") != head.npos;
}

// The end of the template arguments that begin with this bracket: where it is closed; if it is not, the comma after the last
// argument that ends.
std::size_t end_of_arguments(std::string_view name, std::size_t open) {
  std::size_t end = open;
  int depth = 0;
  for (std::size_t i = open; i < name.size(); ++i) {
    depth += bracket_step(name[i]);
    if (depth == 0) return i;
    if (name[i] == ',' && depth == 1) end = i;
  }
  return end;
}

// The text up to the end of the argument that it begins with.
std::string_view first_argument(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += bracket_step(text[i]);
    if (depth < 0 || (depth == 0 && text[i] == ',')) return text.substr(0, i);
  }
  return text;
}

// Looks at the arguments of the name's first list, of the first list in each of these, and so on. One pass without recursion,
// because a file may nest them a hundred thousand deep.
std::optional<Telling> find_telling(std::string_view name) {
  struct Open {
    std::size_t list;  // the innermost bracket around, or this one, whose arguments are looked at
    int depth;         // of these arguments
    bool had_list;     // in the present argument
  };
  std::optional<Telling> best;
  const auto look_at = [&](std::size_t begin, int depth) {
    while (begin < name.size() && name[begin] == ' ') ++begin;
    const std::string_view head = head_of(name.substr(begin));
    if (head.size() < 2 || is_digit(head.front()) || is_one_of(head, kPlainArguments)) return;
    const Telling found{name.substr(begin), depth, names_a_functor(head)};
    if (!best || (found.functor && (!best->functor || found.depth > best->depth))) best = found;
  };
  const std::size_t open = name.find('<');
  const std::size_t end = open == name.npos ? open : end_of_arguments(name, open);
  std::vector<Open> brackets;
  for (std::size_t i = open; i < end; ++i) {
    const int step = bracket_step(name[i]);
    if (step > 0) {
      Open opened{brackets.size(), 1, false};
      if (!brackets.empty()) {
        Open& around = brackets[brackets.back().list];
        opened = name[i] == '<' && !around.had_list ? Open{brackets.size(), around.depth + 1, false} : brackets.back();
        around.had_list |= name[i] == '<';
      }
      if (opened.list == brackets.size()) look_at(i + 1, opened.depth);
      brackets.push_back(opened);
    } else if (step < 0) {
      brackets.pop_back();
    } else if (name[i] == ',' && brackets.back().list + 1 == brackets.size()) {
      brackets.back().had_list = false;
      look_at(i + 1, brackets.back().depth);
    }
  }
  if (best) best->text = first_argument(best->text);
  return best;
}

// "MulFunctor<float>"; for a lambda in a function: the function, and the lambda's parameter type.
std::string text_of(const Telling& telling) {
  constexpr std::string_view kLambda = "{lambda(";
  const std::string_view head = head_of(telling.text);
  std::string out(head);
  if (const std::size_t lambda = telling.text.rfind(kLambda);
      lambda != telling.text.npos && telling.text[head.size()] == '(') {
    std::string_view types = telling.text.substr(lambda + kLambda.size());
    types = types.substr(0, types.find(')'));
    if (!types.empty()) out += '(' + std::string(types) + ')';
    return out;
  }
  std::string types;
  for (const std::string_view argument : template_arguments(telling.text)) {
    const bool plain = argument == head_of(argument) && types.size() + argument.size() < 32;
    if (plain) types += (types.empty() ? "" : ", ") + std::string(argument);
  }
  if (!types.empty() && telling.text.substr(head.size()).starts_with('<')) out += '<' + types + '>';
  return out;
}

NameForms plain_forms(std::string_view category, const std::string& name);

NameForms kernel_forms(std::string_view name) {
  std::string plain = demangled(name);
  plain.resize(parameters_at(plain));
  const std::string whole = unqualified(without_return_type(plain));
  const std::string_view function = head_of(whole);
  if (function.empty()) return {whole, whole, whole};
  if (const std::optional<Telling> telling = find_telling(whole)) {
    const std::string argument = text_of(*telling);
    const std::string medium = std::string(function) + '<' + argument + '>';
    if (is_one_of(function, kApplies)) return {whole, medium, plain_forms({}, std::string(head_of(argument)))[2]};
    return {whole, medium, std::string(function)};
  }
  if (whole.size() > function.size()) return {whole, whole, std::string(function)};
  for (const std::string_view prefix : {"ncclDevKernel_", "ncclKernel_"}) {
    if (whole.starts_with(prefix)) return {whole, whole.substr(prefix.size()), whole.substr(prefix.size())};
  }
  return plain_forms({}, whole);
}

// "path/file.py(12): function", "<built-in method item of Tensor object at 0x7f12>", "nn.Module: Linear_0"
NameForms python_forms(std::string_view name) {
  constexpr std::string_view kBuiltIn = "<built-in ", kOf = " of ", kModule = "nn.Module: ";
  if (name.starts_with(kModule))
    return {std::string(name), std::string(name.substr(kModule.size())), std::string(name.substr(kModule.size()))};
  if (name.starts_with(kBuiltIn) && name.ends_with('>')) {
    std::string_view rest =
        name.substr(kBuiltIn.size(), name.size() - kBuiltIn.size() - 1);  // "method item of Tensor object at ..."
    const std::size_t space = rest.find(' ');
    if (space == rest.npos) return {std::string(name), std::string(name), std::string(name)};
    const std::string_view kind = rest.substr(0, space), after = rest.substr(space + 1);
    const std::size_t of = after.find(kOf);
    const std::string function(after.substr(0, of));
    std::string whole = function + " (built-in " + std::string(kind);
    if (of != after.npos) whole += after.substr(of);
    return {whole + ")", function + " (built-in)", function};
  }
  const std::size_t colon = name.rfind("): "), open = name.rfind('(', colon);
  const bool framed = colon != name.npos && open != name.npos && open > 0 && colon > open + 1 &&
                      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                                  name.begin() + static_cast<std::ptrdiff_t>(colon), is_digit);
  if (!framed) return {std::string(name), std::string(name), std::string(name)};
  const std::string function(name.substr(colon + 3));
  const std::string_view path = name.substr(0, open), line = name.substr(open + 1, colon - open - 1);
  const std::string_view file = path.substr(path.find_last_of("/\\") + 1);  // npos + 1 is 0
  const auto at = [&](std::string_view where) {
    return function + " (" + std::string(where) + ":" + std::string(line) + ")";
  };
  return {at(path), at(file), function};
}

// Cuts long names of matrix product libraries before the part that names the operation.
std::optional<std::string> from_operation(std::string_view name) {
  constexpr std::size_t kLong = 24;
  if (name.size() < kLong || name.find_first_of(" <(:") != name.npos) return std::nullopt;
  for (const std::string_view operation : {"gemm", "fprop", "dgrad", "wgrad", "conv"}) {
    const std::size_t at = name.find(operation);
    if (at == name.npos || at == 0) continue;
    const std::size_t part = name.rfind('_', at);
    if (part == name.npos) return std::nullopt;
    return std::string(name.substr(part + 1));
  }
  return std::nullopt;
}

// Where the number begins in a name such as "iteration 12" or "ProfilerStep#12", whose neighbours differ only in the number. npos
// if the name has another form.
std::size_t number_of_word(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == name.npos || end == 0 || end + 1 == name.size() || (name[end] != ' ' && name[end] != '#')) return name.npos;
  const std::string_view word = name.substr(0, end);
  return std::ranges::all_of(word, [](char c) { return is_name_part(c) || c == ' '; }) ? end + 1 : name.npos;
}

NameForms plain_forms(std::string_view category, const std::string& name) {
  const std::size_t length = category.size();
  const bool begins_with_category = length > 0 && name.size() >= length + 2 && name.starts_with(category) && name[length] == '_' &&
                                    std::all_of(name.begin() + static_cast<std::ptrdiff_t>(length) + 1, name.end(), is_digit);
  if (begins_with_category) return {name, name.substr(length + 1), name.substr(length + 1)};
  if (const auto rest = from_operation(name)) return {name, *rest, *rest};
  constexpr std::string_view kEvaluate = "evaluate_function: ";  // of autograd's engine
  if (const std::size_t at = name.find(kEvaluate); at != name.npos) {
    const std::string function = name.substr(at + kEvaluate.size());
    return {name, function, function};
  }
  const std::size_t scope = name.rfind("::");
  const bool scoped =
      scope != name.npos && scope > 0 && scope + 2 < name.size() && name.find_first_of(" <(") == name.npos;
  if (scoped) return {name, name.substr(scope + 2), name.substr(scope + 2)};
  if (const std::size_t at = number_of_word(name); at != name.npos) return {name, name, name.substr(at)};
  return {name, name, name};
}

std::string one_line(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return out;
}

constexpr std::string_view kDots = "…";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The offset that is this many letters after `at`, or before `at`.
std::size_t forward(std::string_view text, std::size_t at, std::size_t letters) {
  while (at < text.size() && letters > 0) {
    do ++at;
    while (at < text.size() && continues(text[at]));
    --letters;
  }
  return at;
}
std::size_t backward(std::string_view text, std::size_t at, std::size_t letters) {
  while (at > 0 && letters > 0) {
    do --at;
    while (at > 0 && continues(text[at]));
    --letters;
  }
  return at;
}

std::size_t letter_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

}  // namespace

std::string cut_around(std::string_view name, std::size_t around, std::size_t most) {
  const std::size_t head = forward(name, 0, most / 3);
  std::size_t from = backward(name, around, most / 6);
  while (from > head && from < name.size() && continues(name[from])) --from;  // `around` may be in a letter
  from = std::max(head, from);
  std::size_t to = forward(name, from, most - most / 3 - 2);
  if (to == name.size()) from = std::max(head, backward(name, to, most - most / 3 - 1));
  std::string out(name.substr(0, head));
  if (from > head) out += kDots;
  out += name.substr(from, to - from);
  if (to < name.size()) out += kDots;
  return out;
}

NameForms name_forms(std::string_view category, std::string_view given) {
  const std::string name = one_line(given);
  if (category == "python_function") return python_forms(name);
  if (category_kind(category) == CategoryKind::Kernels || name.starts_with("void ") || name.starts_with("_Z"))
    return kernel_forms(name);
  return plain_forms(category, name);
}

const NameForms& ShortNames::of(const LabelTable& labels, LabelId label) {
  if (at_.size() < labels.size()) at_.resize(labels.size(), 0);
  std::uint32_t& at = at_[idx(label)];
  if (at == 0) {
    forms_.push_back(name_forms(labels.category(label), labels.name(label)));
    at = static_cast<std::uint32_t>(forms_.size());
  }
  return forms_[at - 1];
}

std::vector<std::string> distinct_cuts(const std::vector<std::string>& names, std::size_t most_letters) {
  std::vector<std::string> out;
  for (const std::string& name : names)
    out.push_back(letter_count(name) <= most_letters ? name : cut_around(name, name.size(), most_letters));
  // If different names have equal cuts, cuts them around their first difference. If the cuts stay equal, keeps the names whole.
  for (const bool whole : {false, true}) {
    std::map<std::string, std::vector<std::size_t>> same;
    for (std::size_t i = 0; i < out.size(); ++i) same[out[i]].push_back(i);
    for (const auto& [text, at] : same) {
      const std::string& first = names[at.front()];
      const auto differs = std::find_if(at.begin(), at.end(), [&](std::size_t i) { return names[i] != first; });
      if (differs == at.end()) continue;
      const std::string& second = names[*differs];
      const auto where = std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first - first.begin();
      for (const std::size_t i : at)
        out[i] = whole ? names[i] : cut_around(names[i], std::min(static_cast<std::size_t>(where), names[i].size()), most_letters);
    }
  }
  return out;
}

}  // namespace tv
