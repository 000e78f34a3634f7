/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-llamacpp-private.h"
#include "dyno-system.h"
#include "dyno-text.h"

#define VARIABLE "DYNO_LLAMA_CPP"

#define INSPECT_SECONDS  20
#define MAX_ERRORS_BYTES 500

/* The defaults by which the layout of the structures is recognised. */
#define DEFAULT_CONTEXT     512
#define DEFAULT_BATCH       2048
#define DEFAULT_MICRO_BATCH 512
#define DEFAULT_FILE_TYPE   7
#define TYPE_F16            1

/* A structure of another release may be larger than Dyno’s. */
#define MOST_PARAMS_BYTES 4096

#define FUNCTION(result, name, arguments) { #name, G_STRUCT_OFFSET (LlamaApi, name) },

static const struct
{
  const char *symbol;
  glong offset;
} functions[] = { LLAMA_FUNCTIONS (FUNCTION) };

static const char *const releases[] = { "0.4.", "0.5." };

struct _DynoLlamaLibrary
{
  DynoEngineLibrary parent_instance;

  LlamaApi api;
};

G_DEFINE_FINAL_TYPE (DynoLlamaLibrary, dyno_llama_library, DYNO_TYPE_ENGINE_LIBRARY)

static GMutex errors_mutex;
static GString *errors;

/* Called from any thread of the library. */
static void
log_cb (LlamaLogLevel level, const char *text, void *data)
{
  g_autoptr (GMutexLocker) locker = NULL;

  if (level != LLAMA_LOG_ERROR)
    return;
  locker = g_mutex_locker_new (&errors_mutex);
  if (errors == NULL)
    errors = g_string_new (NULL);
  if (errors->len < MAX_ERRORS_BYTES)
    g_string_append (errors, text);
}

char *
dyno_llama_library_take_errors (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&errors_mutex);
  char *line = errors != NULL && errors->len > 0
                   ? dyno_plain_text_quote (g_strstrip (errors->str), MAX_ERRORS_BYTES)
                   : NULL;

  if (errors != NULL)
    g_string_truncate (errors, 0);
  return line;
}

/* The libraries that it depends on are searched as well, so ggml's functions are found too. */
static gboolean
find_functions (DynoLlamaLibrary *self, GError **error)
{
  const char *path = dyno_engine_library_get_path (DYNO_ENGINE_LIBRARY (self));
  gpointer handle = dyno_engine_library_open_file (DYNO_ENGINE_LIBRARY (self), error);

  if (handle == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      void *symbol = dlsym (handle, functions[i].symbol);

      if (symbol == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                       _ ("“%s” is a library, but no llama.cpp 0.4 or 0.5: it has no function %s."), path,
                       functions[i].symbol);
          return FALSE;
        }
      G_STRUCT_MEMBER (void *, &self->api, functions[i].offset) = symbol;
    }
  return TRUE;
}

static gboolean
is_known (const char *version)
{
  for (guint i = 0; i < G_N_ELEMENTS (releases); i++)
    if (g_str_has_prefix (version, releases[i]))
      return TRUE;
  return FALSE;
}

/* A structure with another layout would have other numbers in these places. It is returned into room for a larger one, so
 * that nothing beside it is overwritten. */
static gboolean
has_known_layout (const LlamaApi *api)
{
  typedef union
  {
    LlamaModelParams model;
    LlamaContextParams context;
    LlamaQuantizeParams quantize;
    guint8 bytes[MOST_PARAMS_BYTES];
  } Params;
  LlamaModelParams model = ((Params (*) (void))api->llama_model_default_params) ().model;
  LlamaContextParams context = ((Params (*) (void))api->llama_context_default_params) ().context;
  LlamaQuantizeParams quantize = ((Params (*) (void))api->llama_model_quantize_default_params) ().quantize;

  return model.devices == NULL && model.n_gpu_layers == -1 && model.tensor_split == NULL &&
         model.overrides == NULL && !model.vocabulary_only && model.repacks &&
         context.n_ctx == DEFAULT_CONTEXT && context.n_batch == DEFAULT_BATCH &&
         context.n_ubatch == DEFAULT_MICRO_BATCH && context.n_seq_max == 1 && context.n_threads > 0 &&
         context.flash_attention == -1 && context.type_k == TYPE_F16 && context.type_v == TYPE_F16 &&
         context.offload_kqv && context.n_samplers == 0 && context.other == NULL && quantize.n_threads == 0 &&
         quantize.file_type == DEFAULT_FILE_TYPE && quantize.output_type == quantize.table_type &&
         quantize.quantizes_output && !quantize.only_copies && quantize.importance == NULL &&
         quantize.pruned == NULL;
}

