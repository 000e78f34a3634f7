/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* CodeCarbon’s `emissions.csv`: a row for each run of a tracker, in a project. Columns were added over the
 * years, and none gives the source of the processor's power. */

/* Measured over the run, which ends with the last reading. */
static const DynoImportField fields[] = {
  { "duration", "tracked_time_ms", "s" },
  { "cpu_energy", "energy_cpu_joules", "kWh" },
  { "cpu_power", "power_cpu_watts", "W" },
  { "emissions", "emissions_g", "kg" },
  { "cpu_utilization_percent", "cpu_utilization_percent", "%" },
};

/* They are zero without a GPU. */
static const DynoImportField gpu_fields[] = {
  { "gpu_energy", "energy_gpu_joules", "kWh" },
  { "gpu_power", "power_gpu_watts", "W" },
  { "gpu_utilization_percent", "gpu_utilization_percent", "%" },
};

#define RAM_MODEL "an estimate by how much memory there is; no sensor is read"
#define RAM_IN_IT "the estimate for memory is in it, by how much memory there is"

/* A power that never changes comes from a model, such as the TDP: a counter gives a new value at each
 * reading. */
#define SAME 1e-9

typedef struct
{
  DynoImportBuilder *builder;
  guint n_rows;
  double cpu_power; /* of the row before */
  gboolean is_same; /* whether the row before that had the same power */
} Reader;

/* Adds the source of the power to the previous row, which is still open: only the next row may reveal it.
 **/
static void
end_row (Reader *reader, double next_power)
{
  gboolean is_same = next_power > 0 && fabs (next_power - reader->cpu_power) <= SAME * next_power;

  if (reader->n_rows > 0 && (is_same || reader->is_same))
    {
      dyno_import_builder_add_diagnostic (
          reader->builder, DYNO_SEVERITY_WARNING, "estimated-at-source",
          _ ("The power of the processor is the same in several rows, so CodeCarbon took it from a table of "
             "processors and not from a counter: what follows from it is an estimate."));
    }
  else if (reader->n_rows > 0)
    {
      dyno_import_builder_add_diagnostic (
          reader->builder, DYNO_SEVERITY_INFO, "source-unknown",
          _ ("The file does not tell where the power of the processor is from: CodeCarbon reads a counter "
             "where it may, and estimates it by the load or by a table of processors where it may not."));
    }
  reader->cpu_power = next_power;
  reader->is_same = is_same;
}

static gboolean
read_row (DynoRecord *record, gpointer data, GError **error)
{
  Reader *reader = data;
  const char *task = dyno_record_get_text (record, "task_name");
  const char *project = dyno_record_get_text (record, "project_name");
  g_autofree char *version = dyno_record_dup_word (record, "codecarbon_version");
  g_autofree char *row = reader->n_rows > 0 ? g_strdup_printf ("row=%u", reader->n_rows + 1) : NULL;
  const DynoImportCase kase = { .benchmark = task != NULL      ? task
                                             : project != NULL ? project
                                                               : "codecarbon",
                                .backend = "codecarbon",
                                .dimensions = row };

  end_row (reader, dyno_record_get_amount (record, "cpu_power"));
  reader->n_rows++;
  dyno_import_builder_set_tool (reader->builder, "CodeCarbon", version);
  dyno_import_builder_set_time (reader->builder, dyno_record_get_time (record, "timestamp"));
  dyno_import_builder_set_machine (reader->builder, "cpu", "name",
                                   dyno_record_get_text (record, "cpu_model"));
  dyno_import_builder_set_machine (reader->builder, "os", "name", dyno_record_get_text (record, "os"));
  if (!dyno_import_builder_begin_case (reader->builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_option (reader->builder, "mode", dyno_record_get_text (record, "tracking_mode"));
  dyno_import_builder_add_fields (reader->builder, record, fields, G_N_ELEMENTS (fields));
  if (dyno_record_get_amount (record, "gpu_count") > 0)
    dyno_import_builder_add_fields (reader->builder, record, gpu_fields, G_N_ELEMENTS (gpu_fields));

  /* The total may be mostly the estimate for memory if it is small and the processor idle. */
  double total = dyno_record_get_amount (record, "energy_consumed");
  double ram = dyno_record_get_amount (record, "ram_energy");

  if (ram > 0)
    dyno_import_builder_add_faulty (reader->builder, "energy_joules", total, "kWh", "energy_consumed",
                                    RAM_IN_IT);
  else
    dyno_import_builder_add_value (reader->builder, "energy_joules", total, "kWh", "energy_consumed");
  dyno_import_builder_add_faulty (reader->builder, "energy_ram_joules", ram, "kWh", "ram_energy", RAM_MODEL);
  dyno_import_builder_add_faulty (reader->builder, "power_ram_watts",
                                  dyno_record_get_amount (record, "ram_power"), "W", "ram_power", RAM_MODEL);
  dyno_import_builder_take_rest (reader->builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  Reader reader = { .builder = builder, .cpu_power = NAN };

  if (!dyno_table_read (file, ',', read_row, &reader, error))
    return FALSE;
  end_row (&reader, NAN);
  return TRUE;
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_has_column (head, ',', "timestamp") &&
         dyno_dialect_has_column (head, ',', "project_name") &&
         dyno_dialect_has_column (head, ',', "duration") && dyno_dialect_has_column (head, ',', "emissions");
}

const DynoDialect dyno_codecarbon_dialect = {
  .name = "codecarbon",
  .title = "CodeCarbon",
  .method = N_ ("It reads sensors every 15 seconds by default, of the whole machine, and estimates what it "
                "finds no sensor for; energy is power multiplied by time."),
  .recognise = recognise,
  .read = read_file,
};
