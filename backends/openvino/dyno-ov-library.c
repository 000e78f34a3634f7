/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "dyno-error.h"
#include "dyno-library-search.h"
#include "dyno-ov-error.h"
#include "dyno-ov-library.h"

#define LIBRARY_PREFIX "libopenvino_c.so"
#define PYTHON_FOLDER  "openvino/libs"

static const struct
{
  DynoDataType type;
  OvElement element;
} elements[] = {
  { DYNO_DATA_TYPE_BOOL, OV_ELEMENT_BOOLEAN }, { DYNO_DATA_TYPE_BFLOAT16, OV_ELEMENT_BF16 },
  { DYNO_DATA_TYPE_FLOAT16, OV_ELEMENT_F16 },  { DYNO_DATA_TYPE_FLOAT, OV_ELEMENT_F32 },
  { DYNO_DATA_TYPE_DOUBLE, OV_ELEMENT_F64 },   { DYNO_DATA_TYPE_INT8, OV_ELEMENT_I8 },
  { DYNO_DATA_TYPE_INT16, OV_ELEMENT_I16 },    { DYNO_DATA_TYPE_INT32, OV_ELEMENT_I32 },
  { DYNO_DATA_TYPE_INT64, OV_ELEMENT_I64 },    { DYNO_DATA_TYPE_UINT8, OV_ELEMENT_U8 },
  { DYNO_DATA_TYPE_UINT16, OV_ELEMENT_U16 },   { DYNO_DATA_TYPE_UINT32, OV_ELEMENT_U32 },
  { DYNO_DATA_TYPE_UINT64, OV_ELEMENT_U64 },
};

#define OV_FUNCTION(result, name, arguments) { "ov_" #name, G_STRUCT_OFFSET (OvApi, name) },

static const struct
{
  const char *symbol;
  glong offset;
} functions[] = { OV_FUNCTIONS (OV_FUNCTION) };

struct _DynoOvLibrary
{
  GObject parent_instance;

  char *path;

  GMutex mutex;
  gboolean loaded;
  GError *problem;
  char *version;
  OvApi api;
  guint element_shift;
  OvCore *core;
};

enum
{
  PROP_0,
  PROP_PATH,
  PROP_VERSION,
  PROP_USABLE,
  PROP_PROBLEM,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoOvLibrary, dyno_ov_library, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static GMutex path_mutex;
static char *path_from_settings;

static gboolean
open_library (DynoOvLibrary *self, GError **error)
{
  /* Never closed: the library's threads and static objects do not survive that. */
  void *handle = dlopen (self->path, RTLD_LAZY | RTLD_LOCAL);

  if (handle == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("“%s” cannot be opened as a library: %s."),
                   self->path, dlerror ());
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      void *symbol = dlsym (handle, functions[i].symbol);

      if (symbol == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                       _ ("“%s” is a library, but not OpenVINO 2024 or newer: it has no function %s."),
                       self->path, functions[i].symbol);
          return FALSE;
        }
      G_STRUCT_MEMBER (void *, &self->api, functions[i].offset) = symbol;
    }
  return TRUE;
}

/* `2026.4.1-22982-e213a147257-releases/2026/4` becomes `2026.4.1`. */
static gboolean
read_version (DynoOvLibrary *self, GError **error)
{
  OvVersion version = { 0 };
  OvStatus status = self->api.get_openvino_version (&version);

  if (!dyno_ov_error_check (self, self->path, status, error))
    return FALSE;
  self->version = g_strndup (version.build, strcspn (version.build, "-"));
  self->api.version_free (&version);
  return TRUE;
}

static gsize
measure_element (DynoOvLibrary *self, guint element)
{
  gint64 one = 1;
  OvShape shape = { 1, &one };
  OvTensor *tensor = NULL;
  gsize bytes = 0;

  if (self->api.tensor_create (element, shape, &tensor) != OV_STATUS_OK)
    return 0;
  if (self->api.tensor_get_byte_size (tensor, &bytes) != OV_STATUS_OK)
    bytes = 0;
  self->api.tensor_free (tensor);
  return bytes;
}

static gboolean
has_elements_shifted_by (DynoOvLibrary *self, guint shift)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (measure_element (self, elements[i].element + shift) != dyno_data_type_get_size (elements[i].type))
      return FALSE;
  return TRUE;
}

/* A wrong number would be a wrong type without an error, so the numbers are tried. */
static gboolean
find_element_shift (DynoOvLibrary *self, GError **error)
{
  for (self->element_shift = 0; self->element_shift <= 1; self->element_shift++)
    if (has_elements_shifted_by (self, self->element_shift))
      return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
      _ ("“%s” is OpenVINO %s, which numbers the types of tensors in a way that Dyno does not know."),
      self->path, self->version);
  return FALSE;
}

