/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-browser.h"
#include "dyno-json.h"
#include "dyno-precision-trial.h"
#include "dyno-webnn-probe.h"

/* The report of a browser, and the probe that is built from it. */
typedef struct
{
  DynoProbe *probe;
  DynoBackend *backend;
  DynoBrowserTrials *trials;
  JsonObject *found;
  char *browser;
} Probing;

/* “Chrome 147.0.7727.0”, from the user agent string of the browser; Edge also calls itself Chrome. */
static char *
describe_browser (JsonObject *found)
{
  static const char *const products[] = { "Edg", "HeadlessChrome", "Chrome" };
  const char *agent = dyno_json_member_get_string (found, "agent");
  g_auto (GStrv) words = g_strsplit (agent != NULL ? agent : "", " ", -1);

  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    for (guint j = 0; words[j] != NULL; j++)
      if (g_str_has_prefix (words[j], products[i]) && words[j][strlen (products[i])] == '/')
        return g_strdelimit (g_strdup (words[j]), "/", ' ');
  return g_strdup (agent != NULL ? agent : "");
}

static const char *
get_reason (JsonObject *answer)
{
  return dyno_json_member_get_string (answer, "reason");
}

static JsonObject *
get_webnn (JsonObject *found, const char *type)
{
  return dyno_json_member_get_object (dyno_json_member_get_object (found, "webnn"), type);
}

static gboolean
is_webnn (const DynoBrowserTarget *target)
{
  return g_str_equal (target->provider, "webnn");
}

/* Returns why the browser does not offer that device to a page. */
static char *
explain (const DynoBrowserTarget *target, JsonObject *found)
{
  if (is_webnn (target))
    {
      /* A browser that does not report the device of a graph is only trusted for the processor. */
      JsonObject *answer = get_webnn (found, target->device_type);
      JsonNode *devices = answer != NULL ? json_object_get_member (answer, "devices") : NULL;
      g_autoptr (GString) places = g_string_new (NULL);

      if (devices == NULL)
        return g_strdup_printf (_ ("The browser gives its page no WebNN of the kind “%s”: “%s”."),
                                target->device_type, get_reason (answer));
      if (!JSON_NODE_HOLDS_ARRAY (devices))
        return g_str_equal (target->device_type, "cpu")
                   ? NULL
                   : g_strdup_printf (
                         _ ("The browser accepts a graph for “%s”, but does not report where it runs."),
                         target->device_type);
      for (guint i = 0; i < json_array_get_length (json_node_get_array (devices)); i++)
        {
          const char *place =
              dyno_json_node_get_string (json_array_get_element (json_node_get_array (devices), i));

          if (g_strcmp0 (place, target->device_type) == 0)
            return NULL;
          if (place != NULL)
            g_string_append_printf (places, "%s“%s”", places->len > 0 ? ", " : "", place);
        }
      return g_strdup_printf (_ ("The browser accepts a graph for “%s”, but runs it on %s."),
                              target->device_type, places->str);
    }
  if (g_str_equal (target->provider, "webgpu"))
    {
      const char *reason = get_reason (dyno_json_member_get_object (found, "webgpu"));

      return reason != NULL ? g_strdup_printf (_ ("The browser gives its page no WebGPU: “%s”."), reason)
                            : NULL;
    }
  return dyno_json_member_get_boolean (dyno_json_member_get_object (found, "wasm"), "simd")
             ? NULL
             : g_strdup (_ ("The browser has no WebAssembly with SIMD."));
}

static const char *
get_remedy (const DynoBrowserTarget *target, JsonObject *found)
{
  if (is_webnn (target) && get_reason (get_webnn (found, "cpu")) != NULL)
    return _ ("Install a Chromium with WebNN with “Install Engine…” or “dyno-cli engines install chromium”, "
              "or name a browser that has it in Preferences.");
  if (g_str_equal (target->device, "npu"))
    return _ ("It needs an NPU with its driver, and a browser that can use it.");
  if (g_str_equal (target->device, "wasm"))
    return _ ("Update the browser, or name another one in Preferences.");
  return _ ("It needs a GPU with its driver, and a browser that can use it; the page “chrome://gpu” shows "
            "what is missing.");
}

