/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-engine-options.h"
#include "dyno-ort-target.h"
#include "dyno-plan.h"
#include "dyno-run-summary.h"

/* Backends that are providers of ONNX Runtime: their names in Python and in C. */
static const struct
{
  const char *backend;
  const char *provider;
  const char *word;
} providers[] = {
  { "cpu", "CPUExecutionProvider", NULL },
  { "cuda", "CUDAExecutionProvider", "CUDA" },
  { "rocm", "MIGraphXExecutionProvider", "MIGraphX" },
  { "webgpu", "WebGpuExecutionProvider", "WebGPU" },
  { "qnn", "QNNExecutionProvider", "QNN" },
};

static void
lines_free (DynoEngineLines *self)
{
  g_free (self->title);
  g_free (self->text);
  g_free (self);
}

static void
add (GPtrArray *list, const char *title, char *text)
{
  DynoEngineLines *lines = g_new (DynoEngineLines, 1);

  *lines = (DynoEngineLines){ g_strdup (title), text };
  g_ptr_array_add (list, lines);
}

/* Settings of a session of ONNX Runtime that all providers share. */
typedef struct
{
  guint threads;
  guint inter_op_threads;
  const char *level;
  GHashTable *options;
} Settings;

/* Settings that are no entries of the configuration are attributes in Python and calls in C. */
static void
add_session_settings (GString *text, const Settings *self, gboolean is_python)
{
  for (const DynoOrtSetting *setting = dyno_ort_session_settings; setting->option != NULL; setting++)
    {
      const char *entry = dyno_ort_setting_get_entry (setting, self->options);
      gboolean is_entry = strchr (setting->key, '.') != NULL;

      if (entry == NULL)
        continue;
      if (is_entry && is_python)
        g_string_append_printf (text, "options.add_session_config_entry(\"%s\", \"%s\")\n", setting->key,
                                entry);
      else if (is_entry)
        g_string_append_printf (text, "api->AddSessionConfigEntry (options, \"%s\", \"%s\");\n", setting->key,
                                entry);
      else if (is_python)
        g_string_append_printf (text, "options.%s = %s\n", setting->key, entry);
      else
        g_string_append_printf (text, "api->%s (options);\n",
                                g_str_equal (setting->option, "arena") ? "DisableCpuMemArena"
                                                                       : "DisableMemPattern");
    }
}

static char *
dup_python (const char *provider, const Settings *self)
{
  GString *text = g_string_new ("options = onnxruntime.SessionOptions()\n");

  g_string_append_printf (text, "options.intra_op_num_threads = %u\n", self->threads);
  if (self->inter_op_threads > 1)
    g_string_append_printf (text, "options.inter_op_num_threads = %u\n", self->inter_op_threads);
  add_session_settings (text, self, TRUE);
  g_string_append_printf (text,
                          "options.execution_mode = onnxruntime.ExecutionMode.%s\n"
                          "options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.%s\n"
                          "session = onnxruntime.InferenceSession(path, options, providers=[\"%s\"])\n",
                          self->inter_op_threads > 1 ? "ORT_PARALLEL" : "ORT_SEQUENTIAL", self->level,
                          provider);
  return g_string_free (text, FALSE);
}

static char *
dup_c (const char *word, const Settings *self)
{
  GString *text = g_string_new ("OrtSessionOptions *options;\n"
                                "api->CreateSessionOptions (&options);\n");

  g_string_append_printf (text, "api->SetIntraOpNumThreads (options, %u);\n", self->threads);
  if (self->inter_op_threads > 1)
    g_string_append_printf (text, "api->SetInterOpNumThreads (options, %u);\n", self->inter_op_threads);
  add_session_settings (text, self, FALSE);
  g_string_append_printf (text,
                          "api->SetSessionExecutionMode (options, %s);\n"
                          "api->SetSessionGraphOptimizationLevel (options, %s);\n",
                          self->inter_op_threads > 1 ? "ORT_PARALLEL" : "ORT_SEQUENTIAL", self->level);
  /* Some providers have a call of their own; the CPU needs none. */
  if (g_strcmp0 (word, "CUDA") == 0)
    g_string_append (text, "OrtCUDAProviderOptionsV2 *cuda;\n"
                           "api->CreateCUDAProviderOptions (&cuda);\n"
                           "api->SessionOptionsAppendExecutionProvider_CUDA_V2 (options, cuda);\n");
  else if (word != NULL)
    g_string_append_printf (
        text, "api->SessionOptionsAppendExecutionProvider (options, \"%s\", NULL, NULL, 0);\n", word);
  g_string_append (text, "api->CreateSession (env, path, options, &session);\n");
  return g_string_free (text, FALSE);
}

