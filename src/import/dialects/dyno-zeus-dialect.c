/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* Zeus, the log of a `ZeusMonitor`: start_time,window_name,elapsed_time and a column `gpu0_energy` for each
 * GPU that it was to watch. A window may occur many times, such as one for each step of a training. */

#define GPU    "gpu"
#define ENERGY "_energy"

static gboolean
read_row (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  const char *window = dyno_record_get_text (record, "window_name");
  const DynoImportCase kase = { .benchmark = window != NULL ? window : "window", .backend = "zeus" };
  double seconds = dyno_record_get_amount (record, "start_time"); /* since 1970 */
  double elapsed = dyno_record_get_amount (record, "elapsed_time");
  g_auto (GStrv) names = dyno_record_list_names (record);
  double sum = NAN;

  dyno_import_builder_set_tool (builder, "Zeus", NULL);
  if (seconds > 0 && seconds < G_MAXUINT32)
    dyno_import_builder_set_time (builder, (gint64)(seconds * G_USEC_PER_SEC));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "row");
  for (char **name = names; *name != NULL; name++)
    if (g_str_has_prefix (*name, GPU) && g_str_has_suffix (*name, ENERGY))
      {
        double energy = dyno_record_get_amount (record, *name);
        g_autofree char *gpu = g_strndup (*name, strlen (*name) - strlen (ENERGY));
        g_autofree char *own = g_strdup_printf ("energy_%s_joules", gpu);

        dyno_import_builder_add_value (builder, own, energy, "J", *name);
        sum = isnan (energy) ? sum : isnan (sum) ? energy : sum + energy;
      }
  dyno_import_builder_add_value (builder, "tracked_time_ms", elapsed, "s", "elapsed_time");
  dyno_import_builder_add_value (builder, "energy_joules", sum, "J", "the sum of the GPUs");
  dyno_import_builder_add_value (builder, "power_avg_watts", sum / elapsed, "W",
                                 "the sum of the GPUs divided by elapsed_time");
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_table_read (file, ',', read_row, builder, error);
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_has_column (head, ',', "start_time") &&
         dyno_dialect_has_column (head, ',', "window_name") &&
         dyno_dialect_has_column (head, ',', "elapsed_time");
}

const DynoDialect dyno_zeus_dialect = {
  .name = "zeus",
  .title = "Zeus",
  .method =
      N_ ("It takes the difference of the energy counters of GPUs, or adds up their power where they have "
          "none, between two calls in the program; idle power is in it, and the processor is not."),
  .recognise = recognise,
  .read = read_file,
};
