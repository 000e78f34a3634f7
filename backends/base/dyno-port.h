/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoPort:
 * @name: the input's or output's name
 * @is_tensor: whether it is a tensor, so that @shape is meaningful
 * @shape: as the engine declares it; a free dimension has the size -1; for other types than tensors only the type, if
 *   the engine's session supports it
 *
 * An input or output of a model as an engine declares it.
 */
typedef struct
{
  char *name;
  gboolean is_tensor;
  DynoShape shape;
} DynoPort;

/* Takes @ports. @ports may be NULL. */
void dyno_port_free_array (DynoPort *ports, gsize n_ports);
/* Returns whether there is such an input. @error: return location for an error, which lists the existing inputs. */
gboolean dyno_port_find_input (const DynoPort *inputs,
                               gsize n_inputs,
                               const char *name,
                               const char *model_path,
                               gsize *index,
                               GError **error);
/* Returns whether there is such an output. @error: return location for an error, which lists the existing outputs. */
gboolean dyno_port_find_output (const DynoPort *outputs,
                                gsize n_outputs,
                                const char *name,
                                const char *model_path,
                                gsize *index,
                                GError **error);
/* Returns whether type and shape fit. @error: return location for an error, which gives the required type and
 * shape. */
gboolean
dyno_port_check_tensor (const DynoPort *input, DynoTensor *tensor, const char *model_path, GError **error);
/* Returns whether there is an input for each, and type and shape fit. @tensors holds DynoTensor. @error: return
 * location for an error, which gives the required type and shape. */
gboolean dyno_port_check_tensors (
    const DynoPort *inputs, gsize n_inputs, GPtrArray *tensors, const char *model_path, GError **error);
/* Returns FALSE. @tensor: an input of a type that only one engine supports. Fails with DYNO_ERROR_UNSUPPORTED. */
gboolean dyno_port_refuse_type (DynoTensor *tensor, GError **error);
/* Returns FALSE. */
gboolean dyno_port_fail_without_value (const char *input, const char *model_path, GError **error);
/* Returns FALSE. @output: an output that was not computed, or was already carried on. */
gboolean dyno_port_fail_to_carry (const char *output, const char *model_path, GError **error);

G_END_DECLS
