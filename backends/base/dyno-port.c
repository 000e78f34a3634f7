/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-port.h"

static gboolean
find_name (const DynoPort *ports, gsize n_ports, const char *name, gsize *index)
{
  for (gsize i = 0; i < n_ports; i++)
    if (g_str_equal (ports[i].name, name))
      {
        *index = i;
        return TRUE;
      }
  return FALSE;
}

static char *
describe_names (const DynoPort *ports, gsize n_ports)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < n_ports; i++)
    g_string_append_printf (text, "%s“%s”", i > 0 ? ", " : "", ports[i].name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
dyno_port_free_array (DynoPort *ports, gsize n_ports)
{
  for (gsize i = 0; ports != NULL && i < n_ports; i++)
    g_free (ports[i].name);
  g_free (ports);
}

gboolean
dyno_port_find_input (const DynoPort *inputs,
                      gsize n_inputs,
                      const char *name,
                      const char *model_path,
                      gsize *index,
                      GError **error)
{
  g_autofree char *known = NULL;

  if (find_name (inputs, n_inputs, name, index))
    return TRUE;
  known = describe_names (inputs, n_inputs);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” has no input “%s”. Its inputs are: %s."), model_path, name, known);
  return FALSE;
}

gboolean
dyno_port_find_output (const DynoPort *outputs,
                       gsize n_outputs,
                       const char *name,
                       const char *model_path,
                       gsize *index,
                       GError **error)
{
  g_autofree char *known = NULL;

  if (find_name (outputs, n_outputs, name, index))
    return TRUE;
  known = describe_names (outputs, n_outputs);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” has no output “%s”. Its outputs are: %s."), model_path, name, known);
  return FALSE;
}

/* An engine that does not know the shape reports rank 0. */
static gboolean
shape_fits (const DynoShape *declared, const DynoShape *actual)
{
  if (declared->type != actual->type || (declared->rank != actual->rank && declared->rank > 0))
    return FALSE;
  for (guint i = 0; i < declared->rank; i++)
    if (declared->dims[i] >= 0 && declared->dims[i] != actual->dims[i])
      return FALSE;
  return TRUE;
}

gboolean
dyno_port_refuse_type (DynoTensor *tensor, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               /* Translators: the name of an input and its type, such as string, sequence or int4 */
               _ ("Dyno gives the input “%s” of type %s to ONNX Runtime only. Choose that engine."),
               dyno_tensor_get_name (tensor),
               dyno_data_type_to_string (dyno_tensor_get_shape (tensor)->type));
  return FALSE;
}

gboolean
dyno_port_check_tensor (const DynoPort *input, DynoTensor *tensor, const char *model_path, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  g_autofree char *expected = NULL;
  g_autofree char *given = NULL;

  if (input->is_tensor ? shape_fits (&input->shape, shape) : input->shape.type != DYNO_DATA_TYPE_UNDEFINED)
    return TRUE;
  if (!input->is_tensor && input->shape.type == DYNO_DATA_TYPE_UNDEFINED)
    return dyno_port_refuse_type (tensor, error);
  expected = input->is_tensor ? dyno_shape_to_string (&input->shape) : g_strdup ("?");
  given = dyno_shape_to_string (shape);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The input “%s” of “%s” must be %s, but was given %s."), input->name, model_path, expected,
               given);
  return FALSE;
}

gboolean
dyno_port_check_tensors (
    const DynoPort *inputs, gsize n_inputs, GPtrArray *tensors, const char *model_path, GError **error)
{
  gsize index;

  for (guint i = 0; i < tensors->len; i++)
    if (!dyno_port_find_input (inputs, n_inputs, dyno_tensor_get_name (tensors->pdata[i]), model_path, &index,
                               error) ||
        !dyno_port_check_tensor (&inputs[index], tensors->pdata[i], model_path, error))
      return FALSE;
  return TRUE;
}

gboolean
dyno_port_fail_without_value (const char *input, const char *model_path, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The input “%s” of “%s” was given no value."), input, model_path);
  return FALSE;
}

gboolean
dyno_port_fail_to_carry (const char *output, const char *model_path, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The output “%s” of “%s” has no value to pass on: run the model first, and pass each "
                  "output only once."),
               output, model_path);
  return FALSE;
}
