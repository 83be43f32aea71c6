#include "app/stage/context_egl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/shared_library.h"

namespace tv {

namespace {

/// The EGL library is opened on demand, so that runs that draw nothing do not need it.
struct EglApi {
#define TV_EGL_FUNCTIONS(X)                                                                                                     \
  X(BindAPI) X(ChooseConfig) X(CreateContext) X(CreatePbufferSurface) X(DestroyContext) X(DestroySurface) X(GetDisplay) \
  X(GetProcAddress) X(Initialize) X(MakeCurrent) X(QueryString)
#define TV_EGL_MEMBER(name) decltype(&::egl##name) name = nullptr;
  TV_EGL_FUNCTIONS(TV_EGL_MEMBER)
#undef TV_EGL_MEMBER

  static std::optional<EglApi> load() {
    const SharedLibrary library("libEGL.so.1");
    if (!library) return std::nullopt;
    EglApi api;
    bool complete = true;
#define TV_EGL_LOOK_UP(name)           \
  library.find(api.name, "egl" #name); \
  complete = complete && api.name;
    TV_EGL_FUNCTIONS(TV_EGL_LOOK_UP)
#undef TV_EGL_LOOK_UP
#undef TV_EGL_FUNCTIONS
    return complete ? std::optional(api) : std::nullopt;
  }
};

/// Null if the system has no EGL. The library is never unloaded, because drivers do not survive that.
const EglApi* egl() {
  static const std::optional<EglApi> api = EglApi::load();
  return api ? &*api : nullptr;
}

void* load_egl(const char* name) { return reinterpret_cast<void*>(egl()->GetProcAddress(name)); }

bool has_word(const char* words, std::string_view word) {
  std::string_view rest = words ? words : "";
  for (;;) {
    const std::size_t end = rest.find(' ');
    if (rest.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
}

/// A display that needs no screen.
struct OffscreenDisplay {
  std::string name;
  EGLDisplay display;
};

/// All displays that EGL offers, best first.
std::vector<OffscreenDisplay> offscreen_displays() {
  std::vector<OffscreenDisplay> found;
  if (!egl()) return found;
  const auto add = [&](std::string name, EGLDisplay display) {
    if (display != EGL_NO_DISPLAY) found.push_back({std::move(name), display});
  };
  const char* extensions = egl()->QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto get_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(load_egl("eglGetPlatformDisplayEXT"));
  const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(load_egl("eglQueryDevicesEXT"));

  if (get_display && has_word(extensions, "EGL_MESA_platform_surfaceless"))
    add("surfaceless", get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  if (get_display && query_devices && has_word(extensions, "EGL_EXT_platform_device")) {
    EGLDeviceEXT devices[8];
    EGLint count = 0;
    if (query_devices(8, devices, &count))
      for (EGLint i = 0; i < count; ++i)
        add("device " + std::to_string(i), get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  }
  add("default display", egl()->GetDisplay(EGL_DEFAULT_DISPLAY));
  return found;
}

}  // namespace

struct EglContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;  // stays EGL_NO_SURFACE if the context needs no surface
  std::string display_name;
  GlApi gl;

  // The display is not terminated: EGL returns the same display to all callers, and another context may use it.
  ~State() {
    if (context == EGL_NO_CONTEXT) return;
    egl()->MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface != EGL_NO_SURFACE) egl()->DestroySurface(display, surface);
    egl()->DestroyContext(display, context);
  }

  /// Makes the context current. Returns the function that failed, or null.
  const char* open() {
    if (!egl()->Initialize(display, nullptr, nullptr)) return "eglInitialize";
    if (!egl()->BindAPI(EGL_OPENGL_API)) return "eglBindAPI(OpenGL)";
    const bool surfaceless = has_word(egl()->QueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");

    const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!egl()->ChooseConfig(display, wanted, &config, 1, &count) || count == 0) return "eglChooseConfig";

    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    context = egl()->CreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) return "eglCreateContext(OpenGL 3.3 core)";
    if (!surfaceless) {
      const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
      surface = egl()->CreatePbufferSurface(display, config, size);
      if (surface == EGL_NO_SURFACE) return "eglCreatePbufferSurface";
    }
    return egl()->MakeCurrent(display, surface, surface, context) ? nullptr : "eglMakeCurrent";
  }
};

Result<EglContext> EglContext::create() {
  std::string tried;
  for (const OffscreenDisplay& candidate : offscreen_displays()) {
    auto state = std::make_unique<State>();
    state->display = candidate.display;
    state->display_name = candidate.name;
    std::string failure;
    if (const char* call = state->open()) {
      failure = call;
    } else if (auto gl = GlApi::load(load_egl)) {
      state->gl = *gl;
      return EglContext(std::move(state));
    } else {
      failure = gl.error().message;
    }
    tried += (tried.empty() ? "" : "; ") + candidate.name + ": " + failure;
  }
  if (tried.empty()) tried = "no EGL driver is installed";
  return Error{"no OpenGL 3.3 context without a display: " + tried,
               {},
               {},
               "install Mesa's software driver: apt install libgl1 libegl1 libegl-mesa0 libgl1-mesa-dri"};
}

EglContext::EglContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
EglContext::EglContext(EglContext&&) noexcept = default;
EglContext& EglContext::operator=(EglContext&&) noexcept = default;
EglContext::~EglContext() = default;

const GlApi& EglContext::gl() const { return state_->gl; }
std::string EglContext::description() const { return state_->display_name + ", " + state_->gl.description(); }

}  // namespace tv
