/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoPort:
 * @name: the input's or output's name
 * @is_tensor: whether it is a tensor, so that @shape says something
 * @shape: as the engine declares it; a free dimension has the size -1; of what is no tensor the type alone, where the
 *   engine's session can take or give it
 *
 * An input or output of a model as an engine declares it.
 */
typedef struct
{
  char *name;
  gboolean is_tensor;
  DynoShape shape;
} DynoPort;

void dyno_port_free_array (DynoPort *ports, gsize n_ports);
gboolean dyno_port_find_input (const DynoPort *inputs,
                               gsize n_inputs,
                               const char *name,
                               const char *model_path,
                               gsize *index,
                               GError **error);
gboolean dyno_port_find_output (const DynoPort *outputs,
                                gsize n_outputs,
                                const char *name,
                                const char *model_path,
                                gsize *index,
                                GError **error);
gboolean
dyno_port_check_tensor (const DynoPort *input, DynoTensor *tensor, const char *model_path, GError **error);
gboolean dyno_port_check_tensors (
    const DynoPort *inputs, gsize n_inputs, GPtrArray *tensors, const char *model_path, GError **error);
gboolean dyno_port_refuse_type (DynoTensor *tensor, GError **error);
gboolean dyno_port_fail_without_value (const char *input, const char *model_path, GError **error);
gboolean dyno_port_fail_to_carry (const char *output, const char *model_path, GError **error);

G_END_DECLS
