#include "core/view/color/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/base/text/ascii.h"
#include "core/view/color/chart_palette.h"
#include "core/view/color/phase_colors.h"

namespace tv {
namespace {

// A family of labels: OKLCH hue in degrees, how far names may deviate from this hue, chroma; and the colour in the chart palette
// for PaletteKind::ColorBlind.
struct Family {
  float hue, stray, chroma;
  int clear;
};

constexpr Family kKernel{155, 28, 0.13f, 2};
constexpr Family kCommunication{40, 12, 0.16f, 1};
constexpr Family kMemory{95, 8, 0.13f, 6};
constexpr Family kCpuOp{262, 22, 0.12f, 0};
constexpr Family kRuntime{220, 12, 0.09f, 4};
constexpr Family kPython{275, 6, 0.075f, 7};  // the first hue of the range
constexpr unsigned kPythonHues = 6;
constexpr float kPythonStep = 18;
constexpr Family kAnnotation{320, 16, 0.12f, 3};
constexpr Family kRequest{190, 12, 0.07f, 2};
constexpr Family kStep{275, 0, 0.05f, 8};
constexpr Family kGrey{260, 0, 0.012f, kWaitingColor};

struct Known {
  std::string_view category;
  Family family;
};
// Categories of kineto and of the verl reader (read/verl/verl_events.cpp) that work_rules.h and phase_colors.h do not have.
constexpr Known kKnown[] = {
    {"cpu_op", kCpuOp},
    {"Operator", kCpuOp},  // kineto's name for it in 2021
    {"request", kRequest}, {"step", kStep},
    {"mark", kAnnotation},
};

constexpr std::string_view kWholeEngineCall = "turn_engine_call";  // as the verl reader names it

// Jobs of a pipeline (Paddle), named as in its log and its exports. Their micro-batch is in the name, so the colour goes by the
// category alone: the kind of job for the hue, the chunk for the lightness.
struct PipelineKind {
  std::string_view category;
  int color;
};
constexpr PipelineKind kPipeline[] = {
    {"forward", kForwardColor},          {"backward", kBackwardColor},
    {"backward_b", kBackwardInputColor}, {"backward_w", kBackwardWeightsColor},
    {"recv_forward", kTransferColor},    {"send_backward", kTransferColor},
    {"optimizer", kOptimizerColor},      {"lr", kLearningRateColor},
};

struct JobColor {
  int color;
  unsigned chunk = 0;
};

std::optional<JobColor> pipeline_job(std::string_view category, std::string_view name) {
  constexpr std::string_view kReduce = "_reduce", kChunk = "_VP";
  std::string_view kind = category;
  if (category == "pipeline timeline" || category == "virtual pipeline timeline") {  // dygraph: F3, B3_VP1
    if (name.empty() || (name[0] != 'F' && name[0] != 'B')) return std::nullopt;
    const std::size_t chunk = name.find(kChunk);
    const bool odd = chunk != name.npos && (name.back() - '0') % 2 != 0;
    return JobColor{name[0] == 'F' ? kForwardColor : kBackwardColor, odd ? 1u : 0u};
  }
  if (kind.ends_with(kReduce)) kind.remove_suffix(kReduce.size());
  unsigned chunk = 0;
  if (!kind.empty() && is_digit(kind.back())) chunk = static_cast<unsigned>(kind.back() - '0');
  while (!kind.empty() && is_digit(kind.back())) kind.remove_suffix(1);
  const auto* known = std::ranges::find(kPipeline, kind, &PipelineKind::category);
  return known == std::end(kPipeline) ? std::nullopt : std::optional(JobColor{known->color, chunk});
}

std::uint64_t mixed(std::uint64_t h);
std::uint64_t hash_of(std::string_view text, std::uint64_t hash);

// The file decides between kPythonHues hues, so that a stack is not one colour from top to bottom.
Family python_family(std::string_view name) {
  std::string_view file = name.substr(0, name.find('('));  // "path/file.py(12): function"
  if (name.starts_with("<built-in")) file = "<built-in";
  if (name.starts_with("nn.Module")) file = "nn.Module";
  const auto hue = static_cast<float>(mixed(hash_of(file, 0xcbf29ce484222325ULL)) % kPythonHues);
  return {kPython.hue + hue * kPythonStep, kPython.stray, kPython.chroma, kPython.clear};
}

std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// FNV's high bits are poor for short texts; this spreads them.
std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdULL;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ h >> 33;
}

// A slice without a category of a device is communication only if its name is that of a communication library.
bool is_communication(std::string_view category, std::string_view name, const CommunicationRules& rules) {
  if (is_device_category(category)) return device_work(category, name, rules) == DeviceWork::Communication;
  return !cpu_communication(category, name).empty();
}

Family family_of(std::string_view category, std::string_view name, std::uint64_t hash,
                 const CommunicationRules& rules) {
  if (is_communication(category, name, rules)) return kCommunication;
  if (name.starts_with("Memcpy") || name.starts_with("Memset")) return kMemory;
  if (category == "python_function") return python_family(name);
  switch (category_kind(category)) {
    case CategoryKind::Kernels:
    case CategoryKind::Graphs: return kKernel;
    case CategoryKind::Tasks: {
      const DeviceWork work = device_work(category, name, rules);
      return work == DeviceWork::Memory ? kMemory : work == DeviceWork::None ? kGrey : kKernel;
    }
    case CategoryKind::Memory: return kMemory;
    case CategoryKind::Api: return kRuntime;
    case CategoryKind::Ranges:
    case CategoryKind::Projected: return kAnnotation;
    case CategoryKind::NoWork:
    case CategoryKind::Host:
    case CategoryKind::Other: break;
  }
  const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                   [&](const Known& k) { return k.category == category; });
  if (known != std::end(kKnown)) return known->family;
  // Unknown category: the label's hash selects one of twelve hues, so that two labels either match or clearly differ.
  return {static_cast<float>(hash % 12) * 30 + 15, 6, 0.11f, static_cast<int>(hash % kWaitingColor)};
}

