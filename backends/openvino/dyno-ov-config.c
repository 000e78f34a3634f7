/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-openvino-private.h"

#define PRECISION_KEY "INFERENCE_PRECISION_HINT"
#define HINT_KEY      "PERFORMANCE_HINT"
#define STREAMS_KEY   "NUM_STREAMS"
#define THREADS_KEY   "INFERENCE_NUM_THREADS"

/* Each has its own tensors, so thousands would only fill the memory. */
#define MAX_REQUESTS 1024

static const char *const hints[] = { "latency", "throughput", "none", NULL };
static const char *const precisions[] = { "model", "fp32", "bf16", "fp16", NULL };
static const char *const caches[] = { "off", "on", NULL };

static const DynoBackendOption all_options[] = {
  { "hint", N_ ("OpenVINO’s performance hint; “none” leaves it to the device."), hints },
  { "streams", N_ ("Streams that share the threads; each request uses one. By default the hint decides."),
    NULL, 1 },
  { "inference-precision",
    N_ ("Inference precision, whatever the model’s; outputs and roofs are compared at it."), precisions },
  { "requests", N_ ("Inference requests per step; the step ends when the last one is done (1)."), NULL, 1,
    MAX_REQUESTS },
  { "cache", N_ ("Load the model a second time, from a cache, and time that separately."), caches },
  { NULL },
};

const DynoBackendOption *
dyno_ov_config_get_options (void)
{
  return all_options;
}

/* By default, graphics and neural processors compute in half precision, and so do processors that have one. */
static const char *
get_precision (const DynoSessionOptions *options)
{
  const char *told = dyno_session_options_get (options, "inference-precision");
  const char *precision = told != NULL && !g_str_equal (told, precisions[0]) ? told : options->precision;

  if (g_strcmp0 (precision, "fp16") == 0)
    return "f16";
  return g_strcmp0 (precision, "bf16") == 0 ? "bf16" : "f32";
}

static void
add (GPtrArray *config, const char *key, const char *value)
{
  g_ptr_array_add (config, g_strdup (key));
  g_ptr_array_add (config, g_strdup (value));
}

/* Returns the precision as OpenVINO writes it; NULL to leave it to the device. */
static char *
dup_hint (const DynoSessionOptions *options)
{
  const char *hint = dyno_session_options_get (options, "hint");

  if (hint == NULL)
    hint = hints[0];
  return g_str_equal (hint, "none") ? NULL : g_ascii_strup (hint, -1);
}

/* Threads stay where the process was pinned, and two on one core are the caller's choice. */
static void
add_cpu (GPtrArray *config, const DynoSessionOptions *options)
{
  g_autofree char *threads = g_strdup_printf ("%u", options->threads);

  add (config, "ENABLE_CPU_PINNING", "NO");
  if (options->threads == 0)
    return;
  add (config, THREADS_KEY, threads);
  add (config, "ENABLE_HYPER_THREADING", "YES");
}

GPtrArray *
dyno_ov_config_create (const DynoSessionOptions *options, const char *device, const char *cache_folder)
{
  GPtrArray *config = g_ptr_array_new_with_free_func (g_free);
  const char *streams = dyno_session_options_get (options, "streams");

  if (options->left_alone)
    return config;

  g_autofree char *hint = dup_hint (options);

  if (hint != NULL)
    add (config, HINT_KEY, hint);

  if (streams != NULL)
    add (config, STREAMS_KEY, streams);
  add (config, PRECISION_KEY, get_precision (options));
  if (options->profile)
    add (config, "PERF_COUNT", "YES");
  if (cache_folder != NULL)
    add (config, "CACHE_DIR", cache_folder);
  if (g_str_has_prefix (device, "CPU"))
    add_cpu (config, options);
  else if (g_str_has_prefix (device, "AUTO"))
    {
      /* Settings of the processor alone reach it through AUTO in this form; AUTO must not change devices meanwhile. */
      g_autoptr (GPtrArray) cpu = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GString) text = g_string_new ("{CPU:{");

      add_cpu (cpu, options);
      for (guint i = 0; i < cpu->len; i += 2)
        g_string_append_printf (text, "%s%s:%s", i > 0 ? "," : "", (char *)cpu->pdata[i],
                                (char *)cpu->pdata[i + 1]);
      g_string_append (text, "}}");
      add (config, "DEVICE_PROPERTIES", text->str);
      add (config, "ENABLE_STARTUP_FALLBACK", "NO");
      add (config, "ENABLE_RUNTIME_FALLBACK", "NO");
    }
  g_assert (config->len <= DYNO_OV_CONFIG_MAX);
  return config;
}

gboolean
dyno_ov_config_is_cached (const DynoSessionOptions *options)
{
  return !options->left_alone && g_strcmp0 (dyno_session_options_get (options, "cache"), "on") == 0;
}

gboolean
dyno_ov_config_read_requests (const DynoSessionOptions *options, guint *n_requests, GError **error)
{
  const char *text = dyno_session_options_get (options, "requests");
  guint64 number = 1;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 1, MAX_REQUESTS, &number, NULL))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("A step cannot start “%s” inference requests. Set “requests” to a number from 1 to %d."), text,
          MAX_REQUESTS);
      return FALSE;
    }
  *n_requests = options->profile ? 1 : (guint)number;
  return TRUE;
}

