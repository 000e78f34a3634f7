/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"

/* The Phoronix Test Suite’s `composite.xml`: its generator, the measured systems, and results, each with an
 * entry for each system. Only the words of its scale say which quantity a value is. */

#define ROOT   "PhoronixTestSuite"
#define SUITE  "Phoronix Test Suite v"
#define RESULT ROOT "/Result"
#define ENTRY  RESULT "/Data/Entry"
#define SYSTEM ROOT "/System"

static const struct
{
  const char *scale;
  const char *name;
  const char *unit;
} scales[] = {
  { "ms", "latency_mean_ms", "ms" },
  { "Milliseconds", "latency_mean_ms", "ms" },
  { "Milli-Seconds", "latency_mean_ms", "ms" },
  { "Inference Time Cost (ms)", "latency_mean_ms", "ms" }, /* pts/onnx */
  { "ms/batch", "latency_mean_ms", "ms" },                 /* pts/deepsparse */
  { "Seconds", "latency_mean_ms", "s" },
  { "Microseconds", "latency_mean_ms", "us" },
  { "us", "latency_mean_ms", "us" }, /* pts/xnnpack */
  { "FPS", "throughput_items_per_sec", "FPS" },
  { "Frames Per Second", "throughput_items_per_sec", "FPS" },
  { "Inferences Per Second", "throughput_items_per_sec", "1/s" },
  { "Inferences Per Minute", "throughput_items_per_sec", "1/min" }, /* pts/onnx until 2022 */
  { "Images Per Second", "throughput_items_per_sec", "images/s" },
  { "images/sec", "throughput_items_per_sec", "images/s" },
  { "items/sec", "throughput_items_per_sec", "items/s" },
  { "batches/sec", "throughput_batches_per_sec", "1/s" }, /* pts/pytorch */
  { "Tokens Per Second", "throughput_tokens_per_sec", "tokens/s" },
  { "tokens/s", "throughput_tokens_per_sec", "tokens/s" },
  { "tokens/sec", "throughput_tokens_per_sec", "tokens/s" },
  { "MB/s", "processed_gbps", "MB/s" },
  { "GB/s", "processed_gbps", "GB/s" },
  { "GFLOP/s", "flops_per_sec", "GFLOP/s" },
  { "GFLOPS", "flops_per_sec", "GFLOP/s" },
  { "Watts", "power_avg_watts", "W" },
};

#define BATCH_SIZE "Batch Size: "

typedef struct
{
  DynoImportBuilder *builder;
  guint line;
  GString *path;
  GString *text;

  DynoRecord *system; /* the first one */
  guint n_systems;
  DynoRecord *result;
  guint n_entries; /* the number of entries of the result */
  DynoRecord *entry;
} Reader;

