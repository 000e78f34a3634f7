/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "dyno-backends-base-private.h"
#include "dyno-engine-library.h"
#include "dyno-error.h"
#include "dyno-system.h"

typedef struct
{
  char *path;

  GMutex mutex;
  gboolean loaded;
  gboolean inspected;
  GError *problem;
  char *version;
} DynoEngineLibraryPrivate;

enum
{
  PROP_0,
  PROP_PATH,
  PROP_VERSION,
  PROP_USABLE,
  PROP_PROBLEM,
  N_PROPS
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoEngineLibrary, dyno_engine_library, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static GMutex static_mutex;
static GHashTable *libraries; /* type and path to library */
static GMutex open_mutex;
static GPtrArray *open_libraries; /* DynoEngineLibrary, in the order of opening */

static DynoEngineLibraryPrivate *
get_private (DynoEngineLibrary *self)
{
  return dyno_engine_library_get_instance_private (self);
}

static void
dyno_engine_library_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoEngineLibrary *self = DYNO_ENGINE_LIBRARY (object);

  switch (prop_id)
    {
    case PROP_PATH:
      g_value_set_string (value, dyno_engine_library_get_path (self));
      break;
    case PROP_VERSION:
      g_value_set_string (value, dyno_engine_library_get_version (self));
      break;
    case PROP_USABLE:
      g_value_set_boolean (value, dyno_engine_library_is_usable (self));
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, dyno_engine_library_get_problem (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_engine_library_class_init (DynoEngineLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = dyno_engine_library_get_property;

  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);
  properties[PROP_VERSION] = g_param_spec_string ("version", NULL, NULL, NULL, flags);
  properties[PROP_USABLE] = g_param_spec_boolean ("usable", NULL, NULL, FALSE, flags);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_engine_library_init (DynoEngineLibrary *self)
{
  g_mutex_init (&get_private (self)->mutex);
}

/* Returns the path of the named library; NULL to search. */
static char *
dup_named (GType type)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);

  return dyno_engine_path_dup (((DynoEngineLibraryClass *)klass)->variable);
}

static void
append_once (GListStore *store, gpointer library)
{
  if (!g_list_store_find (store, library, NULL))
    g_list_store_append (store, library);
}

/* Returns the library of that file, whichever links lead to it; NULL if there is no file. */
static gpointer
get_existing (GType type, const char *path)
{
  char *real_path = realpath (path, NULL);
  gpointer library = real_path != NULL ? dyno_engine_library_get (type, real_path) : NULL;

  free (real_path);
  return library;
}

GListModel *
dyno_engine_library_list_found (GType type)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  DynoEngineLibraryClass *library_class = (DynoEngineLibraryClass *)klass;
  GListStore *store = g_list_store_new (type);
  g_autofree char *named = dup_named (type);
  gpointer first = named != NULL ? get_existing (type, named) : NULL;
  g_auto (GStrv) found = dyno_library_search (library_class->prefix, library_class->python_folder);

  if (first != NULL)
    append_once (store, first);
  for (guint i = 0; found[i] != NULL; i++)
    append_once (store, dyno_engine_library_get (type, found[i]));
  return G_LIST_MODEL (store);
}

char *
dyno_engine_library_dup_state (GType type)
{
  g_autofree char *named = dup_named (type);
  g_autofree char *state_of_named = dyno_system_dup_state (named);
  g_autoptr (GListModel) found = dyno_engine_library_list_found (type);
  GString *text = g_string_new (state_of_named);

  for (guint i = 0; i < g_list_model_get_n_items (found); i++)
    {
      g_autoptr (DynoEngineLibrary) library = g_list_model_get_item (found, i);
      g_autofree char *state = dyno_system_dup_state (dyno_engine_library_get_path (library));

      g_string_append_printf (text, "\n%s", state);
    }
  return g_string_free (text, FALSE);
}

