/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX Runtime with providers it does not have. All else is done by the real library, which DYNO_FAKE_ORT_REAL names,
 * so whatever runs with it runs on the processor, and its trace says so. DYNO_FAKE_ORT_PROVIDERS lists what it was
 * "built with", DYNO_FAKE_ORT_PROBLEM is what a provider says that cannot start, and DYNO_FAKE_ORT_LOG names a file for
 * what providers were told. A provider that is to keep what it compiles keeps the model itself, unless
 * DYNO_FAKE_ORT_FORGETS is set; one that is to write a profile writes what DYNO_FAKE_ORT_PROFILE says. */
#include <dlfcn.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "dyno-ort-api.h"

static const OrtApi *real;
static char *context;

static void
log_line (const char *text)
{
  FILE *file = fopen (g_getenv ("DYNO_FAKE_ORT_LOG"), "a");

  fprintf (file, "%s\n", text);
  fclose (file);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

/* In alphabetical order, whatever the caller's order. A provider that gets a folder for its cache keeps something there,
 * and the folder, which always has another name, is logged as “…”. */
static void
log_options (const char *provider, const char *const *keys, const char *const *values, size_t n)
{
  g_autoptr (GPtrArray) pairs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) line = g_string_new (provider);

  for (size_t i = 0; i < n; i++)
    {
      gboolean is_folder = strstr (keys[i], "_cache_") != NULL && g_path_is_absolute (values[i]);
      g_autofree char *kept_file = g_build_filename (values[i], "kept", NULL);

      g_ptr_array_add (pairs, g_strdup_printf (" %s=%s", keys[i], is_folder ? "…" : values[i]));
      if (is_folder && g_getenv ("DYNO_FAKE_ORT_FORGETS") == NULL)
        g_file_set_contents (kept_file, "", 0, NULL);
    }
  g_ptr_array_sort (pairs, compare_texts);
  for (guint i = 0; i < pairs->len; i++)
    g_string_append (line, pairs->pdata[i]);
  log_line (line->str);
}

static OrtStatus *
start (void)
{
  const char *problem = g_getenv ("DYNO_FAKE_ORT_PROBLEM");

  return problem != NULL ? real->CreateStatus (ORT_FAIL, problem) : NULL;
}

