/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-backends-base-private.h"
#include "dyno-browser.h"
#include "dyno-error.h"
#ifdef HAVE_LIBSOUP
#include "dyno-webnn-probe.h"
#endif

#define DEFAULT_DEVICE "cpu"

/* Several browsers may be inspected, and one of them may hang; the remaining time is for trials. */
#define ANSWER_SECONDS 45
#define PROBE_SECONDS  60

/* The devices of a page in a browser, through ONNX Runtime Web: WebNN's devices `cpu`, `gpu` and `npu`, and also
 * `webgpu` and `wasm`. */
G_DECLARE_FINAL_TYPE (DynoWebnnBackend, dyno_webnn_backend, DYNO, WEBNN_BACKEND, DynoBackend)

struct _DynoWebnnBackend
{
  DynoBackend parent_instance;

#ifdef HAVE_LIBSOUP
  DynoBrowserTrials *trials; /* only while probing */
#endif
};

G_DEFINE_FINAL_TYPE (DynoWebnnBackend, dyno_webnn_backend, DYNO_TYPE_BACKEND)

#ifdef HAVE_LIBSOUP
static const DynoBrowserTarget targets[] = {
  { "cpu", "webnn", "cpu" },    { "gpu", "webnn", "gpu" }, { "npu", "webnn", "npu" },
  { "webgpu", "webgpu", NULL }, { "wasm", "wasm", NULL },
};

static const DynoBrowserTarget *
find_target (DynoBackend *backend, const char *device, GError **error)
{
  const char *wanted = device != NULL ? device : DEFAULT_DEVICE;

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    if (g_str_equal (targets[i].device, wanted))
      return &targets[i];
  dyno_backend_fail_without_device (backend, wanted, error);
  return NULL;
}

/* Only the page knows why a device is missing; only a trial shows its precisions. */
static DynoProbe *
dyno_webnn_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  DynoWebnnBackend *self = DYNO_WEBNN_BACKEND (backend);
  gint64 deadline_us = g_get_monotonic_time () + ANSWER_SECONDS * G_USEC_PER_SEC;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserSurvey) survey = dyno_browser_survey_new (deadline_us, &error);
  DynoProbe *probe;

  if (survey == NULL && g_error_matches (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME))
    return dyno_probe_new_unsupported (error->message, dyno_browser_get_remedy ());
  if (survey == NULL)
    return dyno_probe_new_deferred (error->message, dyno_browser_get_retry_remedy ());
  self->trials = dyno_browser_trials_new (survey->host, deadline_us);
  probe = dyno_webnn_probe_new (backend, survey, self->trials, targets, G_N_ELEMENTS (targets));
  g_clear_pointer (&self->trials, dyno_browser_trials_free);
  return probe;
}

static char *
dyno_webnn_backend_fingerprint (DynoBackend *backend)
{
  g_autofree char *browsers = dyno_browser_dup_state ();
  g_autofree char *version = dyno_browser_dup_runtime_version ();

  return g_strdup_printf ("%s %s", browsers, version);
}

/* A page cannot set the number of threads of WebNN; for one thread, the processors of the browser are limited. */
static char *
explain_threads (const DynoBrowserTarget *target, guint threads)
{
  if (threads <= 1 || !g_str_equal (target->provider, "webnn"))
    return NULL;
  return g_strdup_printf (_ ("WebNN chooses its number of threads itself, so it cannot be told to use %u. "
                             "Leave the number of threads open, or choose 1."),
                          threads);
}

