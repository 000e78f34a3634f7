/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-ort-api.h"
#include "dyno-probe.h"
#include "dyno-system.h"

/* How many seconds a library may take to open in a separate process. */
#define INSPECT_SECONDS 30

/* ONNX Runtime 1.N has the API version N; 1.20 is the oldest version with which Dyno is tested. */
#define OLDEST_API_VERSION 20

struct _DynoOrtRuntime
{
  DynoEngineLibrary parent_instance;

  char **providers;
  guint api_version;
  const struct OrtApi *api;
  struct OrtEnv *env;
};

enum
{
  PROP_0,
  PROP_PROVIDERS,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoOrtRuntime, dyno_ort_runtime, DYNO_TYPE_ENGINE_LIBRARY)

static GParamSpec *properties[N_PROPS];

#ifdef HAVE_ONNXRUNTIME
static const OrtApiBase *
find_base (DynoEngineLibrary *library, GError **error)
{
  const OrtApiBase *(*get_api_base) (void);
  gpointer handle = dyno_engine_library_open_file (library, error);

  if (handle == NULL)
    return NULL;
  *(void **)&get_api_base = dlsym (handle, "OrtGetApiBase");
  if (get_api_base == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                   _ ("“%s” is a library, but not ONNX Runtime: it has no function OrtGetApiBase."),
                   dyno_engine_library_get_path (library));
      return NULL;
    }
  return get_api_base ();
}

static gboolean
ask_for_api (DynoOrtRuntime *self, const OrtApiBase *base, const char *version, GError **error)
{
  const char *path = dyno_ort_runtime_get_path (self);
  const char *minor = strchr (version, '.');
  guint64 named = minor != NULL ? g_ascii_strtoull (minor + 1, NULL, 10) : 0;
  guint newest = (guint)MIN (named, ORT_API_VERSION);

  if (g_ascii_strtoull (version, NULL, 10) > 1)
    newest = ORT_API_VERSION;
  if (newest < OLDEST_API_VERSION)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                   _ ("“%s” is ONNX Runtime %s, which is too old: Dyno needs 1.%d or newer."), path, version,
                   OLDEST_API_VERSION);
      return FALSE;
    }
  for (guint api = newest; api >= OLDEST_API_VERSION && self->api == NULL; api--)
    {
      self->api = base->GetApi (api);
      self->api_version = api;
    }
  if (self->api == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                 _ ("“%s” says it is ONNX Runtime %s, but offers none of the API versions %d to %u."), path,
                 version, OLDEST_API_VERSION, newest);
  return self->api != NULL;
}

static gboolean
dyno_ort_runtime_open (DynoEngineLibrary *library, char **version, GError **error)
{
  DynoOrtRuntime *self = DYNO_ORT_RUNTIME (library);
  const OrtApiBase *base = find_base (library, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  char **names = NULL;
  int n_names = 0;
  OrtStatus *status;

  if (base == NULL)
    return FALSE;
  *version = g_strdup (base->GetVersionString ());
  if (!ask_for_api (self, base, *version, error))
    return FALSE;
  /* They may have come from another process already, and another thread may be reading them. */
  if (*self->providers != NULL)
    return TRUE;
  status = self->api->GetAvailableProviders (&names, &n_names);
  for (int i = 0; status == NULL && i < n_names; i++)
    g_strv_builder_add (builder, names[i]);
  if (status == NULL)
    status = self->api->ReleaseAvailableProviders (names, n_names);
  g_clear_pointer (&status, self->api->ReleaseStatus);
  g_strfreev (self->providers);
  self->providers = g_strv_builder_end (builder);
  return TRUE;
}

static void ORT_API_CALL
log_to_debug (void *user_data,
              OrtLoggingLevel severity,
              const char *category,
              const char *log_id,
              const char *code_location,
              const char *message)
{
  g_debug ("%s: %s", code_location, message);
}

/* Some builds send telemetry, unless it is turned off. */
static gboolean
create_env (DynoOrtRuntime *self, GError **error)
{
  OrtStatus *status =
      self->api->CreateEnvWithCustomLogger (log_to_debug, NULL, ORT_LOGGING_LEVEL_ERROR, "dyno", &self->env);

  if (status == NULL)
    status = self->api->DisableTelemetryEvents (self->env);
  if (status == NULL)
    return TRUE;
  g_clear_pointer (&self->env, self->api->ReleaseEnv);
  dyno_ort_error_set_start (dyno_ort_runtime_get_path (self), self->api->GetErrorMessage (status), error);
  self->api->ReleaseStatus (status);
  return FALSE;
}
#else
static gboolean
dyno_ort_runtime_open (DynoEngineLibrary *library, char **version, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
               _ ("“%s” cannot be used: this Dyno was built without the header of ONNX Runtime."),
               dyno_engine_library_get_path (library));
  return FALSE;
}

static gboolean
create_env (DynoOrtRuntime *self, GError **error)
{
  g_assert_not_reached ();
}
#endif