static void
name_version (GType type, const char *runtime)
{
  g_autofree char *named = dup_named (type);
  g_autoptr (GListModel) found = dyno_engine_library_list_found (type);

  for (guint i = 0; named == NULL && i < g_list_model_get_n_items (found); i++)
    {
      g_autoptr (DynoEngineLibrary) library = g_list_model_get_item (found, i);
      const char *version = dyno_engine_library_get_version (library);
      g_autofree char *text =
          version != NULL ? g_strdup_printf ("%s %s", DYNO_ENGINE_LIBRARY_GET_CLASS (library)->name, version)
                          : NULL;

      if (g_strcmp0 (text, runtime) != 0 || !dyno_engine_library_is_usable (library))
        continue;
      dyno_engine_path_set (DYNO_ENGINE_LIBRARY_GET_CLASS (library)->variable,
                            dyno_engine_library_get_path (library));
      return;
    }
}

void
dyno_engine_library_name_version (const char *runtime)
{
  guint n_types = 0;
  g_autofree GType *types = g_type_children (DYNO_TYPE_ENGINE_LIBRARY, &n_types);

  for (guint i = 0; i < n_types; i++)
    {
      g_autoptr (GTypeClass) klass = g_type_class_ref (types[i]);

      if (g_str_has_prefix (runtime, ((DynoEngineLibraryClass *)klass)->name))
        name_version (types[i], runtime);
    }
}

static GListModel *
create_list_of_one (GType type, gpointer library)
{
  GListStore *store = g_list_store_new (type);

  g_list_store_append (store, library);
  return G_LIST_MODEL (store);
}

GListModel *
dyno_engine_library_list_candidates (GType type, GError **error)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  const char *name = ((DynoEngineLibraryClass *)klass)->name;
  g_autofree char *named = dup_named (type);
  g_autoptr (GListModel) found = NULL;

  if (named != NULL)
    {
      gpointer library = get_existing (type, named);

      if (library != NULL)
        return create_list_of_one (type, library);
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("The named %s library “%s” does not exist."),
                   name, named);
      return NULL;
    }
  found = dyno_engine_library_list_found (type);
  /* A process with an open library can use no other. */
  for (guint i = 0; i < g_list_model_get_n_items (found); i++)
    {
      g_autoptr (DynoEngineLibrary) library = g_list_model_get_item (found, i);

      if (dyno_engine_library_is_open (library))
        return create_list_of_one (type, library);
    }
  if (g_list_model_get_n_items (found) > 0)
    return g_steal_pointer (&found);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("%s was not found."), name);
  return NULL;
}

gpointer
dyno_engine_library_get_default (GType type, GError **error)
{
  g_autoptr (GListModel) candidates = dyno_engine_library_list_candidates (type, error);
  g_autoptr (GError) first_problem = NULL;

  if (candidates == NULL)
    return NULL;
  for (guint i = 0; i < g_list_model_get_n_items (candidates); i++)
    {
      /* The library outlives this reference. */
      g_autoptr (DynoEngineLibrary) library = g_list_model_get_item (candidates, i);
      GError **problem = first_problem == NULL ? &first_problem : NULL;

      /* A single candidate is opened without inspection. */
      if ((g_list_model_get_n_items (candidates) == 1 || dyno_engine_library_inspect (library, problem)) &&
          dyno_engine_library_load (library, problem))
        return library;
    }
  g_propagate_error (error, g_steal_pointer (&first_problem));
  return NULL;
}

const char *
dyno_engine_library_get_remedy (GType type)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);

  return _ (((DynoEngineLibraryClass *)klass)->remedy);
}

gpointer
dyno_engine_library_find (GType type, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gpointer library = dyno_engine_library_get_default (type, &problem);

  if (library == NULL)
    g_set_error (error, DYNO_ERROR, problem->code, "%s %s", problem->message,
                 dyno_engine_library_get_remedy (type));
  return library;
}