static char *
dyno_webnn_backend_check_model (DynoBackend *backend, const DynoModelNeeds *needs)
{
  const DynoBrowserTarget *target = find_target (backend, needs->device, NULL);
  char *reason;

  if (target == NULL)
    return NULL;
  reason = explain_threads (target, needs->threads);
  /* Each token that is generated makes the sequence longer. */
  if (reason == NULL && needs->generate_tokens > 0 && g_str_equal (target->provider, "webnn"))
    reason = g_strdup (
        _ ("WebNN compiles a model for fixed sizes, so it cannot generate tokens, which make the sequence "
           "longer step by step. Generate no tokens, or choose the device webgpu or wasm."));
  if (reason == NULL && needs->operators != NULL && g_str_equal (target->provider, "webnn"))
    {
      /* Operators of ONNX Runtime that its provider for WebNN leaves to WebAssembly, or cannot load. */
      static const struct
      {
        const char *name;
        const char *reason;
      } refused[] = {
        { "com.microsoft.MatMulNBits",
          N_ ("WebNN does not take products with weights in blocks (MatMulNBits), so they would run in "
              "WebAssembly. Choose fp32 or fp16, or the device wasm.") },
        { "com.microsoft.MatMulBnb4",
          N_ ("WebNN does not take products with weights in NF4 (MatMulBnb4), so they would run in "
              "WebAssembly. Choose fp32 or fp16, or the device wasm.") },
        { "com.microsoft.GroupQueryAttention",
          N_ ("WebNN does not take fused attention with a cache (GroupQueryAttention). Choose "
              "“attention=decomposed”, or the device wasm.") },
      };

      for (guint i = 0; reason == NULL && i < G_N_ELEMENTS (refused); i++)
        if (g_strv_contains (needs->operators, refused[i].name))
          reason = g_strdup (_ (refused[i].reason));
    }
  if (reason == NULL && needs->weight_bytes >= DYNO_BROWSER_MODEL_MAX_BYTES)
    reason = g_strdup_printf (_ ("The weights of the model take %.2f GB, and WebAssembly addresses at most "
                                 "%.2f GB. Choose a smaller model, or a backend outside the browser."),
                              (double)needs->weight_bytes / 1e9, (double)DYNO_BROWSER_MODEL_MAX_BYTES / 1e9);
  return reason;
}

static DynoSession *
dyno_webnn_backend_open (DynoBackend *backend,
                         const char *onnx_path,
                         const DynoSessionOptions *options,
                         GError **error)
{
  DynoWebnnBackend *self = DYNO_WEBNN_BACKEND (backend);
  const DynoBrowserTarget *target = find_target (backend, options->device, error);
  g_autofree char *reason = target != NULL ? explain_threads (target, options->threads) : NULL;

  if (target == NULL || !dyno_backend_check_precision (backend, options->precision, error))
    return NULL;
  if (reason != NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, reason);
      return NULL;
    }
  if (self->trials != NULL)
    return dyno_browser_trials_open (self->trials, target, onnx_path, options, error);
  return dyno_browser_session_new (target, onnx_path, options, error);
}

static gboolean
dyno_webnn_backend_start (DynoBackend *backend, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *folder = dyno_browser_find_runtime (&problem);
  g_autofree char *browser = folder != NULL ? dyno_browser_survey_choose (&problem) : NULL;

  if (browser != NULL)
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

static const DynoBackendOption options[] = {
  { "graph-optimisation", N_ ("How far ONNX Runtime Web rewrites the graph before it runs."),
    dyno_backend_optimisations },
  { NULL },
};

static const DynoEnginePath paths[] = {
  { "browser", DYNO_BROWSER_VARIABLE, N_ ("Browser for WebNN") },
  { NULL },
};

static void
dyno_webnn_backend_class_init (DynoWebnnBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  backend_class->id = "webnn";
  backend_class->paths = paths;
  backend_class->name = N_ ("WebNN");
  backend_class->description = N_ ("WebNN, WebGPU and WebAssembly in a browser, through ONNX Runtime Web.");
  /* A request for WebNN does not mean WebGPU, even if the browser has only that. */
  backend_class->default_device = DEFAULT_DEVICE;
  backend_class->runs_alone =
      N_ ("The page of a browser answers one request at a time, so nothing can be measured under load there. "
          "Measure one request at a time, or choose another backend.");
  backend_class->wants_set_uid = TRUE;
  backend_class->probe_seconds = PROBE_SECONDS;
  dyno_backend_class_add_options (backend_class, options);
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
