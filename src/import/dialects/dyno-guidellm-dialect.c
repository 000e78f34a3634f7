/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* GuideLLM: JSON with a benchmark for each load of a sweep, with all its requests, or the tables of
 * statistics that it prints: one until 0.3, several since. Its inter-token latency is the mean gap of a
 * request; its time per output token includes the first token. */

/* A benchmark may hold its requests as one value. */
#define MAX_BENCHMARK (8 * (gsize)DYNO_IMPORT_MAX_PIECE)

#define TITLE "Benchmarks Stats:"

/* The first of the tables since 0.4. */
#define SUMMARY "Run Summary Info"

/* What their first columns are called. */
#define STRATEGY "Benchmark Strategy"

/* @amount is how many clients or requests per second the strategy has. */
static gboolean
begin_case (
    DynoImportBuilder *builder, DynoImportCase *kase, const char *strategy, double amount, GError **error)
{
  DynoLoad described = { .clients = 1 };
  gboolean is_known = TRUE;
  g_autofree char *load = NULL;

  if (g_strcmp0 (strategy, "throughput") == 0)
    described.shape = DYNO_LOAD_OFFLINE;
  else if (g_strcmp0 (strategy, "concurrent") == 0 && amount >= 1 && amount <= DYNO_LOAD_MAX_CLIENTS)
    {
      described.shape = DYNO_LOAD_CONCURRENT;
      described.clients = (guint)amount;
    }
  else if ((g_strcmp0 (strategy, "constant") == 0 || g_strcmp0 (strategy, "poisson") == 0) && amount > 0)
    {
      described.shape = DYNO_LOAD_RATE;
      described.rate = amount;
    }
  else
    is_known = FALSE;
  if (is_known)
    load = dyno_import_words_dup_load (&described);

  kase->load = load;
  kase->backend = "guidellm";
  kase->batch_size = 1;
  dyno_import_builder_set_tool (builder, "GuideLLM", NULL);
  if (!dyno_import_builder_begin_case (builder, kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "run");
  /* Arrivals at even intervals are not a Poisson process. */
  if (g_strcmp0 (strategy, "constant") == 0 || (load == NULL && g_strcmp0 (strategy, "synchronous") != 0))
    dyno_import_builder_add_option (builder, "strategy", strategy);
  return TRUE;
}

/* @load: “constant@0.69”, “concurrent@8” or “synchronous”. */
static gboolean
begin_load (DynoImportBuilder *builder, DynoImportCase *kase, const char *load, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (load != NULL ? load : "", "@", 2);
  double amount = parts[0] != NULL && parts[1] != NULL ? g_ascii_strtod (parts[1], NULL) : NAN;

  return begin_case (builder, kase, parts[0], amount, error);
}

/* JSON */

/* Returns a statistic of the answered requests, such as “median” or “p99”. */
static double
get_statistic (DynoRecord *metrics, const char *metric, const char *statistic)
{
  g_autoptr (DynoRecord) all = dyno_record_new_object (metrics, metric);
  g_autoptr (DynoRecord) answered = dyno_record_new_object (all, "successful");
  g_autoptr (DynoRecord) percentiles = NULL;

  if (answered == NULL)
    return NAN;
  if (*statistic != 'p')
    return dyno_record_get_amount (answered, statistic);
  percentiles = dyno_record_new_object (answered, "percentiles");
  return percentiles != NULL ? dyno_record_get_amount (percentiles, statistic) : NAN;
}

static void
add_values (DynoImportBuilder *builder, DynoRecord *metrics)
{
  static const struct
  {
    const char *metric;
    const char *statistic;
    const char *name;
    const char *unit;
  } values[] = {
    { "request_latency", "mean", "latency_mean_ms", "s" },
    { "request_latency", "median", "latency_p50_ms", "s" },
    { "request_latency", "std_dev", "latency_stddev_ms", "s" },
    { "request_latency", "p90", "latency_p90_ms", "s" },
    { "request_latency", "p95", "latency_p95_ms", "s" },
    { "request_latency", "p99", "latency_p99_ms", "s" },
    { "request_latency", "min", "latency_min_ms", "s" },
    { "request_latency", "max", "latency_max_ms", "s" },
    { "time_to_first_token_ms", "median", "first_token_latency_ms", "ms" },
    { "time_to_first_token_ms", "mean", "first_token_latency_mean_ms", "ms" },
    { "time_to_first_token_ms", "p99", "first_token_latency_p99_ms", "ms" },
    { "inter_token_latency_ms", "median", "time_per_output_token_ms", "ms" },
    { "inter_token_latency_ms", "mean", "time_per_output_token_mean_ms", "ms" },
    { "inter_token_latency_ms", "p99", "time_per_output_token_p99_ms", "ms" },
    { "time_per_output_token_ms", "median", "latency_over_tokens_p50_ms", "ms" },
    { "time_per_output_token_ms", "mean", "latency_over_tokens_mean_ms", "ms" },
    { "requests_per_second", "mean", "throughput_items_per_sec", "1/s" },
    { "output_tokens_per_second", "mean", "output_tokens_per_sec", "tokens/s" },
    { "tokens_per_second", "mean", "throughput_tokens_per_sec", "tokens/s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *how = g_strdup_printf ("%s.successful.%s", values[i].metric, values[i].statistic);

      dyno_import_builder_add_value (builder, values[i].name,
                                     get_statistic (metrics, values[i].metric, values[i].statistic),
                                     values[i].unit, how);
    }
}

/* Older files have the arguments in each benchmark, newer ones once for all. */
static gboolean
read_benchmark (DynoImportBuilder *builder, DynoRecord *record, DynoRecord *arguments, GError **error)
{
  g_autoptr (DynoRecord) metrics = dyno_record_new_object (record, "metrics");
  g_autoptr (DynoRecord) worker = dyno_record_new_object (record, "worker");
  g_autoptr (DynoRecord) config =
      dyno_record_new_object (record, dyno_record_has (record, "config") ? "config" : "args");
  g_autoptr (DynoRecord) strategy = dyno_record_new_object (config, "strategy");
  const char *type = strategy != NULL ? dyno_record_get_text (strategy, "type_") : NULL;
  const char *amount = g_strcmp0 (type, "concurrent") == 0 ? "streams" : "rate";
  const char *model = arguments != NULL ? dyno_record_get_text (arguments, "model") : NULL;
  double n_prompt = get_statistic (metrics, "prompt_token_count", "mean");
  double n_generated = get_statistic (metrics, "output_token_count", "mean");
  g_autoptr (DynoRecord) totals = dyno_record_new_object (metrics, "request_totals");
  guint n_answered = totals != NULL ? dyno_record_get_count (totals, "successful") : 0;
  DynoImportCase kase = { .model = model,
                          .sequence_length = dyno_import_words_round (n_prompt),
                          .generate_tokens = dyno_import_words_round (n_generated) };

  if (model == NULL && worker != NULL)
    kase.model = dyno_record_get_text (worker, "backend_model");
  if (metrics == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("The benchmark has no “metrics”."));
      return FALSE;
    }
  if (!begin_case (builder, &kase, type, strategy != NULL ? dyno_record_get_amount (strategy, amount) : NAN,
                   error))
    return FALSE;
  add_values (builder, metrics);
  if (totals != NULL)
    {
      dyno_import_builder_add_value (builder, "latency_samples", n_answered, "", "request_totals.successful");
      dyno_import_builder_add_failed_requests (builder, n_answered,
                                               dyno_record_get_count (totals, "errored"));
    }
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

/* The console until 0.3: a table whose headings have two lines; the upper one spans several columns. */

typedef struct
{
  DynoImportBuilder *builder;
  char *model;    /* nullable: from the command above */
  char *upper;    /* nullable: the upper line of the headings */
  GStrv headings; /* nullable */
  gboolean is_within;
} Console;

static void
console_clear (Console *self)
{
  g_free (self->model);
  g_free (self->upper);
  g_strfreev (self->headings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Console, console_clear)

static gboolean
read_row (Console *self, const char *text, guint line, GError **error)
{
  g_auto (GStrv) cells = dyno_import_words_split (text, "|");
  g_autoptr (DynoRecord) record = dyno_record_new (line);
  DynoImportCase kase = { .model = self->model };

  for (guint i = 0; self->headings[i] != NULL && cells[i] != NULL; i++)
    dyno_record_take_text (record, self->headings[i], g_strdup (cells[i]));
  if (!begin_load (self->builder, &kase, dyno_record_get_text (record, self->headings[0]), error))
    return FALSE;

  /* Some versions label seconds as “ms”: a request cannot end before its first token. */
  double latency = dyno_record_get_amount (record, "Req Latency (ms) mean");
  double first_token = dyno_record_get_amount (record, "TTFT (ms) mean");
  const char *unit = latency < first_token ? "s" : "ms";
  const DynoImportField fields[] = {
    { "Req Latency (ms) mean", "latency_mean_ms", unit },
    { "Req Latency (ms) median", "latency_p50_ms", unit },
    { "Req Latency (ms) p99", "latency_p99_ms", unit },
    { "Req Latency (sec) mean", "latency_mean_ms", "s" },
    { "Req Latency (sec) median", "latency_p50_ms", "s" },
    { "Req Latency (sec) p99", "latency_p99_ms", "s" },
    { "TTFT (ms) mean", "first_token_latency_mean_ms", "ms" },
    { "TTFT (ms) median", "first_token_latency_ms", "ms" },
    { "TTFT (ms) p99", "first_token_latency_p99_ms", "ms" },
    { "ITL (ms) mean", "time_per_output_token_mean_ms", "ms" },
    { "ITL (ms) median", "time_per_output_token_ms", "ms" },
    { "ITL (ms) p99", "time_per_output_token_p99_ms", "ms" },
    { "TPOT (ms) mean", "latency_over_tokens_mean_ms", "ms" },
    { "TPOT (ms) median", "latency_over_tokens_p50_ms", "ms" },
    { "Request Stats Per Second", "throughput_items_per_sec", "1/s" },
    { "Out Tok/sec mean", "output_tokens_per_sec", "tokens/s" },
    { "Tot Tok/sec mean", "throughput_tokens_per_sec", "tokens/s" },
  };

  dyno_import_builder_add_fields (self->builder, record, fields, G_N_ELEMENTS (fields));
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_line (const char *text, guint line, gpointer data, GError **error)
{
  Console *self = data;
  gboolean is_rule = strspn (text, "-=|+ ") == strlen (text);

  dyno_console_text_take (&self->model, dyno_console_text_find_model (text));
  if (strstr (text, TITLE) != NULL || !self->is_within)
    {
      self->is_within = strstr (text, TITLE) != NULL;
      g_clear_pointer (&self->upper, g_free);
      g_clear_pointer (&self->headings, g_strfreev);
      return TRUE;
    }
  if (strchr (text, '|') == NULL || is_rule)
    {
      self->is_within = self->headings == NULL || is_rule;
      return TRUE;
    }
  if (self->upper == NULL)
    self->upper = g_strdup (text);
  else if (self->headings == NULL)
    {
      /* “Req Latency (ms)” above “mean” becomes “Req Latency (ms) mean”. */
      g_auto (GStrv) groups = dyno_import_words_split (self->upper, "|");
      g_auto (GStrv) names = dyno_import_words_split (text, "|");
      g_autoptr (GStrvBuilder) joined = g_strv_builder_new ();
      guint n_groups = g_strv_length (groups);
      const char *group = "";

      for (guint i = 0; names[i] != NULL; i++)
        {
          g_autofree char *heading = NULL;

          if (i < n_groups && *groups[i] != '\0')
            group = groups[i];
          heading = g_strdup_printf ("%s %s", group, names[i]);
          g_strv_builder_add (joined, heading);
        }
      self->headings = g_strv_builder_end (joined);
    }
  else
    return read_row (self, text, line, error);
  return TRUE;
}

/* The console since 0.4: tables with a row for each load, in the same order. Their headings have three
 * lines; repeated ones are left out. */

typedef struct
{
  char *model;            /* nullable: from the command above */
  GPtrArray *rows;        /* of DynoRecord */
  GPtrArray *headings;    /* of GString */
  guint first;            /* of the rows, that of this run: a log may have several */
  guint row;              /* how many rows of this table were read */
  gboolean is_in_heading; /* after the first rule of a table, until the second */
} Tables;

static void
tables_clear (Tables *self)
{
  g_free (self->model);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->headings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tables, tables_clear)

static void
free_string (gpointer data)
{
  g_string_free (data, TRUE);
}

/* Fails where the tables have not the same loads. */
static gboolean
add_row (Tables *self, GStrv cells, guint line, GError **error)
{
  guint index = self->first + self->row++;
  DynoRecord *record;
  const char *known;

  if (index == self->rows->len)
    g_ptr_array_add (self->rows, dyno_record_new (line));
  record = self->rows->pdata[index];
  known = dyno_record_has (record, STRATEGY) ? dyno_record_get_text (record, STRATEGY) : cells[0];
  if (g_strcmp0 (known, cells[0]) != 0)
    {
      dyno_import_file_set_error (
          error, line, _ ("The row is of the load “%s”, where the table before has “%s”."), cells[0], known);
      return FALSE;
    }
  for (guint i = 0; i < self->headings->len && cells[i] != NULL; i++)
    {
      /* “--” is no value, “4.0 ± 0.1” a mean with its margin, and “4.8*” a percentile of few requests. */
      const char *heading = ((GString *)self->headings->pdata[i])->str;
      const char *text = cells[i];
      g_auto (GStrv) parts = g_strsplit (text, " ± ", 2);
      g_autofree char *margin = g_strconcat (heading, " ±", NULL);
      gsize length = strlen (text);

      if (!g_str_equal (text, "--"))
        {
          if (parts[0] != NULL && parts[1] != NULL)
            dyno_record_take_text (record, margin, g_strdup (parts[1]));
          else if (length > 0 && text[length - 1] == '*')
            parts[0][length - 1] = '\0';
          dyno_record_take_text (record, heading, g_strdup (parts[0] != NULL ? parts[0] : ""));
        }
    }
  return TRUE;
}

static gboolean
read_table_line (const char *text, guint line, gpointer data, GError **error)
{
  Tables *self = data;
  gboolean is_rule = strspn (text, "-=| ") == strlen (text);
  g_auto (GStrv) cells = NULL;

  dyno_console_text_take (&self->model, dyno_console_text_find_model (text));
  if (strstr (text, SUMMARY) != NULL)
    {
      self->first = self->rows->len;
      self->row = 0;
      g_ptr_array_set_size (self->headings, 0);
    }
  if (is_rule && strchr (text, '=') != NULL)
    {
      self->is_in_heading = TRUE;
      self->row = 0;
      g_ptr_array_set_size (self->headings, 0);
    }
  else if (is_rule)
    self->is_in_heading = FALSE;
  else if (*text == '|')
    {
      cells = dyno_import_words_split (text + 1, "|");
      if (self->is_in_heading)
        {
          /* “Request Latency”, “Sec” and “Mean” become “Request Latency Sec Mean”. The row ends with an
           * edge. */
          const char *last = "";

          for (guint i = 0; cells[i] != NULL && cells[i + 1] != NULL; i++)
            {
              GString *heading;

              if (i == self->headings->len)
                g_ptr_array_add (self->headings, g_string_new (NULL));
              heading = self->headings->pdata[i];
              last = *cells[i] != '\0' ? cells[i] : last;
              g_string_append_printf (heading, "%s%s", heading->len > 0 && *last != '\0' ? " " : "", last);
            }
        }
      else
        return add_row (self, cells, line, error);
    }
  return TRUE;
}

static gboolean
read_tables (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Tables) tables = { .rows = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_record_free),
                             .headings = g_ptr_array_new_with_free_func (free_string) };

  if (!dyno_import_file_read_lines (file, read_table_line, &tables, error))
    return FALSE;
  for (guint i = 0; i < tables.rows->len; i++)
    {
      DynoRecord *record = tables.rows->pdata[i];
      static const DynoImportField fields[] = {
        { "Request Latency Sec Mean", "latency_mean_ms", "s" },
        { "Request Latency Sec Mdn", "latency_p50_ms", "s" },
        { "Request Latency Sec p95", "latency_p95_ms", "s" },
        { "TTFT ms Mean", "first_token_latency_mean_ms", "ms" },
        { "TTFT ms Mdn", "first_token_latency_ms", "ms" },
        { "ITL ms Mean", "time_per_output_token_mean_ms", "ms" },
        { "ITL ms Mdn", "time_per_output_token_ms", "ms" },
        { "TPOT ms Mean", "latency_over_tokens_mean_ms", "ms" },
        { "TPOT ms Mdn", "latency_over_tokens_p50_ms", "ms" },
        { "Requests Per Sec Mean", "throughput_items_per_sec", "1/s" },
        { "Output Tokens Per Sec Mean", "output_tokens_per_sec", "tokens/s" },
        { "Total Tokens Per Sec Mean", "throughput_tokens_per_sec", "tokens/s" },
        { "Requests Comp Tot", "latency_samples", "" },
      };
      double prompt = dyno_record_get_amount (record, "Input Tok Per Req Mdn");
      double output = dyno_record_get_amount (record, "Output Tok Per Req Mdn");
      DynoImportCase kase = { .model = tables.model,
                              .sequence_length = dyno_import_words_round (prompt),
                              .generate_tokens = dyno_import_words_round (output) };

      if (!begin_load (builder, &kase, dyno_record_get_text (record, STRATEGY), error))
        return FALSE;
      dyno_import_builder_add_fields (builder, record, fields, G_N_ELEMENTS (fields));
      if (dyno_record_has (record, "Requests Comp Tot"))
        dyno_import_builder_add_failed_requests (builder, dyno_record_get_count (record, "Requests Comp Tot"),
                                                 dyno_record_get_count (record, "Requests Err Tot"));
      dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
      if (!dyno_record_check (record, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_json (const char *head)
{
  static const char *const keys[] = { "benchmarks", "strategy", "type_", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

static gboolean
recognise (const char *head)
{
  return is_json (head) || (strstr (head, TITLE) != NULL && strstr (head, "TTFT (ms)") != NULL) ||
         (strstr (head, SUMMARY) != NULL && strstr (head, "| Strategy ") != NULL);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *head = dyno_import_file_get_head (file);

  if (is_json (head))
    {
      g_autoptr (DynoRecord) whole = dyno_record_new (1);
      g_autoptr (GPtrArray) benchmarks = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_record_free);
      g_autoptr (DynoRecord) arguments = NULL;
      g_autoptr (DynoJsonReader) reader = dyno_json_reader_new_apart (file, "benchmarks", MAX_BENCHMARK);
      g_auto (DynoJsonPiece) piece = { 0 };

      /* The file without its requests: the common parts, and those of each benchmark. */
      do
        {
          if (!dyno_json_reader_next (reader, &piece, error))
            return FALSE;
          if (piece.node == NULL || piece.member == NULL || g_str_equal (piece.member, "requests"))
            continue;
          while (benchmarks->len < piece.element)
            g_ptr_array_add (benchmarks, dyno_record_new (piece.line));
          if (piece.element == 0)
            dyno_record_take_source (whole, piece.member, piece.source);
          else if (!piece.is_element)
            dyno_record_take_source (benchmarks->pdata[piece.element - 1], piece.member, piece.source);
        }
      while (piece.node != NULL);
      arguments = dyno_record_new_object (whole, "args");
      for (guint i = 0; i < benchmarks->len; i++)
        if (!read_benchmark (builder, benchmarks->pdata[i], arguments, error))
          return FALSE;
      return dyno_record_check (whole, error);
    }
  if (strstr (head, SUMMARY) != NULL)
    return read_tables (file, builder, error);

  g_auto (Console) console = { .builder = builder };

  return dyno_import_file_read_lines (file, read_line, &console, error);
}

const DynoDialect dyno_guidellm_dialect = {
  .name = "guidellm",
  .title = "GuideLLM",
  .method = N_ (
      "A client of a server measures it under one load after another, and its statistics are those of the "
      "requests that were answered."),
  .recognise = recognise,
  .read = read_file,
};