static gboolean
dyno_llama_library_open (DynoEngineLibrary *library, char **version, GError **error)
{
  DynoLlamaLibrary *self = DYNO_LLAMA_LIBRARY (library);
  const char *path = dyno_engine_library_get_path (library);
  g_autofree char *folder = g_path_get_dirname (path);
  const char *found;

  if (!find_functions (self, error))
    return FALSE;
  found = self->api.llama_version ();
  /* `0.5.0-dev` becomes `0.5.0`. */
  *version = g_strndup (found, strcspn (found, "-"));
  if (!is_known (*version))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                   _ ("“%s” is llama.cpp %s. Its interface changes with every release, and Dyno knows those "
                      "of 0.4 and 0.5."),
                   path, *version);
      return FALSE;
    }
  if (!has_known_layout (&self->api))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                   _ ("“%s” says that it is llama.cpp %s, but its interface is not that of this release: it "
                      "was built from other sources."),
                   path, *version);
      return FALSE;
    }
  self->api.llama_log_set (log_cb, NULL);
  self->api.ggml_backend_load_all_from_path (folder);
  self->api.llama_backend_init ();
  if (self->api.ggml_backend_dev_count () > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
               _ ("“%s” found no library for a device of this machine, such as libggml-cpu, beside it."),
               path);
  return FALSE;
}

/* Two of these libraries in one process would share the first one's ggml. */
static gboolean
dyno_llama_library_inspect (DynoEngineLibrary *library, char **version, GError **error)
{
  static const char *const arguments[] = { "--probe", "llamacpp", NULL };
  const char *path = dyno_engine_library_get_path (library);
  const char *name = DYNO_ENGINE_LIBRARY_GET_CLASS (library)->name;
  g_autoptr (JsonObject) answer =
      dyno_worker_question_ask (arguments, VARIABLE, path, INSPECT_SECONDS, error);
  const char *runtime = dyno_json_member_get_string (answer, "runtime");
  const char *reason = dyno_json_member_get_string (answer, "reason");

  if (answer == NULL)
    g_prefix_error (error, "“%s”: ", path);
  else if (runtime == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, reason != NULL ? reason : path);
  if (runtime == NULL)
    return FALSE;
  if (g_str_has_prefix (runtime, name))
    *version = g_strchug (g_strdup (runtime + strlen (name)));
  return TRUE;
}

static void
dyno_llama_library_class_init (DynoLlamaLibraryClass *klass)
{
  DynoEngineLibraryClass *library_class = DYNO_ENGINE_LIBRARY_CLASS (klass);

  library_class->name = "llama.cpp";
  library_class->prefix = DYNO_LIBRARY_PREFIX ("llama");
  library_class->python_folder = "llama_cpp/lib";
  library_class->variable = VARIABLE;
  library_class->remedy = N_ (
      "Install it with “Install Engine…” or “dyno-cli engines install llama.cpp”, or name its libllama.so "
      "in Preferences.");
  library_class->open = dyno_llama_library_open;
  library_class->inspect = dyno_llama_library_inspect;
}

static void
dyno_llama_library_init (DynoLlamaLibrary *self)
{
}

const LlamaApi *
dyno_llama_library_get_api (DynoLlamaLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_LLAMA_LIBRARY (self), NULL);
  return &self->api;
}

LlamaDevice *
dyno_llama_library_find_device (DynoLlamaLibrary *self, const char *id)
{
  g_return_val_if_fail (DYNO_IS_LLAMA_LIBRARY (self), NULL);

  for (gsize i = 0; i < self->api.ggml_backend_dev_count (); i++)
    {
      LlamaDevice *device = self->api.ggml_backend_dev_get (i);

      if (g_ascii_strcasecmp (self->api.ggml_backend_dev_name (device), id) == 0)
        return device;
    }
  return NULL;
}
