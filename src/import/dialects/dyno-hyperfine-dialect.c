/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* hyperfine: a record for each command, as JSON with the time of each run, or as CSV with statistics only.
 * The files have no version. */

#define PARAMETER "parameter_"

static const DynoImportField values[] = {
  { "mean", "latency_mean_ms", "s" },  { "stddev", "latency_stddev_ms", "s" },
  { "median", "latency_p50_ms", "s" }, { "min", "latency_min_ms", "s" },
  { "max", "latency_max_ms", "s" },    { "user", "user_time_ms", "s" },
  { "system", "system_time_ms", "s" },
};

/* Each time is from its own process. If there are more than a case may have, they count as one process:
 * keeping all times is worth more than a verdict on some of them. */
static void
add_runs (DynoImportBuilder *builder, DynoRecord *record)
{
  gsize n, n_bytes;
  g_autofree double *times = dyno_record_dup_amounts (record, "times", &n);
  g_autofree double *bytes = dyno_record_dup_amounts (record, "memory_usage_byte", &n_bytes);
  double peak = NAN;

  if (n > DYNO_METHOD_MAX_INVOCATIONS)
    dyno_import_builder_add_process (builder, times, n, "s", "times");
  else
    for (gsize i = 0; i < n; i++)
      dyno_import_builder_add_process (builder, &times[i], 1, "s", "times");
  dyno_import_builder_add_amounts (builder, record, values, G_N_ELEMENTS (values));
  for (gsize i = 0; i < n_bytes; i++)
    peak = fmax (peak, bytes[i]);
  dyno_import_builder_add_value (builder, "memory_peak_mb", peak, "B", "the largest memory_usage_byte");

  /* A run that a signal ended has a null exit code. */
  JsonArray *codes = dyno_record_get_array (record, "exit_codes");
  guint n_codes = codes != NULL ? json_array_get_length (codes) : 0;
  guint n_failed = 0;
  g_autofree char *message = NULL;

  for (guint i = 0; i < n_codes; i++)
    {
      JsonNode *code = json_array_get_element (codes, i);

      n_failed += !JSON_NODE_HOLDS_VALUE (code) || json_node_get_int (code) != 0;
    }
  if (n_failed > 0)
    {
      message = g_strdup_printf (
          ngettext ("The command failed in %u of its runs, and its time counts all the same.",
                    "The command failed in %u of its runs, and their times count all the same.", n_failed),
          n_failed);
      dyno_import_builder_add_diagnostic (builder, DYNO_SEVERITY_WARNING, "exit-codes", message);
    }
}

static gboolean
read_command (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  const char *command = dyno_record_get_text (record, "command");
  g_auto (GStrv) words = command != NULL ? g_strsplit (command, " ", -1) : NULL;

  /* Labels take the text after the last slash as the name of a model, so the words lose their folders. */
  for (char **word = words; word != NULL && *word != NULL; word++)
    {
      const char *slash = strrchr (*word, '/');
      char *name = slash != NULL ? g_strdup (slash + 1) : NULL;

      if (name == NULL)
        continue;
      g_free (*word);
      *word = name;
    }

  g_autofree char *model = words != NULL ? g_strjoinv (" ", words) : NULL;
  const DynoImportCase kase = { .model = model,
                                .model_name = g_strcmp0 (model, command) != 0 ? command : NULL,
                                .backend = "hyperfine",
                                .batch_size = 1 };

  if (command == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record), _ ("A result needs a “command”."));
      return FALSE;
    }
  dyno_import_builder_set_tool (builder, "hyperfine", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;

  /* The parameters of a command are an object in JSON, and separate columns in CSV. */
  g_autoptr (DynoRecord) parameters = dyno_record_new_part (record, "parameters");
  DynoRecord *source = parameters != NULL ? parameters : record;
  const char *prefix = parameters != NULL ? "" : PARAMETER;
  g_auto (GStrv) names = dyno_record_list_names (source);

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_has_prefix (names[i], prefix))
      {
        g_autofree char *value = dyno_record_dup_word (source, names[i]);

        dyno_import_builder_add_option (builder, names[i] + strlen (prefix), value);
      }
  add_runs (builder, record);
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
is_csv (const char *head)
{
  return dyno_dialect_has_column (head, ',', "command") && dyno_dialect_has_column (head, ',', "mean") &&
         dyno_dialect_has_column (head, ',', "user") && dyno_dialect_has_column (head, ',', "system");
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "results", "command", "mean", "user", "system", NULL };

  return is_csv (head) || (dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys));
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return is_csv (dyno_import_file_get_head (file))
             ? dyno_table_read (file, ',', read_command, builder, error)
             : dyno_json_reader_read_elements (file, read_command, builder, error);
}

const DynoDialect dyno_hyperfine_dialect = {
  .name = "hyperfine",
  .title = "hyperfine",
  .method = N_ (
      "It times whole commands, each run from the start of a process to its end, at least ten of them and "
      "without warming up unless told to; the time of the shell is subtracted."),
  .recognise = recognise,
  .read = read_file,
};
