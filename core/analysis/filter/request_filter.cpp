#include "core/analysis/filter/request_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace tv {
namespace {

constexpr std::size_t kBlock = 4096;  // requests evaluated at a time, so that the masks of a deep expression stay in the cache
using Mask = std::array<std::uint8_t, kBlock>;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return lower(c); });
  return out;
}

/// Whether `text` contains the parts of `pattern` between its stars, in order; both are in lower case. The first occurrence of each
/// part will do, so the time is linear in the text for each part.
bool contains(std::string_view text, std::string_view pattern) {
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const std::size_t found = text.find(part);
    if (found == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    text.remove_prefix(found + part.size());
    pattern.remove_prefix(star + 1);
  }
}

bool text_fulfils(std::string_view text, Relation relation, std::string_view wanted) {
  if (text.empty()) return false;  // not logged
  const std::string lowered = lower(text);
  if (relation == Relation::Like) return contains(lowered, wanted);
  return (lowered == wanted) == (relation == Relation::Equal);
}

/// A comparison of texts. Ids all differ and are compared one by one; other fields have few texts, so each answer is stored.
class TextComparison {
 public:
  TextComparison(const Rollout& rollout, const FilterNode& node)
      : rollout_(rollout),
        node_(node),
        wanted_(lower(node.text)),
        answers_(of_run() ? rollout.runs.size() : rollout.log().texts.size(), kUnknown) {}

  bool operator()(RequestIx r) {
    if (node_.field == RequestField::id) return text_fulfils(rollout_.id(r), node_.relation, wanted_);
    const std::size_t text = index_of(r);
    std::uint8_t& answer = answers_[text];
    if (answer == kUnknown) answer = text_fulfils(text_at(text), node_.relation, wanted_) ? 1 : 0;
    return answer != 0;
  }

 private:
  static constexpr std::uint8_t kUnknown = 2;

  bool of_run() const { return node_.field == RequestField::run; }
  std::size_t index_of(RequestIx r) const {
    if (of_run()) return static_cast<std::size_t>(rollout_.steps[rollout_.step[r]].run);
    return rollout_.request(r).finish;
  }
  std::string_view text_at(std::size_t text) const {
    return of_run() ? std::string_view(rollout_.runs[text]) : rollout_.log().text(static_cast<std::uint32_t>(text));
  }

  const Rollout& rollout_;
  const FilterNode& node_;
  std::string wanted_;
  std::vector<std::uint8_t> answers_;
};

template <class Fulfils>
void fill(std::span<const double> values, Mask& mask, Fulfils fulfils) {
  for (std::size_t i = 0; i < values.size(); ++i) mask[i] = fulfils(values[i]) ? 1 : 0;
}

void fill(std::span<const double> values, Relation relation, double b, Mask& mask) {
  switch (relation) {
    case Relation::Less: return fill(values, mask, [b](double a) { return a < b; });
    case Relation::LessEqual: return fill(values, mask, [b](double a) { return a <= b; });
    case Relation::Greater: return fill(values, mask, [b](double a) { return a > b; });
    case Relation::GreaterEqual: return fill(values, mask, [b](double a) { return a >= b; });
    case Relation::Equal: return fill(values, mask, [b](double a) { return a == b; });
    case Relation::NotEqual: return fill(values, mask, [b](double a) { return (a < b) | (a > b); });
    case Relation::Like: mask.fill(0);
  }
}

/// Point-in-polygon test, by the number of sides to the right of the point.
class Polygon {
 public:
  explicit Polygon(std::span<const std::pair<double, double>> corners) : corners_(corners) {
    for (const auto& [x, y] : corners) {
      low_x_ = std::min(low_x_, x);
      high_x_ = std::max(high_x_, x);
      low_y_ = std::min(low_y_, y);
      high_y_ = std::max(high_y_, y);
    }
  }

