#include "ui/widgets/text_box.h"

#include <cstddef>

namespace tv {
namespace {

struct TextOfBox {
  std::string& text;
  const BoxEvent& on_event;
};

int take_box_event(ImGuiInputTextCallbackData* data) {
  const auto& box = *static_cast<const TextOfBox*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    box.text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = box.text.data();
  } else if (box.on_event) {
    box.on_event(*data);
  }
  return 0;
}

}  // namespace

bool text_box(const char* id, std::string& text, const char* hint, ImGuiInputTextFlags flags, const BoxEvent& on_event) {
  TextOfBox box{text, on_event};
  return ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1, flags | ImGuiInputTextFlags_CallbackResize,
                                  take_box_event, &box);
}

}  // namespace tv
