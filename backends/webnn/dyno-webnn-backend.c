/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-browser.h"
#include "dyno-error.h"
#include "dyno-system.h"
#include "dyno-webnn-backend.h"
#ifdef HAVE_LIBSOUP
#include "dyno-browser-session.h"
#endif

#define DEFAULT_DEVICE "cpu"

struct _DynoWebnnBackend
{
  DynoBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoWebnnBackend, dyno_webnn_backend, DYNO_TYPE_BACKEND)

#ifdef HAVE_LIBSOUP
static const DynoBrowserTarget targets[] = {
  { "cpu", "webnn", "cpu" },    { "gpu", "webnn", "gpu" }, { "npu", "webnn", "npu" },
  { "webgpu", "webgpu", NULL }, { "wasm", "wasm", NULL },
};

/* Beside the target of the same index. */
static const char *const names[] = { N_ ("WebNN on the processor"), N_ ("WebNN on the graphics processor"),
                                     N_ ("WebNN on the neural processor") };
static const DynoDeviceKind kinds[] = { DYNO_DEVICE_KIND_CPU, DYNO_DEVICE_KIND_UNKNOWN,
                                        DYNO_DEVICE_KIND_NPU };
static const char *const precisions[] = { "fp32", NULL };

static const DynoBrowserTarget *
find_target (const char *device, GError **error)
{
  const char *wanted = device != NULL ? device : DEFAULT_DEVICE;

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    if (g_str_equal (targets[i].device, wanted))
      return &targets[i];
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The backend “%s” has no device “%s”."), "webnn",
               wanted);
  return NULL;
}

/* “Chrome 147.0.7727.0”, from what the browser tells pages; Edge also calls itself Chrome. */
static char *
describe_browser (JsonObject *found)
{
  static const char *const products[] = { "Edg", "HeadlessChrome", "Chrome" };
  const char *agent = json_object_get_string_member_with_default (found, "agent", "");
  g_auto (GStrv) words = g_strsplit (agent, " ", -1);

  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    for (guint j = 0; words[j] != NULL; j++)
      if (g_str_has_prefix (words[j], products[i]) && words[j][strlen (products[i])] == '/')
        return g_strdelimit (g_steal_pointer (&words[j]), "/", ' ');
  return g_strdup (agent);
}

static gboolean
has_device_type (JsonObject *webnn, const char *type)
{
  JsonObject *answer = json_object_get_object_member (webnn, type);
  JsonNode *devices = json_object_get_member (answer, "devices");
  JsonArray *array;

  if (devices == NULL)
    return FALSE;
  /* A browser that does not tell where a graph is put is believed about the processor alone. */
  if (!JSON_NODE_HOLDS_ARRAY (devices))
    return g_str_equal (type, "cpu");
  array = json_node_get_array (devices);
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (g_str_equal (json_array_get_string_element (array, i), type))
      return TRUE;
  return FALSE;
}

static void
take_device (DynoProbe *probe, const char *id, const char *name, const char *driver, DynoDeviceKind kind)
{
  DynoDevice *device = dyno_device_new (id, name, driver, 0, precisions);

  dyno_device_set_kind (device, kind);
  dyno_probe_take_device (probe, device);
}

static void
add_webnn (DynoProbe *probe, JsonObject *found, const char *browser)
{
  JsonObject *webnn = json_object_get_object_member (found, "webnn");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (has_device_type (webnn, targets[i].device_type))
      take_device (probe, targets[i].device, _ (names[i]), browser, kinds[i]);
}