  bool contains(double x, double y) const {
    if (!(x >= low_x_ && x <= high_x_ && y >= low_y_ && y <= high_y_)) return false;  // also false for values that are not logged
    bool inside = false;
    for (std::size_t i = 0, before = corners_.size() - 1; i < corners_.size(); before = i++) {
      const auto& [x0, y0] = corners_[before];
      const auto& [x1, y1] = corners_[i];
      if ((y0 > y) == (y1 > y)) continue;
      inside ^= x < x0 + (x1 - x0) * (y - y0) / (y1 - y0);
    }
    return inside;
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  std::span<const std::pair<double, double>> corners_;
  double low_x_ = kFar, high_x_ = -kFar, low_y_ = kFar, high_y_ = -kFar;
};

class Evaluation {
 public:
  Evaluation(const Rollout& rollout, const RequestFilter& filter) : rollout_(rollout), filter_(filter) {
    for (const FilterNode& node : filter.nodes) {
      if (node.as_text) texts_.emplace_back(rollout, node);
    }
  }

  const Mask& operator()(std::span<const RequestIx> block) {
    masks_.clear();
    std::size_t text = 0;
    for (const FilterNode& node : filter_.nodes) {
      if (node.kind == FilterNode::Kind::Compare) {
        Mask& mask = masks_.emplace_back();
        if (node.as_text) {
          TextComparison& fulfils = texts_[text++];
          for (std::size_t i = 0; i < block.size(); ++i) mask[i] = fulfils(block[i]);
        } else {
          const auto values = std::span(values_).first(block.size());
          field_values(rollout_, node.field, block, values);
          fill(values, node.relation, node.number, mask);
        }
        continue;
      }
      if (node.kind == FilterNode::Kind::Inside) {
        const auto x = std::span(values_).first(block.size()), y = std::span(y_values_).first(block.size());
        field_values(rollout_, node.field, block, x);
        field_values(rollout_, node.y_field, block, y);
        const Polygon polygon(node.corners);
        Mask& mask = masks_.emplace_back();
        for (std::size_t i = 0; i < block.size(); ++i) mask[i] = polygon.contains(x[i], y[i]) ? 1 : 0;
        continue;
      }
      Mask& last = masks_.back();
      if (node.kind == FilterNode::Kind::Not) {
        for (std::size_t i = 0; i < block.size(); ++i) last[i] ^= 1;
        continue;
      }
      Mask& before = masks_[masks_.size() - 2];
      const bool both = node.kind == FilterNode::Kind::And;
      for (std::size_t i = 0; i < block.size(); ++i) {
        before[i] = static_cast<std::uint8_t>(both ? before[i] & last[i] : before[i] | last[i]);
      }
      masks_.pop_back();
    }
    return masks_.back();
  }

 private:
  const Rollout& rollout_;
  const RequestFilter& filter_;
  std::vector<TextComparison> texts_;
  std::vector<Mask> masks_;
  std::vector<double> values_ = std::vector<double>(kBlock), y_values_ = std::vector<double>(kBlock);
};

std::string comparison_text(const FilterNode& node) {
  const RequestFieldInfo& field = info(node.field);
  return fmt::format("{}{}{}", field.name, text_of(node.relation),
                     node.as_text ? quoted_text(node.text) : number_text(node.number, field.unit));
}

// Small times get a suitable unit; counts are whole.
std::string rounded(double value, std::string_view unit) {
  if (unit == "s" && value > 0 && value < 1) return format_duration(to_ns(value));
  const std::string number =
      std::abs(value) >= 1e4 && std::abs(value) < 1e12 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  return unit == "s" ? number + " s" : number;
}

std::string comparison_words(const FilterNode& node) {
  const RequestFieldInfo& field = info(node.field);
  return fmt::format("{} {} {}", field.name, text_of(node.relation),
                     node.as_text ? quoted_text(node.text) : rounded(node.number, field.unit));
}

// The corners of a drawn outline mean nothing to a reader.
std::string inside_words(const FilterNode& node) {
  return fmt::format("{} and {} inside the drawn outline", info(node.field).name, info(node.y_field).name);
}

std::string inside_text(const FilterNode& node) {
  std::string out = fmt::format("inside({}, {}", info(node.field).name, info(node.y_field).name);
  for (const auto& [x, y] : node.corners) out += fmt::format(", {}, {}", x, y);
  return out + ")";
}

// Joins the texts of all nodes: `comparison` formats comparisons, `inside` drawn outlines.
using NodeText = std::string (*)(const FilterNode& node);
std::string joined(const RequestFilter& filter, NodeText comparison, NodeText inside);

}  // namespace

