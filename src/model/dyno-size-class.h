/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoSizeClass:
 * @id: stable, for files and filters
 * @label: its name, translated when it is shown
 * @limit: all its models have fewer parameters
 *
 * A class of models by number of parameters.
 */
typedef struct
{
  const char *id;
  const char *label;
  gint64 limit;
} DynoSizeClass;

#define DYNO_N_SIZE_CLASSES 6

extern const DynoSizeClass dyno_size_classes[DYNO_N_SIZE_CLASSES];

/* Returns the class of such a model, NULL if unknown. @parameter_count: number of trainable parameters,
 * tied ones counted once; 0 if unknown. */
const DynoSizeClass *dyno_size_class_find (gint64 parameter_count);

G_END_DECLS