/* Two of these libraries in one process share symbols, and some print hundreds of lines when they start. */
static gboolean
dyno_ort_runtime_inspect (DynoEngineLibrary *library, char **version, GError **error)
{
  const char *const arguments[] = { "--runtime", dyno_engine_library_get_path (library), NULL };
  g_autoptr (JsonObject) answer = dyno_worker_question_ask (arguments, NULL, NULL, INSPECT_SECONDS, error);
  DynoOrtRuntime *self = DYNO_ORT_RUNTIME (library);
  const char *problem;

  if (answer == NULL)
    {
      g_prefix_error (error, "“%s”: ", dyno_engine_library_get_path (library));
      return FALSE;
    }
  *version = g_strdup (dyno_json_member_get_string (answer, "version"));
  g_strfreev (self->providers);
  self->providers = dyno_json_member_dup_strings (answer, "providers");
  problem = dyno_json_member_get_string (answer, "problem");
  if (problem != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, problem);
  return problem == NULL;
}

static void
dyno_ort_runtime_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_PROVIDERS:
      g_value_set_boxed (value, dyno_ort_runtime_get_providers (DYNO_ORT_RUNTIME (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ort_runtime_class_init (DynoOrtRuntimeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoEngineLibraryClass *library_class = DYNO_ENGINE_LIBRARY_CLASS (klass);

  object_class->get_property = dyno_ort_runtime_get_property;
  library_class->name = "ONNX Runtime";
  library_class->prefix = DYNO_LIBRARY_PREFIX ("onnxruntime");
  library_class->python_folder = "onnxruntime/capi";
  library_class->variable = DYNO_ORT_VARIABLE;
  library_class->open = dyno_ort_runtime_open;
  library_class->inspect = dyno_ort_runtime_inspect;

  properties[PROP_PROVIDERS] =
      g_param_spec_boxed ("providers", NULL, NULL, G_TYPE_STRV, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_ort_runtime_init (DynoOrtRuntime *self)
{
  self->providers = g_new0 (char *, 1);
}

DynoOrtRuntime *
dyno_ort_runtime_get (const char *path)
{
  return dyno_engine_library_get (DYNO_TYPE_ORT_RUNTIME, path);
}

/* Opens the library, once; later calls return the same result. Any thread may call this. Returns whether
 * it is an ONNX Runtime that Dyno can use. */
static gboolean
load_runtime (DynoOrtRuntime *self, GError **error)
{
  return dyno_engine_library_load (DYNO_ENGINE_LIBRARY (self), error);
}

const char *
dyno_ort_runtime_get_path (DynoOrtRuntime *self)
{
  return dyno_engine_library_get_path (DYNO_ENGINE_LIBRARY (self));
}

const char *
dyno_ort_runtime_get_version (DynoOrtRuntime *self)
{
  return dyno_engine_library_get_version (DYNO_ENGINE_LIBRARY (self));
}

const char *const *
dyno_ort_runtime_get_providers (DynoOrtRuntime *self)
{
  g_return_val_if_fail (DYNO_IS_ORT_RUNTIME (self), NULL);

  dyno_engine_library_inspect (DYNO_ENGINE_LIBRARY (self), NULL);
  return (const char *const *)self->providers;
}

gboolean
dyno_ort_runtime_is_usable (DynoOrtRuntime *self)
{
  return dyno_engine_library_is_usable (DYNO_ENGINE_LIBRARY (self));
}

const char *
dyno_ort_runtime_get_problem (DynoOrtRuntime *self)
{
  return dyno_engine_library_get_problem (DYNO_ENGINE_LIBRARY (self));
}

static void
add_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
}

JsonNode *
dyno_ort_runtime_describe (DynoOrtRuntime *self)
{
  JsonObject *object;
  JsonArray *providers;

  g_return_val_if_fail (DYNO_IS_ORT_RUNTIME (self), NULL);

  object = json_object_new ();
  providers = json_array_new ();
  load_runtime (self, NULL);
  for (char **name = self->providers; *name != NULL; name++)
    json_array_add_string_element (providers, *name);
  json_object_set_array_member (object, "providers", providers);
  add_text (object, "version", dyno_ort_runtime_get_version (self));
  add_text (object, "problem", dyno_ort_runtime_get_problem (self));
  return json_node_init_object (json_node_alloc (), object);
}

guint
dyno_ort_runtime_get_api_version (DynoOrtRuntime *self)
{
  g_return_val_if_fail (load_runtime (self, NULL), 0);
  return self->api_version;
}

const struct OrtApi *
dyno_ort_runtime_get_api (DynoOrtRuntime *self)
{
  g_return_val_if_fail (load_runtime (self, NULL), NULL);
  return self->api;
}

struct OrtEnv *
dyno_ort_runtime_get_env (DynoOrtRuntime *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (load_runtime (self, NULL), NULL);

  locker = dyno_engine_library_lock (DYNO_ENGINE_LIBRARY (self));
  if (self->env == NULL && !create_env (self, error))
    return NULL;
  return self->env;
}
