/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoSizeClass:
 * @id: stable, for files and filters
 * @label: for people, to be translated where it is shown
 * @limit: how many parameters are too many for it
 *
 * How large a model is, by its parameters.
 */
typedef struct
{
  const char *id;
  const char *label;
  gint64 limit;
} DynoSizeClass;

#define DYNO_N_SIZE_CLASSES 6

extern const DynoSizeClass dyno_size_classes[DYNO_N_SIZE_CLASSES];

const DynoSizeClass *dyno_size_class_find (gint64 parameter_count);
const DynoSizeClass *dyno_size_class_lookup (const char *id);

G_END_DECLS
