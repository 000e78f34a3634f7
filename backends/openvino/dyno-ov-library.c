/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-openvino-private.h"
#include "dyno-system.h"

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
  DynoEngineLibrary parent_instance;

  OvApi api;
  guint element_shift;
  OvCore *core;
};

G_DEFINE_FINAL_TYPE (DynoOvLibrary, dyno_ov_library, DYNO_TYPE_ENGINE_LIBRARY)

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
dyno_ov_library_open (DynoEngineLibrary *library, char **version, GError **error)
{
  DynoOvLibrary *self = DYNO_OV_LIBRARY (library);
  OvVersion found = { 0 };
  gpointer handle = dyno_engine_library_open_file (library, error);

  if (handle == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      void *symbol = dlsym (handle, functions[i].symbol);

      if (symbol == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
                       _ ("“%s” is a library, but not OpenVINO 2024 or newer: it has no function %s."),
                       dyno_ov_library_get_path (self), functions[i].symbol);
          return FALSE;
        }
      G_STRUCT_MEMBER (void *, &self->api, functions[i].offset) = symbol;
    }
  if (!dyno_ov_error_check (&self->api, dyno_ov_library_get_path (self),
                            self->api.get_openvino_version (&found), error))
    return FALSE;
  /* `2026.4.1-22982-e213a147257-releases/2026/4` becomes `2026.4.1`. */
  *version = g_strndup (found.build, strcspn (found.build, "-"));
  self->api.version_free (&found);
  /* A wrong number would be a wrong type without an error, so the numbers are tried. */
  for (self->element_shift = 0; self->element_shift <= 1; self->element_shift++)
    {
      gboolean fits = TRUE;

      for (guint i = 0; fits && i < G_N_ELEMENTS (elements); i++)
        fits = measure_element (self, elements[i].element + self->element_shift) ==
               dyno_data_type_get_size (elements[i].type);
      if (fits)
        return TRUE;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME,
               _ ("“%s” is OpenVINO %s, whose tensor type numbers Dyno does not know."),
               dyno_ov_library_get_path (self), *version);
  return FALSE;
}

static void
dyno_ov_library_class_init (DynoOvLibraryClass *klass)
{
  DynoEngineLibraryClass *library_class = DYNO_ENGINE_LIBRARY_CLASS (klass);

  library_class->name = "OpenVINO";
  library_class->prefix = DYNO_LIBRARY_PREFIX ("openvino_c");
  library_class->python_folder = "openvino/libs";
  library_class->variable = "DYNO_OPENVINO";
  library_class->remedy =
      N_ ("Install it with “Install Engine…” or “dyno-cli engines install openvino”, install Intel’s "
          "packages, or name its libopenvino_c.so in Preferences.");
  library_class->open = dyno_ov_library_open;
}

static void
dyno_ov_library_init (DynoOvLibrary *self)
{
}

const char *
dyno_ov_library_get_path (DynoOvLibrary *self)
{
  return dyno_engine_library_get_path (DYNO_ENGINE_LIBRARY (self));
}

const char *
dyno_ov_library_get_version (DynoOvLibrary *self)
{
  return dyno_engine_library_get_version (DYNO_ENGINE_LIBRARY (self));
}

gboolean
dyno_ov_library_is_usable (DynoOvLibrary *self)
{
  return dyno_engine_library_is_usable (DYNO_ENGINE_LIBRARY (self));
}

const OvApi *
dyno_ov_library_get_api (DynoOvLibrary *self)
{
  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (self), NULL);
  return &self->api;
}

OvCore *
dyno_ov_library_get_core (DynoOvLibrary *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (dyno_ov_library_is_usable (self), NULL);

  locker = dyno_engine_library_lock (DYNO_ENGINE_LIBRARY (self));
  if (self->core == NULL && !dyno_ov_error_check (&self->api, dyno_ov_library_get_path (self),
                                                  self->api.core_create (&self->core), error))
    return NULL;
  return self->core;
}

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

DynoDataType
dyno_ov_library_get_data_type (DynoOvLibrary *self, guint element)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (elements[i].element + self->element_shift == element)
      return elements[i].type;
  return DYNO_DATA_TYPE_UNDEFINED;
}