gpointer
dyno_engine_library_get (GType type, const char *path)
{
  g_autofree char *key = g_strconcat (g_type_name (type), ":", path, NULL);
  g_autoptr (GMutexLocker) locker = NULL;
  DynoEngineLibrary *self;

  g_return_val_if_fail (path != NULL, NULL);

  locker = g_mutex_locker_new (&static_mutex);
  if (libraries == NULL)
    libraries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self = g_hash_table_lookup (libraries, key);
  if (self == NULL)
    {
      self = g_object_new (type, NULL);
      get_private (self)->path = g_strdup (path);
      g_hash_table_insert (libraries, g_steal_pointer (&key), self);
    }
  return self;
}

/* The caller holds the lock. */
static void
open_library (DynoEngineLibrary *self)
{
  DynoEngineLibraryPrivate *priv = get_private (self);

  if (priv->loaded || priv->problem != NULL)
    return;
  g_clear_pointer (&priv->version, g_free);
  if (DYNO_ENGINE_LIBRARY_GET_CLASS (self)->open (self, &priv->version, &priv->problem))
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&open_mutex);

      if (open_libraries == NULL)
        open_libraries = g_ptr_array_new ();
      g_ptr_array_add (open_libraries, self);
    }
  priv->loaded = TRUE;
}

GPtrArray *
dyno_engine_library_list_open (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&open_mutex);

  return open_libraries != NULL ? g_ptr_array_copy (open_libraries, NULL, NULL) : g_ptr_array_new ();
}

static gboolean
report_problem (DynoEngineLibrary *self, GError **error)
{
  const GError *problem = get_private (self)->problem;

  if (problem != NULL && error != NULL)
    *error = g_error_copy (problem);
  return problem == NULL;
}

gboolean
dyno_engine_library_load (DynoEngineLibrary *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), FALSE);

  locker = g_mutex_locker_new (&get_private (self)->mutex);
  open_library (self);
  return report_problem (self, error);
}

gboolean
dyno_engine_library_inspect (DynoEngineLibrary *self, GError **error)
{
  DynoEngineLibraryClass *klass;
  DynoEngineLibraryPrivate *priv;
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), FALSE);

  klass = DYNO_ENGINE_LIBRARY_GET_CLASS (self);
  priv = get_private (self);
  locker = g_mutex_locker_new (&priv->mutex);
  if (klass->inspect == NULL)
    open_library (self);
  else if (!priv->loaded && !priv->inspected)
    klass->inspect (self, &priv->version, &priv->problem);
  priv->inspected = TRUE;
  return report_problem (self, error);
}

gboolean
dyno_engine_library_is_open (DynoEngineLibrary *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), FALSE);

  locker = g_mutex_locker_new (&get_private (self)->mutex);
  return get_private (self)->loaded && get_private (self)->problem == NULL;
}

const char *
dyno_engine_library_get_path (DynoEngineLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), NULL);

  return get_private (self)->path;
}

const char *
dyno_engine_library_get_version (DynoEngineLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), NULL);

  dyno_engine_library_inspect (self, NULL);
  return get_private (self)->version;
}

gboolean
dyno_engine_library_is_usable (DynoEngineLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), FALSE);

  return dyno_engine_library_inspect (self, NULL);
}

const char *
dyno_engine_library_get_problem (DynoEngineLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_ENGINE_LIBRARY (self), NULL);

  return dyno_engine_library_inspect (self, NULL) ? NULL : get_private (self)->problem->message;
}

gpointer
dyno_engine_library_open_file (DynoEngineLibrary *self, GError **error)
{
  const char *path = dyno_engine_library_get_path (self);
  gpointer handle = dlopen (path, RTLD_LAZY | RTLD_LOCAL);

  if (handle == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("“%s” cannot be opened as a library: %s."),
                 path, dlerror ());
  return handle;
}

GMutexLocker *
dyno_engine_library_lock (DynoEngineLibrary *self)
{
  return g_mutex_locker_new (&get_private (self)->mutex);
}