static void
add_webgpu (DynoProbe *probe, JsonObject *found, const char *browser)
{
  static const char *const members[] = { "vendor", "architecture", "device", "description" };
  JsonObject *adapter = json_object_get_object_member (found, "webgpu");
  gboolean is_software = json_object_get_boolean_member_with_default (adapter, "fallback", FALSE);
  g_autoptr (GString) name = g_string_new ("WebGPU:");

  if (json_object_has_member (adapter, "reason"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *text = json_object_get_string_member_with_default (adapter, members[i], "");

      if (*text != '\0')
        g_string_append_printf (name, " %s", text);
    }
  take_device (probe, "webgpu", name->str, browser,
               is_software ? DYNO_DEVICE_KIND_SOFTWARE : DYNO_DEVICE_KIND_UNKNOWN);
}

static void
add_wasm (DynoProbe *probe, JsonObject *found, const char *browser)
{
  JsonObject *wasm = json_object_get_object_member (found, "wasm");

  if (!json_object_get_boolean_member_with_default (wasm, "simd", FALSE))
    return;
  take_device (probe, "wasm",
               json_object_get_boolean_member_with_default (wasm, "threads", FALSE)
                   ? _ ("WebAssembly with SIMD and threads")
                   : _ ("WebAssembly with SIMD, on one thread"),
               browser, DYNO_DEVICE_KIND_CPU);
}

static JsonNode *
create_request (void)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "call");
  json_builder_add_string_value (builder, "probe");
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* What is used; and why there is no WebNN, where that is so, in the browser's own words. */
static char *
describe_runtime (JsonObject *found, const char *browser)
{
  JsonObject *webnn = json_object_get_object_member (found, "webnn");
  JsonObject *cpu = json_object_get_object_member (webnn, "cpu");
  const char *reason = json_object_get_string_member_with_default (cpu, "reason", NULL);
  g_autofree char *version = dyno_browser_dup_runtime_version ();

  if (reason == NULL)
    return g_strdup_printf (_ ("ONNX Runtime Web %s in %s"), version, browser);
  return g_strdup_printf (_ ("ONNX Runtime Web %s in %s, which has no WebNN: “%s”"), version, browser,
                          reason);
}

static DynoProbe *
create_probe (JsonObject *found)
{
  g_autofree char *browser = describe_browser (found);
  g_autofree char *runtime = describe_runtime (found, browser);
  DynoProbe *probe = dyno_probe_new_available (runtime);

  add_webnn (probe, found, browser);
  add_webgpu (probe, found, browser);
  add_wasm (probe, found, browser);
  return probe;
}

/* Why a page cannot have a device is only known by asking it. */
static DynoProbe *
dyno_webnn_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserHost) host = dyno_browser_host_new (NULL, &error);
  g_autoptr (JsonNode) request = create_request ();
  g_autoptr (DynoBrowserMessage) answer =
      host != NULL ? dyno_browser_host_call (host, request, NULL, &error) : NULL;
  g_autoptr (DynoProbe) probe = NULL;

  if (answer == NULL)
    return dyno_probe_new_unsupported (error->message, dyno_browser_get_remedy ());
  probe = create_probe (answer->header);
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0)
    return g_steal_pointer (&probe);
  return dyno_probe_new_unsupported (_ ("The browser has neither WebNN, WebGPU nor WebAssembly with SIMD."),
                                     dyno_browser_get_remedy ());
}

/* A browser that is updated keeps its name. */
static char *
dyno_webnn_backend_fingerprint (DynoBackend *backend)
{
  g_autofree char *named = dyno_browser_dup_path ();
  g_autofree char *browser = dyno_browser_find (NULL);
  g_autofree char *version = dyno_browser_dup_runtime_version ();
  g_autofree char *state = dyno_system_dup_state (browser);

  return g_strdup_printf ("%s %s %s", named != NULL ? named : "", state, version);
}

static gboolean
check_options (const DynoSessionOptions *options, GError **error)
{
  if (options->precision == NULL || g_str_equal (options->precision, "fp32"))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The backend “%s” does not compute in “%s”; it computes in “fp32”."), "webnn",
               options->precision);
  return FALSE;
}

/* A page can tell WebNN no number; one thread is what the processors allowed to the browser leave it. */
static char *
explain_threads (const DynoBrowserTarget *target, guint threads)
{
  if (threads <= 1 || !g_str_equal (target->provider, "webnn"))
    return NULL;
  return g_strdup_printf (_ ("WebNN chooses itself how many threads it uses, and need not use %u. Leave the "
                             "number of threads open, or ask for one."),
                          threads);
}