static void
dyno_ov_library_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoOvLibrary *self = DYNO_OV_LIBRARY (object);

  switch (prop_id)
    {
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    case PROP_VERSION:
      g_value_set_string (value, dyno_ov_library_get_version (self));
      break;
    case PROP_USABLE:
      g_value_set_boolean (value, dyno_ov_library_is_usable (self));
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, dyno_ov_library_get_problem (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ov_library_class_init (DynoOvLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = dyno_ov_library_get_property;

  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);
  properties[PROP_VERSION] = g_param_spec_string ("version", NULL, NULL, NULL, flags);
  properties[PROP_USABLE] = g_param_spec_boolean ("usable", NULL, NULL, FALSE, flags);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_ov_library_init (DynoOvLibrary *self)
{
  g_mutex_init (&self->mutex);
}

/**
 * dyno_ov_library_set_path:
 * @path: (nullable): the library that the user's settings name, %NULL to search
 *
 * A library that is named is used or is an error: never silently another one.
 */
void
dyno_ov_library_set_path (const char *path)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&path_mutex);

  g_free (path_from_settings);
  path_from_settings = path != NULL && *path != '\0' ? g_strdup (path) : NULL;
}

/**
 * dyno_ov_library_dup_path:
 *
 * The library that was named: by the environment variable `DYNO_OPENVINO`, else by
 * [func@Dyno.OvLibrary.set_path]. A process that measures is told by that variable.
 *
 * Returns: (transfer full) (nullable): its path, or %NULL if it is to be searched
 */
char *
dyno_ov_library_dup_path (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&path_mutex);
  const char *from_environment = g_getenv ("DYNO_OPENVINO");

  if (from_environment != NULL && *from_environment != '\0')
    return g_strdup (from_environment);
  return g_strdup (path_from_settings);
}

static void
append_once (GListStore *store, const char *path)
{
  DynoOvLibrary *library = dyno_ov_library_get (path);

  if (!g_list_store_find (store, library, NULL))
    g_list_store_append (store, library);
}

/**
 * dyno_ov_library_list_found:
 *
 * Looks for libraries of OpenVINO: the one that was named, the system's, those in the runtimes folder, those in
 * Python environments. They are not opened.
 *
 * Returns: (transfer full): a list of [class@Dyno.OvLibrary] in order of preference
 */
GListModel *
dyno_ov_library_list_found (void)
{
  GListStore *store = g_list_store_new (DYNO_TYPE_OV_LIBRARY);
  g_autofree char *named = dyno_ov_library_dup_path ();
  char *real_named = named != NULL ? realpath (named, NULL) : NULL;
  g_auto (GStrv) found = dyno_library_search (LIBRARY_PREFIX, PYTHON_FOLDER);

  if (real_named != NULL)
    append_once (store, real_named);
  for (guint i = 0; found[i] != NULL; i++)
    append_once (store, found[i]);
  free (real_named);
  return G_LIST_MODEL (store);
}

static DynoOvLibrary *
load_named (const char *path, GError **error)
{
  char *real_path = realpath (path, NULL);
  DynoOvLibrary *library;

  if (real_path == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                   _ ("The named OpenVINO library “%s” does not exist."), path);
      return NULL;
    }
  library = dyno_ov_library_get (real_path);
  free (real_path);
  return dyno_ov_library_load (library, error) ? library : NULL;
}

static DynoOvLibrary *
load_first_usable (GError **error)
{
  g_auto (GStrv) found = dyno_library_search (LIBRARY_PREFIX, PYTHON_FOLDER);
  g_autoptr (GError) first_problem = NULL;

  for (guint i = 0; found[i] != NULL; i++)
    if (dyno_ov_library_load (dyno_ov_library_get (found[i]), first_problem == NULL ? &first_problem : NULL))
      return dyno_ov_library_get (found[i]);
  if (first_problem != NULL)
    g_propagate_error (error, g_steal_pointer (&first_problem));
  else
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("OpenVINO was not found."));
  return NULL;
}

/**
 * dyno_ov_library_get_default:
 * @error: return location for an error; its remedy is [func@Dyno.OvLibrary.get_remedy]
 *
 * Opens the library that was named, or the first usable one.
 *
 * Returns: (transfer none) (nullable): a usable library
 */