static char *
dup_own_property (const OvApi *api, const OvCompiledModel *compiled, const char *key)
{
  char *from_library = NULL;
  char *value;

  if (api->compiled_model_get_property (compiled, key, &from_library) != OV_STATUS_OK)
    return NULL;
  value = g_strdup (from_library);
  api->free (from_library);
  return value;
}

char *
dyno_ov_config_dup_property (DynoOvLibrary *library, const OvCompiledModel *compiled, const char *key)
{
  const OvApi *api = dyno_ov_library_get_api (library);
  g_autofree char *all = NULL;
  g_autofree char *pattern = g_strdup_printf ("\\b%s:([^,}]*)", key);
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  char *value = dup_own_property (api, compiled, key);

  if (value != NULL)
    return value;
  /* AUTO reports those of the devices below it in one text, `{CPU:{NUM_STREAMS:1,…}}`. */
  all = dup_own_property (api, compiled, "DEVICE_PROPERTIES");
  return all != NULL && g_regex_match (regex, all, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

static gboolean
check_value (const char *key, const char *taken, const char *asked, GError **error)
{
  if (g_str_equal (taken, asked))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("OpenVINO set “%s” to “%s” instead of the requested “%s”: the device does not support it."),
               key, taken, asked);
  return FALSE;
}

/* A setting that cannot be read back may or may not have been applied. */
static gboolean
check_property (DynoOvLibrary *library,
                const OvCompiledModel *compiled,
                const char *key,
                const char *asked,
                gboolean must_tell,
                GError **error)
{
  g_autofree char *taken = dyno_ov_config_dup_property (library, compiled, key);

  if (taken != NULL)
    return check_value (key, taken, asked, error);
  if (!must_tell)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("OpenVINO does not report on this device whether “%s” was set to “%s”. Leave the option "
                  "out, or choose another device."),
               key, asked);
  return FALSE;
}

/* The precision must be known, because answers and roofs are judged by it. */
static gboolean
check_precision (DynoOvLibrary *library, const OvCompiledModel *compiled, const char *asked, GError **error)
{
  g_autofree char *taken = dyno_ov_config_dup_property (library, compiled, PRECISION_KEY);

  if (taken != NULL)
    return check_value (PRECISION_KEY, taken, asked, error);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("OpenVINO does not report the inference precision on this device, so the result "
                          "would have none. Choose another device or backend."));
  return FALSE;
}

gboolean
dyno_ov_config_check (DynoOvLibrary *library,
                      const OvCompiledModel *compiled,
                      const DynoSessionOptions *options,
                      const char *device,
                      GError **error)
{
  const char *streams = dyno_session_options_get (options, "streams");
  gboolean is_wish = dyno_session_options_get (options, "hint") != NULL;
  g_autofree char *hint = dup_hint (options);
  g_autofree char *threads = g_strdup_printf ("%u", options->threads);

  if (options->left_alone)
    return TRUE;
  /* Threads apply to the processor; they are checked if a model may run on it. */
  return check_precision (library, compiled, get_precision (options), error) &&
         (streams == NULL || check_property (library, compiled, STREAMS_KEY, streams, TRUE, error)) &&
         (hint == NULL || check_property (library, compiled, HINT_KEY, hint, is_wish, error)) &&
         (options->threads == 0 ||
          check_property (library, compiled, THREADS_KEY, threads, g_str_has_prefix (device, "CPU"), error));
}

/* Returns Dyno's word for a precision of OpenVINO's, if there is one. */
static const char *
find_precision (const char *told)
{
  static const char *const names[][2] = { { "f32", "fp32" }, { "bf16", "bf16" }, { "f16", "fp16" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (told, names[i][0]))
      return names[i][1];
  return NULL;
}

static const char *
find_hint (const char *told)
{
  for (guint i = 0; hints[i] != NULL; i++)
    if (g_ascii_strcasecmp (told, hints[i]) == 0)
      return hints[i];
  return NULL;
}

/* A device may report that it has not decided. */
static const char *
find_number (const char *told)
{
  return g_ascii_string_to_unsigned (told, 10, 1, G_MAXUINT, NULL, NULL) ? told : NULL;
}

GHashTable *
dyno_ov_config_read_settings (DynoOvLibrary *library, const OvCompiledModel *compiled)
{
  static const struct
  {
    const char *name;
    const char *key;
    const char *(*find) (const char *told);
  } settings[] = {
    { "inference-precision", PRECISION_KEY, find_precision },
    { "threads", THREADS_KEY, find_number },
    { "streams", STREAMS_KEY, find_number },
    { "hint", HINT_KEY, find_hint },
  };
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *told = dyno_ov_config_dup_property (library, compiled, settings[i].key);
      const char *value = told != NULL ? settings[i].find (told) : NULL;

      if (value != NULL)
        g_hash_table_insert (table, (gpointer)settings[i].name, g_strdup (value));
    }
  return table;
}