static char *
describe_device (const DynoBrowserTarget *target, JsonObject *found)
{
  JsonObject *wasm = dyno_json_member_get_object (found, "wasm");

  if (g_str_equal (target->device, "cpu"))
    return g_strdup (_ ("WebNN on the CPU"));
  if (g_str_equal (target->device, "gpu"))
    return g_strdup (_ ("WebNN on the GPU"));
  if (g_str_equal (target->device, "npu"))
    return g_strdup (_ ("WebNN on the NPU"));
  if (g_str_equal (target->device, "webgpu"))
    {
      JsonObject *adapter = dyno_json_member_get_object (found, "webgpu");
      static const char *const members[] = { "vendor", "architecture", "device", "description" };
      g_autoptr (GString) name = g_string_new ("WebGPU");

      for (guint i = 0; i < G_N_ELEMENTS (members); i++)
        {
          const char *text = dyno_json_member_get_string (adapter, members[i]);

          if (text != NULL && *text != '\0')
            g_string_append_printf (name, "%s %s", strchr (name->str, ':') == NULL ? ":" : "", text);
        }
      return g_string_free (g_steal_pointer (&name), FALSE);
    }
  if (dyno_json_member_get_boolean (wasm, "threads"))
    return g_strdup (_ ("WebAssembly with SIMD and threads"));
  return g_strdup (_ ("WebAssembly with SIMD, on one thread"));
}

static DynoDeviceKind
find_kind (const DynoBrowserTarget *target, JsonObject *found)
{
  JsonObject *adapter = dyno_json_member_get_object (found, "webgpu");

  if (g_str_equal (target->device, "cpu") || g_str_equal (target->device, "wasm"))
    return DYNO_DEVICE_KIND_CPU;
  if (g_str_equal (target->device, "npu"))
    return DYNO_DEVICE_KIND_NPU;
  if (g_str_equal (target->device, "webgpu") && dyno_json_member_get_boolean (adapter, "fallback"))
    return DYNO_DEVICE_KIND_SOFTWARE;
  return DYNO_DEVICE_KIND_UNKNOWN;
}

static void
add_device (Probing *self, const DynoBrowserTarget *target)
{
  g_autofree char *name = describe_device (target, self->found);
  g_autofree char *reason = explain (target, self->found);
  const char *remedy = reason != NULL ? get_remedy (target, self->found) : dyno_browser_get_retry_remedy ();
  g_auto (GStrv) precisions =
      reason == NULL ? dyno_precision_trial_run (self->backend, target->device) : NULL;
  DynoDevice *device;

  /* An unfinished trial proves nothing, so it does not rule out a precision. */
  if (precisions != NULL && dyno_browser_trials_take_failure (self->trials))
    {
      dyno_probe_set_provisional (self->probe);
      g_clear_pointer (&precisions, g_strfreev);
    }
  else if (precisions != NULL && *precisions == NULL)
    reason = g_strdup (_ ("The browser offers it, but a model of three operators did not run correctly."));
  device = dyno_device_new (target->device, name, self->browser, 0, (const char *const *)precisions);
  dyno_device_set_kind (device, find_kind (target, self->found));
  if (reason == NULL)
    {
      dyno_probe_take_device (self->probe, device);
      return;
    }
  dyno_device_set_missing (device, reason, remedy);
  dyno_probe_take_missing_device (self->probe, device);
}

DynoProbe *
dyno_webnn_probe_new (DynoBackend *backend,
                      DynoBrowserSurvey *survey,
                      DynoBrowserTrials *trials,
                      const DynoBrowserTarget *targets,
                      guint n_targets)
{
  JsonObject *found = survey->answer->header;
  g_autofree char *browser = describe_browser (found);
  g_autofree char *version = dyno_browser_dup_runtime_version ();
  const char *reason = get_reason (get_webnn (found, "cpu"));
  g_autofree char *runtime = reason == NULL
                                 ? g_strdup_printf (_ ("ONNX Runtime Web %s in %s"), version, browser)
                                 : g_strdup_printf (_ ("ONNX Runtime Web %s in %s, which has no WebNN: “%s”"),
                                                    version, browser, reason);
  g_autoptr (DynoProbe) probe = dyno_probe_new_available (runtime);
  Probing self = { probe, backend, trials, found, browser };

  if (survey->is_provisional)
    dyno_probe_set_provisional (probe);
  for (guint i = 0; i < n_targets; i++)
    add_device (&self, &targets[i]);
  if (g_list_model_get_n_items (dyno_probe_get_devices (probe)) > 0)
    return g_steal_pointer (&probe);
  return dyno_probe_new_unsupported (_ ("The browser has neither WebNN, WebGPU nor WebAssembly with SIMD."),
                                     dyno_browser_get_remedy ());
}