static void
add_property (GString *text, const char *key, const char *value)
{
  g_string_append_printf (text, "    \"%s\": \"%s\",\n", key, value);
}

static char *
dup_properties (DynoCase *kase)
{
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);
  const char *hint = g_hash_table_lookup (options, "hint");
  const char *streams = g_hash_table_lookup (options, "streams");
  const char *device = dyno_case_get_device (kase);
  const char *precision = dyno_case_get_computed_precision (kase);
  guint threads = dyno_case_get_threads (kase);
  g_autofree char *hint_value = g_ascii_strup (hint != NULL ? hint : "latency", -1);
  g_autofree char *threads_value = g_strdup_printf ("%u", threads);
  GString *text = g_string_new (NULL);

  if (*device == '\0')
    device = "CPU";
  g_string_append_printf (text, "compiled = openvino.Core().compile_model(path, \"%s\", {\n", device);
  if (!g_str_equal (hint_value, "NONE"))
    add_property (text, "PERFORMANCE_HINT", hint_value);
  if (streams != NULL)
    add_property (text, "NUM_STREAMS", streams);
  /* OpenVINO's names of precisions are not those of Dyno's options. */
  add_property (text, "INFERENCE_PRECISION_HINT",
                g_str_equal (precision, "fp16")   ? "f16"
                : g_str_equal (precision, "bf16") ? "bf16"
                                                  : "f32");
  if (g_str_has_prefix (device, "CPU"))
    add_property (text, "ENABLE_CPU_PINNING", "NO");
  if (g_str_has_prefix (device, "CPU") && threads > 0)
    {
      add_property (text, "INFERENCE_NUM_THREADS", threads_value);
      add_property (text, "ENABLE_HYPER_THREADING", "YES");
    }
  g_string_append (text, "})\n");
  return g_string_free (text, FALSE);
}

GPtrArray *
dyno_engine_lines_list (DynoCase *kase, guint n_processors)
{
  static const char *const levels[] = { "ORT_ENABLE_ALL", "ORT_ENABLE_EXTENDED", "ORT_ENABLE_BASIC",
                                        "ORT_DISABLE_ALL" };
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)lines_free);
  const char *backend = dyno_case_get_backend (kase);
  guint threads = dyno_case_get_threads (kase) > 0 ? dyno_case_get_threads (kase) : n_processors;
  g_autoptr (GHashTable) options = dyno_engine_options_parse (dyno_case_get_options (kase), NULL);
  const char *level = g_hash_table_lookup (options, "graph-optimisation");
  const char *inter_op = g_hash_table_lookup (options, "inter-op-threads");
  Settings settings = { threads, inter_op != NULL ? (guint)g_ascii_strtoull (inter_op, NULL, 10) : 1,
                        levels[0], options };
  g_auto (GStrv) stages = dyno_case_list_stages (kase);
  g_autofree char *command = NULL;

  for (guint i = 0; level != NULL && i < G_N_ELEMENTS (levels); i++)
    if (g_str_equal (level, dyno_backend_optimisations[i]))
      settings.level = levels[i];
  /* The lines open one graph, and stages with options of their own are opened in several ways. */
  for (guint i = 0; *stages == NULL && i < G_N_ELEMENTS (providers); i++)
    if (g_str_equal (providers[i].backend, backend))
      {
        add (list, _ ("ONNX Runtime, Python"), dup_python (providers[i].provider, &settings));
        add (list, _ ("ONNX Runtime, C"), dup_c (providers[i].word, &settings));
      }
  if (*stages == NULL && g_str_equal (backend, "openvino"))
    add (list, _ ("OpenVINO, Python"), dup_properties (kase));
  command = dyno_case_dup_command (kase);
  add (list, _ ("Dyno"), g_strconcat (command, "\n", NULL));
  return list;
}