double to_srgb(double linear) {
  linear = std::clamp(linear, 0.0, 1.0);
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

double to_linear(unsigned byte) {
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// B. Ottosson, "A perceptual color space for image processing".
Rgba from_oklch(double lightness, double chroma, double hue) {
  const double radians = hue * std::numbers::pi / 180;
  const double a = chroma * std::cos(radians), b = chroma * std::sin(radians);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const auto byte = [](double linear) { return static_cast<unsigned>(std::lround(to_srgb(linear) * 255)); };
  return rgba(byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
              byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
              byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

double luminance(Rgba color) {
  return 0.2126 * to_linear(color & 255) + 0.7152 * to_linear(color >> 8 & 255) +
         0.0722 * to_linear(color >> 16 & 255);
}

// Moves a colour towards the text colour by a number of steps.
Rgba towards_text(Rgba color, std::uint64_t steps, ThemeKind theme) {
  constexpr double kPart = 0.12;
  return chart_mix(color, chart_ink(theme).text, kPart * static_cast<double>(steps));
}

// A colour-blind-safe colour. The hash selects one of two lightness steps, which differ less than the colours do.
Rgba clear_color(int color, std::uint64_t hash, ThemeKind theme) {
  constexpr double kPart = 0.06;
  const Rgba base = chart_color(color % kClearChartColors, theme);
  return chart_mix(base, chart_ink(theme).text, kPart * static_cast<double>(hash & 1));
}

// The colour of a slice that charts show too: a part of a training step, a phase of a rollout's worker.
std::optional<int> phase_on_timeline(std::string_view category, std::string_view name) {
  const bool shown = category == "training" || category == "phase" || category == "wait";
  return shown && (category != "wait" || known_phase_color(name)) ? std::optional(color_of_phase(name)) : std::nullopt;
}

// Pure black and white: one of them has a contrast of at least sqrt(21) = 4.58 to any colour, and 4.5 is readable.
constexpr Rgba kBlack = rgba(0, 0, 0), kWhite = rgba(255, 255, 255);

constexpr std::string_view kWaitCategory = "wait";  // from the verl reader

}  // namespace

Rgba color_of(std::string_view category, std::string_view name, ThemeKind theme, const CommunicationRules& rules,
              PaletteKind kind) {
  const bool clear = kind == PaletteKind::ColorBlind;
  const double darkest = theme == ThemeKind::Dark ? 0.58 : 0.68, lighter = 0.05;
  if (const auto job = pipeline_job(category, name)) {
    if (clear) return clear_color(job->color, job->chunk, theme);
    return towards_text(chart_color(job->color, theme), job->chunk % 3, theme);
  }
  if (const auto color = phase_on_timeline(category, name)) return clear ? clear_color(*color, 0, theme) : chart_color(*color, theme);
  if (const auto color = category_color(category)) {
    if (clear) return clear_color(*color, name == kWholeEngineCall ? 0 : hash_of(name, 7), theme);
    // Names differ in lightness, so that nested slices can be told apart.
    return towards_text(chart_color(*color, theme), name == kWholeEngineCall ? 0 : hash_of(name, 7) % 3, theme);
  }
  const std::uint64_t hash = mixed(hash_of(name, hash_of(category, 0xcbf29ce484222325ULL) ^ 0xff));
  const Family family = family_of(category, name, hash >> 32, rules);
  if (clear) return clear_color(family.clear, hash, theme);
  const double along = static_cast<double>(hash & 0xffff) / 0xffff * 2 - 1;       // -1..1
  const double lightness_step = static_cast<double>(hash >> 16 & 3);              // four steps of lightness
  const double lightness = darkest + lighter * lightness_step;
  return from_oklch(lightness, static_cast<double>(family.chroma),
                    static_cast<double>(family.hue) + along * static_cast<double>(family.stray));
}

std::optional<int> pipeline_job_color(std::string_view category, std::string_view name) {
  const auto job = pipeline_job(category, name);
  return job ? std::optional(job->color) : std::nullopt;
}

double contrast(Rgba a, Rgba b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgba text_on(Rgba background) {
  return contrast(background, kBlack) >= contrast(background, kWhite) ? kBlack : kWhite;
}

Rgba hatch_stripe(Rgba fill) {
  constexpr double kPart = 0.3;
  return chart_mix(fill, text_on(fill) == kBlack ? kWhite : kBlack, kPart);
}

Rgba Palette::lit_of(Rgba fill, ThemeKind theme) {
  return theme == ThemeKind::Dark ? chart_mix(fill, kWhite, 0.5) : chart_mix(fill, kBlack, 0.35);
}

Palette::Palette(const LabelTable& labels, ThemeKind theme, const CommunicationRules& rules, PaletteKind kind)
    : theme_(theme), palette_kind_(kind) {
  fill_.reserve(labels.size());
  text_.reserve(labels.size());
  kinds_.reserve(labels.size());
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto id = id_at<LabelId>(l);
    fill_.push_back(color_of(labels.category(id), labels.name(id), theme, rules, kind));
    text_.push_back(text_on(fill_.back()));
    kinds_.push_back(labels.category(id) == kWaitCategory                                  ? Kind::Wait
                     : is_communication(labels.category(id), labels.name(id), rules) ? Kind::Communication
                                                                                     : Kind::Other);
  }
  counter_ = from_oklch(theme == ThemeKind::Dark ? 0.66 : 0.60, 0.11, 240);
  arrow_ = theme == ThemeKind::Dark ? rgba(255, 240, 180) : rgba(60, 40, 0);
}

}  // namespace tv