DynoOvLibrary *
dyno_ov_library_get_default (GError **error)
{
  g_autofree char *named = dyno_ov_library_dup_path ();

  return named != NULL ? load_named (named, error) : load_first_usable (error);
}

/**
 * dyno_ov_library_get_remedy:
 *
 * Returns: (transfer none): what to do when there is no usable library, as a sentence
 */
const char *
dyno_ov_library_get_remedy (void)
{
  return _ ("Run “./dev setup”, install OpenVINO from Intel’s packages or the Python package “openvino”, or "
            "name its libopenvino_c.so in the environment variable DYNO_OPENVINO.");
}

/**
 * dyno_ov_library_get:
 * @path: a library's file
 *
 * There is one object for every path, and it stays: a library once opened is never closed. Nothing is opened
 * yet.
 *
 * Returns: (transfer none): the library of that file
 */
DynoOvLibrary *
dyno_ov_library_get (const char *path)
{
  static GMutex mutex;
  static GHashTable *libraries;
  g_autoptr (GMutexLocker) locker = NULL;
  DynoOvLibrary *self;

  g_return_val_if_fail (path != NULL, NULL);

  locker = g_mutex_locker_new (&mutex);
  if (libraries == NULL)
    libraries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self = g_hash_table_lookup (libraries, path);
  if (self == NULL)
    {
      self = g_object_new (DYNO_TYPE_OV_LIBRARY, NULL);
      self->path = g_strdup (path);
      g_hash_table_insert (libraries, self->path, self);
    }
  return self;
}

/**
 * dyno_ov_library_load:
 * @self: a library
 * @error: return location for an error
 *
 * Opens the library, once; later calls tell what came of it. Any thread may call this.
 *
 * Returns: whether it is an OpenVINO that Dyno can use
 */
gboolean
dyno_ov_library_load (DynoOvLibrary *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), FALSE);

  locker = g_mutex_locker_new (&self->mutex);
  if (!self->loaded && open_library (self, &self->problem) && read_version (self, &self->problem))
    find_element_shift (self, &self->problem);
  self->loaded = TRUE;
  if (self->problem != NULL && error != NULL)
    *error = g_error_copy (self->problem);
  return self->problem == NULL;
}

const char *
dyno_ov_library_get_path (DynoOvLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), NULL);
  return self->path;
}

/**
 * dyno_ov_library_get_version:
 * @self: a library
 *
 * Returns: (transfer none) (nullable): its version, `2026.4.1`
 */
const char *
dyno_ov_library_get_version (DynoOvLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), NULL);

  dyno_ov_library_load (self, NULL);
  return self->version;
}

gboolean
dyno_ov_library_is_usable (DynoOvLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), FALSE);

  return dyno_ov_library_load (self, NULL);
}

/**
 * dyno_ov_library_get_problem:
 * @self: a library
 *
 * Returns: (transfer none) (nullable): why it is not usable, as a sentence
 */
const char *
dyno_ov_library_get_problem (DynoOvLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), NULL);

  return dyno_ov_library_load (self, NULL) ? NULL : self->problem->message;
}

/**
 * dyno_ov_library_get_api: (skip)
 * @self: a usable library
 *
 * Returns: (transfer none): its functions
 */
const OvApi *
dyno_ov_library_get_api (DynoOvLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), NULL);
  return &self->api;
}

/**
 * dyno_ov_library_get_core: (skip)
 * @self: a usable library
 * @error: return location for an error
 *
 * Returns: (transfer none) (nullable): the entry to its devices, of which a process has one
 */
OvCore *
dyno_ov_library_get_core (DynoOvLibrary *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (dyno_ov_library_is_usable (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);
  if (self->core == NULL &&
      !dyno_ov_error_check (self, self->path, self->api.core_create (&self->core), error))
    return NULL;
  return self->core;
}

/**
 * dyno_ov_library_get_element: (skip)
 * @self: a usable library
 * @type: a type of numbers
 * @element: (out): the library's number for it
 *
 * Returns: whether it has one
 */
gboolean
dyno_ov_library_get_element (DynoOvLibrary *self, DynoDataType type, guint *element)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (elements[i].type == type)
      {
        *element = elements[i].element + self->element_shift;
        return TRUE;
      }
  return FALSE;
}

/**
 * dyno_ov_library_get_data_type: (skip)
 * @self: a usable library
 * @element: the library's number for a type
 *
 * Returns: the type, undefined if Dyno has none like it
 */
DynoDataType
dyno_ov_library_get_data_type (DynoOvLibrary *self, guint element)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (elements[i].element + self->element_shift == element)
      return elements[i].type;
  return DYNO_DATA_TYPE_UNDEFINED;
}
