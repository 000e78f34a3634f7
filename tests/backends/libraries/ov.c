/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenVINO with a graphics processor, on which every model gives its input “x” of three numbers back as “y”.
 * DYNO_FAKE_OV_PRECISION is what a compiled model says it computes in; without it, it says nothing. One that was told
 * nothing at all says what stands in DYNO_FAKE_OV_ALONE instead, `NUM_STREAMS=2,…`; “all” is the number of processors it
 * may use. What it was told goes
 * to DYNO_FAKE_OV_TOLD. What requests do goes to DYNO_FAKE_OV_CALLS, each by the first number of its input; the one whose
 * is DYNO_FAKE_OV_FAILS does not run, and where that is “any”, none does. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dyno-ov-api.h"

#define OV_DECLARE(result, name, arguments) result ov_##name arguments;

OV_FUNCTIONS (OV_DECLARE)

#define PRECISION "INFERENCE_PRECISION_HINT"
#define CALLS     "DYNO_FAKE_OV_CALLS"

/* A compiled model. */
static char told_some, told_nothing;

struct OvInferRequest
{
  float *input;
};

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
  *compiled = (OvCompiledModel *)(n_arguments > 0 ? &told_some : &told_nothing);
  return OV_STATUS_OK;
}

/* It is never freed. */
static char *
dup_own_choice (const char *key)
{
  const char *all = g_getenv ("DYNO_FAKE_OV_ALONE");
  g_auto (GStrv) parts = g_strsplit (all != NULL ? all : "", ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (parts[i], key) && parts[i][strlen (key)] == '=')
      {
        const char *value = parts[i] + strlen (key) + 1;

        return strcmp (value, "all") == 0 ? g_strdup_printf ("%u", g_get_num_processors ())
                                          : g_strdup (value);
      }
  return NULL;
}

OvStatus
ov_compiled_model_get_property (const OvCompiledModel *compiled, const char *key, char **value)
{
  if (compiled == (const OvCompiledModel *)&told_nothing)
    *value = dup_own_choice (key);
  else
    *value = strcmp (key, PRECISION) == 0 ? (char *)g_getenv ("DYNO_FAKE_OV_PRECISION") : NULL;
  return *value != NULL ? OV_STATUS_OK : OV_STATUS_NOT_FOUND;
}

OvStatus
ov_compiled_model_inputs_size (const OvCompiledModel *compiled, gsize *size)
{
  *size = 1;
  return OV_STATUS_OK;
}

OvStatus
ov_compiled_model_outputs_size (const OvCompiledModel *compiled, gsize *size)
{
  *size = 1;
  return OV_STATUS_OK;
}

/* A port is its name. */
OvStatus
ov_compiled_model_input_by_index (const OvCompiledModel *compiled, gsize index, OvPort **port)
{
  static char name[] = "x";

  *port = (OvPort *)name;
  return OV_STATUS_OK;
}

OvStatus
ov_compiled_model_output_by_index (const OvCompiledModel *compiled, gsize index, OvPort **port)
{
  static char name[] = "y";

  *port = (OvPort *)name;
  return OV_STATUS_OK;
}

/* The input has a second name. */
OvStatus
ov_compiled_model_input_by_name (const OvCompiledModel *compiled, const char *name, OvPort **port)
{
  if (!g_str_equal (name, "x") && !g_str_equal (name, "second"))
    return OV_STATUS_NOT_FOUND;
  return ov_compiled_model_input_by_index (compiled, 0, port);
}

OvStatus
ov_compiled_model_output_by_name (const OvCompiledModel *compiled, const char *name, OvPort **port)
{
  return g_str_equal (name, "y") ? ov_compiled_model_output_by_index (compiled, 0, port)
                                 : OV_STATUS_NOT_FOUND;
}

OvStatus
ov_port_get_any_name (const OvPort *port, char **name)
{
  *name = (char *)port;
  return OV_STATUS_OK;
}

OvStatus
ov_port_get_element_type (const OvPort *port, guint *element)
{
  *element = OV_ELEMENT_F32;
  return OV_STATUS_OK;
}

OvStatus
ov_port_get_partial_shape (const OvPort *port, OvPartialShape *shape)
{
  static OvDimension dims[] = { { 1, 1 }, { 3, 3 } };

  *shape = (OvPartialShape){ { 2, 2 }, dims };
  return OV_STATUS_OK;
}

OvStatus
ov_compiled_model_create_infer_request (const OvCompiledModel *compiled, OvInferRequest **self)
{
  *self = g_new0 (OvInferRequest, 1);
  return OV_STATUS_OK;
}

void
ov_infer_request_free (OvInferRequest *self)
{
  g_free (self);
}

OvStatus
ov_infer_request_set_input_tensor_by_index (OvInferRequest *self, gsize index, const OvTensor *tensor)
{
  self->input = (float *)tensor;
  return OV_STATUS_OK;
}

OvStatus
ov_infer_request_get_output_tensor_by_index (const OvInferRequest *self, gsize index, OvTensor **tensor)
{
  *tensor = (OvTensor *)self->input;
  return OV_STATUS_OK;
}

static void
write_down (const char *what, const OvInferRequest *self)
{
  const char *before = g_getenv (CALLS);
  char text[1024];

  snprintf (text, sizeof text, "%s%s %g, ", before != NULL ? before : "", what, (double)self->input[0]);
  g_setenv (CALLS, text, TRUE);
}

static gboolean
fails (const OvInferRequest *self)
{
  const char *failing = g_getenv ("DYNO_FAKE_OV_FAILS");

  return failing != NULL &&
         (strcmp (failing, "any") == 0 || g_ascii_strtod (failing, NULL) == (double)self->input[0]);
}

OvStatus
ov_infer_request_infer (OvInferRequest *self)
{
  if (fails (self))
    return OV_STATUS_NOT_IMPLEMENTED;
  write_down ("infer", self);
  return OV_STATUS_OK;
}

OvStatus
ov_infer_request_start_async (OvInferRequest *self)
{
  if (fails (self))
    return OV_STATUS_NOT_IMPLEMENTED;
  write_down ("start", self);
  return OV_STATUS_OK;
}

OvStatus
ov_infer_request_wait (OvInferRequest *self)
{
  write_down ("wait", self);
  return OV_STATUS_OK;
}

/* A tensor with given memory is that memory; one without is only its type. */
OvStatus
ov_tensor_create_from_host_ptr (guint element, OvShape shape, void *memory, OvTensor **tensor)
{
  *tensor = memory;
  return OV_STATUS_OK;
}

OvStatus
ov_tensor_data (const OvTensor *tensor, void **data)
{
  *data = (void *)tensor;
  return OV_STATUS_OK;
}

OvStatus
ov_tensor_get_shape (const OvTensor *tensor, OvShape *shape)
{
  static gint64 dims[] = { 1, 3 };

  *shape = (OvShape){ 2, dims };
  return OV_STATUS_OK;
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