/* Each token that is generated makes the sequence longer. */
static char *
explain_generation (const DynoBrowserTarget *target, guint tokens)
{
  if (tokens == 0 || !g_str_equal (target->provider, "webnn"))
    return NULL;
  return g_strdup (
      _ ("WebNN compiles a model for fixed sizes, so it cannot generate tokens, which make the "
         "sequence longer step by step. Generate no tokens, or choose the device webgpu or wasm."));
}

static char *
explain_size (gint64 bytes)
{
  if (bytes < DYNO_BROWSER_MODEL_MAX_BYTES)
    return NULL;
  return g_strdup_printf (_ ("The weights of the model have %.2f GB, and WebAssembly addresses at most "
                             "%.2f GB. Choose a smaller model, or a backend outside the browser."),
                          (double)bytes / 1e9, (double)DYNO_BROWSER_MODEL_MAX_BYTES / 1e9);
}

static char *
dyno_webnn_backend_check_model (DynoBackend *backend, const DynoModelNeeds *needs)
{
  const DynoBrowserTarget *target = find_target (needs->device, NULL);
  char *reason;

  if (target == NULL)
    return NULL;
  reason = explain_threads (target, needs->threads);
  if (reason == NULL)
    reason = explain_generation (target, needs->generate_tokens);
  return reason != NULL ? reason : explain_size (needs->weight_bytes);
}

static gboolean
check_threads (const DynoBrowserTarget *target, const DynoSessionOptions *options, GError **error)
{
  g_autofree char *reason = explain_threads (target, options->threads);

  if (reason == NULL)
    return TRUE;
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, reason);
  return FALSE;
}

static DynoSession *
dyno_webnn_backend_open (DynoBackend *backend,
                         const char *onnx_path,
                         const DynoSessionOptions *options,
                         GError **error)
{
  const DynoBrowserTarget *target = find_target (options->device, error);

  if (target == NULL || !check_options (options, error) || !check_threads (target, options, error))
    return NULL;
  return dyno_browser_session_new (target, onnx_path, options, error);
}

static gboolean
dyno_webnn_backend_start (DynoBackend *backend, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *browser = dyno_browser_find (&problem);
  g_autofree char *folder = browser != NULL ? dyno_browser_find_runtime (&problem) : NULL;

  if (folder != NULL)
    return TRUE;
  g_set_error (error, DYNO_ERROR, problem->code, "%s %s", problem->message, dyno_browser_get_remedy ());
  return FALSE;
}
#else
static DynoProbe *
dyno_webnn_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  return dyno_probe_new_unsupported (
      _ ("This Dyno was built without libsoup, which serves the browser its page."),
      _ ("Install libsoup-3.0-dev and build Dyno again."));
}

static DynoSession *
dyno_webnn_backend_open (DynoBackend *backend,
                         const char *onnx_path,
                         const DynoSessionOptions *options,
                         GError **error)
{
  dyno_backend_start (backend, error);
  return NULL;
}

static gboolean
dyno_webnn_backend_start (DynoBackend *backend, GError **error)
{
  g_autoptr (DynoProbe) probe = dyno_webnn_backend_probe (backend, NULL);

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, "%s %s", dyno_probe_get_reason (probe),
               dyno_probe_get_remedy (probe));
  return FALSE;
}
#endif

static void
dyno_webnn_backend_class_init (DynoWebnnBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "webnn";
  backend_class->name = N_ ("WebNN");
  backend_class->description =
      N_ ("What a page in a browser can run on, through ONNX Runtime Web: WebNN, WebGPU or WebAssembly.");
  /* Who asks for WebNN does not mean WebGPU, where the browser has only that. */
  backend_class->default_device = DEFAULT_DEVICE;
  backend_class->probe = dyno_webnn_backend_probe;
  backend_class->open = dyno_webnn_backend_open;
  backend_class->start = dyno_webnn_backend_start;
#ifdef HAVE_LIBSOUP
  backend_class->fingerprint = dyno_webnn_backend_fingerprint;
  backend_class->check_model = dyno_webnn_backend_check_model;
#endif
}

static void
dyno_webnn_backend_init (DynoWebnnBackend *self)
{
}
