/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenVINO with a graphics processor, on which nothing can run: it can only be opened. DYNO_FAKE_OV_PRECISION is what
 * a compiled model says it computes in; without it, it says nothing. What it was told goes to DYNO_FAKE_OV_TOLD. */
#include <stdarg.h>
#include <string.h>

#include "dyno-ov-api.h"

#define OV_DECLARE(result, name, arguments) result ov_##name arguments;

OV_FUNCTIONS (OV_DECLARE)

#define PRECISION "INFERENCE_PRECISION_HINT"

const char *
ov_get_last_err_msg (void)
{
  return "no such thing";
}

const char *
ov_get_error_info (OvStatus status)
{
  return "an error";
}

OvStatus
ov_get_openvino_version (OvVersion *version)
{
  version->build = "2026.0.0-made-up";
  return OV_STATUS_OK;
}

OvStatus
ov_core_create (OvCore **core)
{
  static char it;

  *core = (OvCore *)&it;
  return OV_STATUS_OK;
}

OvStatus
ov_core_get_available_devices (const OvCore *core, OvDevices *devices)
{
  static char name[] = "GPU";
  static char *names[] = { name };

  *devices = (OvDevices){ names, 1 };
  return OV_STATUS_OK;
}

OvStatus
ov_core_compile_model (const OvCore *core,
                       const OvModel *model,
                       const char *device,
                       gsize n_arguments,
                       OvCompiledModel **compiled,
                       ...)
{
  static char it;
  va_list arguments;

  g_unsetenv ("DYNO_FAKE_OV_TOLD");
  va_start (arguments, compiled);
  for (gsize i = 0; i < n_arguments; i += 2)
    {
      const char *key = va_arg (arguments, const char *);
      const char *value = va_arg (arguments, const char *);

      if (strcmp (key, PRECISION) == 0)
        g_setenv ("DYNO_FAKE_OV_TOLD", value, TRUE);
    }
  va_end (arguments);
  *compiled = (OvCompiledModel *)&it;
  return OV_STATUS_OK;
}

OvStatus
ov_compiled_model_get_property (const OvCompiledModel *compiled, const char *key, char **value)
{
  *value = strcmp (key, PRECISION) == 0 ? (char *)g_getenv ("DYNO_FAKE_OV_PRECISION") : NULL;
  return *value != NULL ? OV_STATUS_OK : OV_STATUS_NOT_FOUND;
}

OvStatus
ov_tensor_create (guint element, OvShape shape, OvTensor **tensor)
{
  *tensor = GUINT_TO_POINTER (element);
  return OV_STATUS_OK;
}

OvStatus
ov_tensor_get_byte_size (const OvTensor *tensor, gsize *n_bytes)
{
  static const guint8 sizes[] = {
    [OV_ELEMENT_BOOLEAN] = 1, [OV_ELEMENT_BF16] = 2, [OV_ELEMENT_F16] = 2, [OV_ELEMENT_F32] = 4,
    [OV_ELEMENT_F64] = 8,     [OV_ELEMENT_I8] = 1,   [OV_ELEMENT_I16] = 2, [OV_ELEMENT_I32] = 4,
    [OV_ELEMENT_I64] = 8,     [OV_ELEMENT_U8] = 1,   [OV_ELEMENT_U16] = 2, [OV_ELEMENT_U32] = 4,
    [OV_ELEMENT_U64] = 8,
  };

  *n_bytes = sizes[GPOINTER_TO_UINT (tensor)];
  return OV_STATUS_OK;
}