static void
reader_clear (Reader *reader)
{
  g_string_free (reader->path, TRUE);
  g_string_free (reader->text, TRUE);
  g_clear_pointer (&reader->system, dyno_record_free);
  g_clear_pointer (&reader->result, dyno_record_free);
  g_clear_pointer (&reader->entry, dyno_record_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/* Returns the index of the scale; -1 if it is unknown. */
static int
find_scale (const char *scale)
{
  for (guint i = 0; scale != NULL && i < G_N_ELEMENTS (scales); i++)
    if (g_ascii_strcasecmp (scales[i].scale, scale) == 0)
      return (int)i;
  return -1;
}

/* “12.5:12.75:12.25”: the value of each run, which is a separate process. */
static void
add_runs (DynoImportBuilder *builder, const char *scale, const char *raw)
{
  g_auto (GStrv) runs = g_strsplit (raw != NULL ? raw : "", ":", -1);
  int known = find_scale (scale);

  if (known < 0 || !g_str_equal (scales[known].name, "latency_mean_ms"))
    return;
  for (char **run = runs; *run != NULL; run++)
    {
      char *end = NULL;
      double number = g_ascii_strtod (*run, &end);

      if (end > *run && *end == '\0' && isfinite (number) && number >= 0)
        dyno_import_builder_add_process (builder, &number, 1, scales[known].unit,
                                         "RawString, one value of each run");
    }
}

static gboolean
add_entry (Reader *reader, GError **error)
{
  const char *title = dyno_record_get_text (reader->result, "Title");
  const char *description = dyno_record_get_text (reader->result, "Description");
  g_autofree char *name =
      g_strconcat (title != NULL ? title : "test", description != NULL ? ", " : NULL, description, NULL);
  const char *test = dyno_record_get_text (reader->result, "Identifier");
  const char *scale = dyno_record_get_text (reader->result, "Scale");
  /* A quantity in an unknown unit may be negative, such as a temperature. */
  double number = find_scale (scale) >= 0 ? dyno_record_get_amount (reader->entry, "Value")
                                          : dyno_record_get_number (reader->entry, "Value");
  /* “Device: CPU - Batch Size: 16 - Model: ResNet-50” */
  const char *found = description != NULL ? strstr (description, BATCH_SIZE) : NULL;
  guint64 size = found != NULL ? g_ascii_strtoull (found + strlen (BATCH_SIZE), NULL, 10) : 0;
  guint batch = size <= G_MAXINT ? (guint)size : 0;
  const DynoImportCase kase = { .benchmark = name,
                                .backend = test != NULL ? test : "pts",
                                .batch_size = batch };

  if (!dyno_import_builder_begin_case (reader->builder, &kase, error))
    return FALSE;

  /* The name of the only system in a file is not part of the case: two files may be of two systems, and are
   * still comparable. */
  if (reader->n_systems > 1 || reader->n_entries > 1)
    dyno_import_builder_add_option (reader->builder, "system",
                                    dyno_record_get_text (reader->entry, "Identifier"));
  dyno_import_builder_add_option (reader->builder, "arguments",
                                  dyno_record_get_text (reader->result, "Arguments"));
  add_runs (reader->builder, scale, dyno_record_get_text (reader->entry, "RawString"));

  g_autofree char *how = g_strdup_printf ("Value, in %s", scale != NULL ? scale : "no unit");
  g_autofree char *of_items = g_strdup_printf ("%s, times the batch size", how);
  int known = find_scale (scale);

  if (known < 0)
    dyno_import_builder_add_foreign (reader->builder, "result_value", number, scale, how);
  else
    dyno_import_builder_add_value (reader->builder, scales[known].name, number, scales[known].unit, how);
  if (known >= 0 && batch > 0 && g_str_equal (scales[known].name, "throughput_batches_per_sec"))
    dyno_import_builder_add_value (reader->builder, "throughput_items_per_sec", number * batch, "1/s",
                                   of_items);

  if (isnan (number))
    dyno_import_builder_fail_case (reader->builder, _ ("The result has no value."));
  dyno_import_builder_take_rest (reader->builder, NULL, dyno_record_dup_rest (reader->entry));
  dyno_import_builder_take_rest (reader->builder, "result", dyno_record_dup_rest (reader->result));
  return dyno_record_check (reader->entry, error);
}

static void
start_cb (GMarkupParseContext *context,
          const char *name,
          const char **attribute_names,
          const char **attribute_values,
          gpointer data,
          GError **error)
{
  Reader *reader = data;

  g_string_append_printf (reader->path, "%s%s", reader->path->len > 0 ? "/" : "", name);
  g_string_truncate (reader->text, 0);
  if (g_str_equal (reader->path->str, SYSTEM) && reader->n_systems++ == 0)
    reader->system = dyno_record_new (reader->line);
  else if (g_str_equal (reader->path->str, RESULT))
    {
      /* “Processor: Example CPU @ 3.60GHz (4 Cores / 8 Threads), Motherboard: …”; with several systems the run
       * has no machine. */
      const char *hardware = reader->n_systems == 1 && reader->system != NULL
                                 ? dyno_record_get_text (reader->system, "Hardware")
                                 : NULL;
      g_auto (GStrv) parts = g_strsplit (hardware != NULL ? hardware : "", ", ", -1);

      for (char **part = parts; *part != NULL; part++)
        if (g_str_has_prefix (*part, "Processor: "))
          dyno_import_builder_set_machine (reader->builder, "cpu", "name", *part + strlen ("Processor: "));
      if (hardware != NULL)
        dyno_import_builder_set_machine (reader->builder, "os", "name",
                                         dyno_record_get_text (reader->system, "Software"));
      g_clear_pointer (&reader->system, dyno_record_free);

      g_clear_pointer (&reader->result, dyno_record_free);
      reader->result = dyno_record_new (reader->line);
      reader->n_entries = 0;
    }
  else if (g_str_equal (reader->path->str, ENTRY))
    {
      g_clear_pointer (&reader->entry, dyno_record_free);
      reader->entry = dyno_record_new (reader->line);
      reader->n_entries++;
    }
}

static void
text_cb (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Reader *reader = data;

  if (reader->text->len + length <= DYNO_IMPORT_MAX_PIECE)
    g_string_append_len (reader->text, text, (gssize)length);
}

static void
take_text (Reader *reader, DynoRecord *record, const char *outer, const char *name)
{
  gsize length = strlen (outer);

  if (record != NULL && reader->path->len == length + 1 + strlen (name) &&
      g_str_has_prefix (reader->path->str, outer))
    dyno_record_take_text (record, name, g_strstrip (g_strdup (reader->text->str)));
}

static void
end_cb (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  Reader *reader = data;
  const char *slash;

  if (g_str_equal (reader->path->str, ROOT "/Generated/TestClient"))
    {
      /* “Phoronix Test Suite v10.8.4” */
      const char *version = strstr (reader->text->str, SUITE);

      if (dyno_import_builder_get_n_cases (reader->builder) == 0)
        dyno_import_builder_set_tool (reader->builder, "Phoronix Test Suite",
                                      version != NULL ? version + strlen (SUITE) : NULL);
    }
  else if (g_str_equal (reader->path->str, SYSTEM "/TimeStamp"))
    {
      /* “2025-03-01 10:20:30”, in the machine's time zone, which the file does not name. */
      g_autofree char *iso = g_strdelimit (g_strdup (reader->text->str), " ", 'T');
      g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
      g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (iso, utc);

      if (time != NULL && g_date_time_to_unix (time) > 0)
        dyno_import_builder_set_time (reader->builder, g_date_time_to_unix (time) * G_USEC_PER_SEC);
    }
  else if (g_str_equal (reader->path->str, ENTRY))
    add_entry (reader, error);
  take_text (reader, reader->n_systems == 1 ? reader->system : NULL, SYSTEM, name);
  take_text (reader, reader->entry, ENTRY, name);
  take_text (reader, reader->result, RESULT, name);
  slash = strrchr (reader->path->str, '/');
  g_string_truncate (reader->path, slash != NULL ? (gsize)(slash - reader->path->str) : 0);
  g_string_truncate (reader->text, 0);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  static const GMarkupParser parser = { start_cb, end_cb, text_cb, NULL, NULL };
  g_auto (Reader) reader = { .builder = builder, .path = g_string_new (NULL), .text = g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &reader, NULL);
  GError *failure = NULL;
  const char *text;

  dyno_import_builder_set_tool (builder, "Phoronix Test Suite", NULL);
  while (failure == NULL && (text = dyno_import_file_read_line (file, &reader.line, &failure)) != NULL)
    if (g_markup_parse_context_parse (context, text, (gssize)strlen (text), &failure))
      g_markup_parse_context_parse (context, "\n", 1, &failure);
  if (failure == NULL)
    g_markup_parse_context_end_parse (context, &failure);

  /* Errors of GMarkup do not have the line of the file. */
  if (failure == NULL)
    return TRUE;
  if (failure->domain == G_MARKUP_ERROR)
    {
      dyno_import_file_set_error (error, reader.line, _ ("It is not well-formed XML: %s."), failure->message);
      g_error_free (failure);
    }
  else
    g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_begins_with (head, "<") && strstr (head, "<" ROOT ">") != NULL;
}

const DynoDialect dyno_phoronix_dialect = {
  .name = "phoronix",
  .title = "Phoronix Test Suite",
  .method = N_ (
      "It runs a program at least three times, more often while the results vary, and tells the mean of what "
      "the program says of itself."),
  .recognise = recognise,
  .read = read_file,
};
