/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-model-needs.h"

#define MILLION G_GINT64_CONSTANT (1000000)

/* The smallest first. */
const DynoSizeClass dyno_size_classes[DYNO_N_SIZE_CLASSES] = {
  { "tiny", N_ ("Tiny (below 25 M)"), 25 * MILLION },
  { "small", N_ ("Small (25 to 100 M)"), 100 * MILLION },
  { "base", N_ ("Base (100 to 400 M)"), 400 * MILLION },
  { "large", N_ ("Large (400 M to 2 B)"), 2000 * MILLION },
  { "xl", N_ ("XL (2 to 15 B)"), 15000 * MILLION },
  { "xxl", N_ ("XXL (15 B and more)"), G_MAXINT64 },
};

const DynoSizeClass *
dyno_size_class_find (gint64 parameter_count)
{
  const DynoSizeClass *found = dyno_size_classes;

  if (parameter_count <= 0)
    return NULL;
  while (parameter_count >= found->limit && found < dyno_size_classes + DYNO_N_SIZE_CLASSES - 1)
    found++;
  return found;
}