RequestSet apply(const Rollout& rollout, const RequestFilter& filter, const RequestSet& among) {
  if (filter.nodes.empty()) return among;
  Evaluation evaluation(rollout, filter);
  RequestSet out(among.size());
  std::size_t n = 0;
  for (std::size_t begin = 0; begin < among.size(); begin += kBlock) {
    const auto block = std::span(among).subspan(begin, std::min(kBlock, among.size() - begin));
    const Mask& mask = evaluation(block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      out[n] = block[i];  // the next request overwrites it unless it matches; this avoids a branch
      n += mask[i];
    }
  }
  out.resize(n);
  return out;
}

std::string to_text(const RequestFilter& filter) { return joined(filter, comparison_text, inside_text); }

std::string to_words(const RequestFilter& filter) { return joined(filter, comparison_words, inside_words); }

std::string filter_words(std::string_view expression) {
  const auto filter = parse_filter(expression);
  return filter ? to_words(filter.value()) : std::string(expression);
}

namespace {

std::string joined(const RequestFilter& filter, NodeText comparison, NodeText inside) {
  struct Part {
    std::string text;
    int binds;  // 0: ||, 1: &&, 2: ! or a relation
  };
  std::vector<Part> parts;
  const auto within = [](Part&& part, int least) {
    return part.binds < least ? "(" + std::move(part.text) + ")" : std::move(part.text);
  };
  for (const FilterNode& node : filter.nodes) {
    if (node.kind == FilterNode::Kind::Compare) {
      parts.push_back({comparison(node), 2});
    } else if (node.kind == FilterNode::Kind::Inside) {
      parts.push_back({inside(node), 2});
    } else if (node.kind == FilterNode::Kind::Not) {
      // Relations always get parentheses: !dur>2s reads as if ! applied to dur.
      const bool negated = parts.back().text.starts_with('!') && parts.back().binds == 2;
      parts.back() = {negated ? "!" + parts.back().text : "!(" + parts.back().text + ")", 2};
    } else {
      const bool both = node.kind == FilterNode::Kind::And;
      Part right = std::move(parts.back()), left = std::move(parts[parts.size() - 2]);
      parts.pop_back();
      // Operators of the same kind group to the left, so only the right operand needs parentheses.
      const int binds = both ? 1 : 0;
      std::string text = within(std::move(left), binds);  // moves it, so that a long chain of relations is not copied again
      text += both ? " && " : " || ";
      text += within(std::move(right), binds + 1);
      parts.back() = {std::move(text), binds};
    }
  }
  return parts.empty() ? std::string() : parts.back().text;
}

}  // namespace

std::string range_filter(std::string_view field, double least, double most) {
  const auto known = request_field(field);
  const std::string_view unit = known ? info(*known).unit : std::string_view();
  std::string out;
  if (std::isfinite(least)) out = fmt::format("{}>={}", field, number_text(least, unit));
  if (std::isfinite(most)) {
    out += fmt::format("{}{}<={}", out.empty() ? "" : " && ", field, number_text(most, unit));
  }
  return out;
}

std::string step_filter(const Rollout& rollout, std::uint32_t step) {
  const RolloutStep& rollout_step = rollout.steps[step];
  const std::string run = rollout.runs.size() > 1 ? fmt::format("run=={} && ", rollout_step.run + 1) : std::string();
  return fmt::format("{}step=={}", run, rollout_step.step);
}

std::string both_filters(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return std::string(a.empty() ? b : a);
  const auto side = [](std::string_view text) {
    return text.find("||") == std::string_view::npos ? std::string(text) : fmt::format("({})", text);
  };
  return side(a) + " && " + side(b);
}

}  // namespace tv
