/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoFamily:
 * @id: stable, for files and filters
 * @label: of one model, to be translated where it is shown
 * @plural: of all of them, as a heading
 *
 * What kind of model it is.
 */
typedef struct
{
  const char *id;
  const char *label;
  const char *plural;
} DynoFamily;

extern const DynoFamily dyno_onnx_family;

GPtrArray *dyno_family_list (void);

G_END_DECLS