/* The contents of the file “providers” beside this library, if there is one. */
static char *
dup_own_providers (void)
{
  Dl_info info = { NULL };
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  char *text = NULL;

  dladdr (&real, &info);
  folder = g_path_get_dirname (info.dli_fname);
  path = g_build_filename (folder, "providers", NULL);
  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

static OrtStatus *
get_providers (char ***names, int *n)
{
  g_autofree char *own = dup_own_providers ();

  *names = g_strsplit (own != NULL ? own : g_getenv ("DYNO_FAKE_ORT_PROVIDERS"), ",", -1);
  *n = (int)g_strv_length (*names);
  return NULL;
}

static OrtStatus *
release_providers (char **names, int n)
{
  g_strfreev (names);
  return NULL;
}

static void
write_profile (const char *const *keys, const char *const *values, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (g_str_equal (keys[i], "profiling_file_path") && g_getenv ("DYNO_FAKE_ORT_PROFILE") != NULL)
      g_file_set_contents (values[i], g_getenv ("DYNO_FAKE_ORT_PROFILE"), -1, NULL);
}

static OrtStatus *
append_by_word (OrtSessionOptions *options,
                const char *word,
                const char *const *keys,
                const char *const *values,
                size_t n)
{
  log_options (word, keys, values, n);
  write_profile (keys, values, n);
  return start ();
}

static OrtStatus *
create_cuda (OrtCUDAProviderOptionsV2 **options)
{
  *options = g_malloc0 (1);
  return NULL;
}

static OrtStatus *
update_cuda (OrtCUDAProviderOptionsV2 *options, const char *const *keys, const char *const *values, size_t n)
{
  log_options ("CUDA", keys, values, n);
  return NULL;
}

static OrtStatus *
append_cuda (OrtSessionOptions *session_options, const OrtCUDAProviderOptionsV2 *options)
{
  return start ();
}

static void
release_cuda (OrtCUDAProviderOptionsV2 *options)
{
  g_free (options);
}

static OrtStatus *
create_tensorrt (OrtTensorRTProviderOptionsV2 **options)
{
  *options = g_malloc0 (1);
  return NULL;
}

static OrtStatus *
update_tensorrt (OrtTensorRTProviderOptionsV2 *options,
                 const char *const *keys,
                 const char *const *values,
                 size_t n)
{
  log_options ("TensorRT", keys, values, n);
  return NULL;
}

static OrtStatus *
append_tensorrt (OrtSessionOptions *session_options, const OrtTensorRTProviderOptionsV2 *options)
{
  return start ();
}

static void
release_tensorrt (OrtTensorRTProviderOptionsV2 *options)
{
  g_free (options);
}

static OrtStatus *
create_rocm (OrtROCMProviderOptions **options)
{
  *options = g_new0 (OrtROCMProviderOptions, 1);
  return NULL;
}

static OrtStatus *
update_rocm (OrtROCMProviderOptions *options, const char *const *keys, const char *const *values, size_t n)
{
  log_options ("ROCM", keys, values, n);
  return NULL;
}

static OrtStatus *
append_rocm (OrtSessionOptions *session_options, const OrtROCMProviderOptions *options)
{
  return start ();
}

static void
release_rocm (OrtROCMProviderOptions *options)
{
  g_free (options);
}

static OrtStatus *
disable_arena (OrtSessionOptions *options)
{
  log_line ("no arena");
  return real->DisableCpuMemArena (options);
}

static OrtStatus *
disable_pattern (OrtSessionOptions *options)
{
  log_line ("no memory pattern");
  return real->DisableMemPattern (options);
}

/* Logs the entry as the real library has it afterwards. Options of the mock provider are not passed to that. */
static OrtStatus *
add_config (OrtSessionOptions *options, const char *key, const char *value)
{
  g_autofree char *line = g_strdup_printf ("%s=%s", key, value);

  if (!g_str_has_prefix (key, "ep.context"))
    {
      OrtStatus *status = real->AddSessionConfigEntry (options, key, value);
      char kept_value[64] = "";
      size_t size = sizeof kept_value;
      g_autofree char *kept_line = NULL;

      if (status == NULL)
        status = real->GetSessionConfigEntry (options, key, kept_value, &size);
      kept_line = g_strdup_printf ("%s=%s", key, kept_value);
      log_line (kept_line);
      return status;
    }
  if (g_str_equal (key, "ep.context_file_path"))
    context = g_strdup (value);
  else
    log_line (line);
  return NULL;
}

static OrtStatus *
create_session (const OrtEnv *env, const char *path, const OrtSessionOptions *options, OrtSession **session)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *line = g_strdup_printf ("load %s", name);
  g_autofree char *kept = g_steal_pointer (&context);
  g_autofree char *model = NULL;
  gsize length;

  log_line (line);
  if (kept != NULL && g_getenv ("DYNO_FAKE_ORT_FORGETS") == NULL &&
      g_file_get_contents (path, &model, &length, NULL))
    g_file_set_contents (kept, model, (gssize)length, NULL);
  return real->CreateSession (env, path, options, session);
}

static OrtStatus *
disable_telemetry (const OrtEnv *env)
{
  log_line ("no telemetry");
  return real->DisableTelemetryEvents (env);
}

static const OrtApi *
get_api (uint32_t version)
{
  static OrtApi api;

  real = version <= ORT_API_VERSION
             ? ((const OrtApiBase *(*)(void))dlsym (
                   dlopen (g_getenv ("DYNO_FAKE_ORT_REAL"), RTLD_LAZY | RTLD_LOCAL), "OrtGetApiBase")) ()
                   ->GetApi (version)
             : NULL;
  if (real == NULL)
    return NULL;
  api = *real;
  api.GetAvailableProviders = get_providers;
  api.ReleaseAvailableProviders = release_providers;
  api.SessionOptionsAppendExecutionProvider = append_by_word;
  api.DisableTelemetryEvents = disable_telemetry;
  api.AddSessionConfigEntry = add_config;
  api.DisableCpuMemArena = disable_arena;
  api.DisableMemPattern = disable_pattern;
  api.CreateSession = create_session;
  api.CreateCUDAProviderOptions = create_cuda;
  api.UpdateCUDAProviderOptions = update_cuda;
  api.SessionOptionsAppendExecutionProvider_CUDA_V2 = append_cuda;
  api.ReleaseCUDAProviderOptions = release_cuda;
  api.CreateROCMProviderOptions = create_rocm;
  api.UpdateROCMProviderOptions = update_rocm;
  api.SessionOptionsAppendExecutionProvider_ROCM = append_rocm;
  api.ReleaseROCMProviderOptions = release_rocm;
  api.CreateTensorRTProviderOptions = create_tensorrt;
  api.UpdateTensorRTProviderOptions = update_tensorrt;
  api.SessionOptionsAppendExecutionProvider_TensorRT_V2 = append_tensorrt;
  api.ReleaseTensorRTProviderOptions = release_tensorrt;
  return &api;
}

static const char *
get_version (void)
{
  static char text[32];

  g_snprintf (text, sizeof text, "1.%d.0", ORT_API_VERSION);
  return text;
}

const OrtApiBase *
OrtGetApiBase (void)
{
  static const OrtApiBase base = { get_api, get_version };

  return &base;
}
