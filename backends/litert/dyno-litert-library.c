/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#ifdef __linux__
#include <link.h>
#endif

#include "dyno-error.h"
#include "dyno-litert-private.h"
#include "dyno-system.h"
#include "dyno-text.h"

/* The table of functions for code that is built apart from LiteRT: its size changes whenever the interface does. */
#define TABLE "kLiteRtRuntimeBuiltin"

#define FUNCTION(result, name, arguments) { #name, G_STRUCT_OFFSET (LiteRtApi, name) },

static const struct
{
  const char *symbol;
  glong offset;
} functions[] = { LITERT_FUNCTIONS (FUNCTION) };

struct _DynoLitertLibrary
{
  DynoEngineLibrary parent_instance;

  LiteRtApi api;
  LiteRtEnvironment *environments[LITERT_ACCELERATOR_NPU + 1]; /* by the bit of the kind */
};

G_DEFINE_FINAL_TYPE (DynoLitertLibrary, dyno_litert_library, DYNO_TYPE_ENGINE_LIBRARY)

/* LiteRT cannot say which release it is, and only Linux tells the size of a symbol. */
static const char *
find_version (gpointer handle)
{
#ifdef __linux__
  static const struct
  {
    gsize n_functions; /* in the table */
    const char *version;
  } releases[] = {
    { 165, "2.2.0" },
    { 169, "2.3.0" },
  };
  void *table = dlsym (handle, TABLE);
  ElfW (Sym) *symbol = NULL;
  Dl_info info;

  if (table == NULL || dladdr1 (table, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (releases); i++)
    if (symbol->st_size == releases[i].n_functions * sizeof (void *))
      return releases[i].version;
#endif
  return NULL;
}

/* The accelerators' libraries are looked for beside that of LiteRT. */
static gboolean
create_environment (DynoLitertLibrary *self, int accelerator, GError **error)
{
  const char *path = dyno_engine_library_get_path (DYNO_ENGINE_LIBRARY (self));
  g_autofree char *folder = g_path_get_dirname (path);
  const LiteRtEnvironmentOption options[] = {
    { LITERT_ENVIRONMENT_ACCELERATORS, { LITERT_ANY_INT, .number = accelerator } },
    { LITERT_ENVIRONMENT_LEAST_SEVERITY, { LITERT_ANY_INT, .number = LITERT_SEVERITY_ERROR } },
    { LITERT_ENVIRONMENT_LIBRARIES, { LITERT_ANY_TEXT, .text = folder } },
    { LITERT_ENVIRONMENT_DISPATCHERS, { LITERT_ANY_TEXT, .text = folder } },
    { LITERT_ENVIRONMENT_COMPILERS, { LITERT_ANY_TEXT, .text = folder } },
  };
  guint n_options = accelerator == LITERT_ACCELERATOR_CPU ? 2 : G_N_ELEMENTS (options);

  return dyno_litert_check (
      self->api.LiteRtCreateEnvironment ((int)n_options, options, &self->environments[accelerator]),
      g_strdup_printf (_ ("LiteRT in “%s” does not start."), path), NULL, error);
}

static gboolean
dyno_litert_library_open (DynoEngineLibrary *library, char **version, GError **error)
{
  DynoLitertLibrary *self = DYNO_LITERT_LIBRARY (library);
  const char *path = dyno_engine_library_get_path (library);
  gpointer handle = dyno_engine_library_open_file (library, error);

  if (handle == NULL)
    return FALSE;
  *version = g_strdup (find_version (handle));
  if (*version == NULL)
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
          _ ("“%s” is not LiteRT 2.2 or 2.3. Its interface changes with every release, and Dyno knows "
             "those of these two."),
          path);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      void *symbol = dlsym (handle, functions[i].symbol);

      if (symbol == NULL)
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
              _ ("“%s” seems to be LiteRT %s, but has no function %s: it was built from other sources."),
              path, *version, functions[i].symbol);
          return FALSE;
        }
      G_STRUCT_MEMBER (void *, &self->api, functions[i].offset) = symbol;
    }
  return create_environment (self, LITERT_ACCELERATOR_CPU, error);
}

static void
dyno_litert_library_class_init (DynoLitertLibraryClass *klass)
{
  DynoEngineLibraryClass *library_class = DYNO_ENGINE_LIBRARY_CLASS (klass);

  library_class->name = "LiteRT";
  library_class->prefix = DYNO_LIBRARY_PREFIX ("LiteRt");
  library_class->python_folder = "ai_edge_litert";
  library_class->variable = "DYNO_LITERT";
  library_class->remedy = N_ (
      "Install it with “Install Engine…” or “dyno-cli engines install litert”, or name its libLiteRt.so in "
      "Preferences.");
  library_class->open = dyno_litert_library_open;
}

static void
dyno_litert_library_init (DynoLitertLibrary *self)
{
}

const LiteRtApi *
dyno_litert_library_get_api (DynoLitertLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_LITERT_LIBRARY (self), NULL);
  return &self->api;
}

LiteRtEnvironment *
dyno_litert_library_get_environment (DynoLitertLibrary *self, int accelerator, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (DYNO_IS_LITERT_LIBRARY (self), NULL);

  locker = dyno_engine_library_lock (DYNO_ENGINE_LIBRARY (self));
  if (self->environments[accelerator] == NULL && !create_environment (self, accelerator, error))
    return NULL;
  /* A broken library may report success and give nothing. */
  if (self->environments[accelerator] == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("LiteRT in “%s” does not start."),
                 dyno_engine_library_get_path (DYNO_ENGINE_LIBRARY (self)));
  return self->environments[accelerator];
}

gboolean
dyno_litert_check (LiteRtStatus status, char *sentence, const char *messages, GError **error)
{
  g_autofree char *taken = sentence;
  g_autofree char *line = messages != NULL && *messages != '\0'
                              ? dyno_plain_text_quote (messages, DYNO_PLAIN_TEXT_MESSAGE)
                              : NULL;
  DynoError code = status == LITERT_OUT_OF_MEMORY ? DYNO_ERROR_OUT_OF_MEMORY
                   : status == LITERT_UNSUPPORTED ? DYNO_ERROR_UNSUPPORTED
                                                  : DYNO_ERROR_FAILED;

  if (status == LITERT_OK)
    return TRUE;
  if (line != NULL)
    g_set_error (error, DYNO_ERROR, code, "%s %s", taken, line);
  else
    /* Translators: a sentence, and the number of LiteRT’s error */
    g_set_error (error, DYNO_ERROR, code, _ ("%s (LiteRT’s error %d)"), taken, status);
  return FALSE;
}
