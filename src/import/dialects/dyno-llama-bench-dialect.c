/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-error.h"
#include "dyno-import-dialects-private.h"

/* llama-bench of llama.cpp: one record per test, with the same fields as JSON, JSON Lines, CSV and SQL; as
 * a table in Markdown it has shorter names and fewer digits. Columns were added and removed over the years.
 **/

/* Settings that tell tests apart, and their defaults. */
static const struct
{
  const char *field;
  const char *usual[2];
} settings[] = {
  { "n_batch", { "2048" } },
  { "n_ubatch", { "512" } },
  { "type_k", { "f16" } },
  { "type_v", { "f16" } },
  { "n_gpu_layers", { "-1", "99" } }, /* both mean all layers */
  { "n_cpu_moe", { "0" } },
  { "split_mode", { "layer" } },
  { "main_gpu", { "0" } },
  { "no_kv_offload", { "0" } },
  { "flash_attn", { "-1" } },
  { "devices", { "auto" } },
  { "tensor_split", { "0.00", "0" } },
  { "tensor_buft_overrides", { "none" } },
  { "use_mmap", { "1" } },
  { "use_direct_io", { "0" } },
  { "load_mode", { "auto", "mmap" } },
  { "embeddings", { "0" } },
  { "no_op_offload", { "0" } },
  { "no_host", { "0" } },
  { "cpu_mask", { "0x0" } },
  { "cpu_strict", { "0" } },
  { "poll", { "50" } },
};

/* Older files have a column for each of them instead of a common one. */
static const DynoImportLabel old_backends[] = {
  { "CUDA", "cuda" },         { "HIP", "hipblas" },     { "Metal", "metal" },   { "Vulkan", "vulkan" },
  { "SYCL", "sycl" },         { "Kompute", "kompute" }, { "OpenCL", "opencl" }, { "RPC", "rpc" },
  { "GPU BLAS", "gpu_blas" }, { "BLAS", "blas" },
};

static char *
dup_device (DynoRecord *record)
{
  char *backends = dyno_record_dup_word (record, "backends");

  for (guint i = 0; i < G_N_ELEMENTS (old_backends) && backends == NULL; i++)
    {
      g_autofree char *word = dyno_record_dup_word (record, old_backends[i].field);

      if (dyno_import_words_is_true (word))
        backends = g_strdup (old_backends[i].label);
    }
  return backends != NULL ? backends : g_strdup ("CPU");
}

/* “llama 7B mostly Q4_0”, “qwen2 7B Q4_K - Medium”: returns the word that begins with the type of most
 * weights. */
static char *
dup_precision (const char *model_type)
{
  static const struct
  {
    const char *type;
    const char *precision;
  } plain[] = { { "F32", "fp32" }, { "F16", "fp16" }, { "BF16", "bf16" } };
  g_autoptr (GRegex) regex =
      g_regex_new ("\\b(BF16|F16|F32|I?Q[0-9]\\w*|TQ[0-9]\\w*|MXFP4\\w*)\\b", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *type = NULL;

  if (model_type == NULL || !g_regex_match (regex, model_type, 0, &match))
    return NULL;
  type = g_match_info_fetch (match, 1);
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (strcmp (plain[i].type, type) == 0)
      return g_strdup (plain[i].precision);
  return g_ascii_strdown (type, -1);
}

static void
add_settings (DynoImportBuilder *builder, DynoRecord *record)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *word = dyno_record_dup_word (record, settings[i].field);
      const char *value = word == NULL                  ? NULL
                          : strcmp (word, "false") == 0 ? "0"
                          : strcmp (word, "true") == 0  ? "1"
                                                        : word;

      if (value != NULL && strcmp (value, settings[i].usual[0]) != 0 &&
          g_strcmp0 (value, settings[i].usual[1]) != 0)
        dyno_import_builder_add_option (builder, settings[i].field, value);
    }
}

static void
add_values (DynoImportBuilder *builder, DynoRecord *record, guint n_prompt, guint n_gen)
{
  gsize n_samples;
  g_autofree double *samples = dyno_record_dup_amounts (record, "samples_ns", &n_samples);
  double mean = dyno_record_get_amount (record, "avg_ns");
  double mean_of_rates = dyno_record_get_amount (record, "avg_ts");
  const char *rate = n_gen == 0      ? "prefill_tokens_per_sec"
                     : n_prompt == 0 ? "decode_tokens_per_sec"
                                     : "throughput_tokens_per_sec";

  dyno_record_skip (record, "samples_ts");
  dyno_import_builder_add_process (builder, samples, n_samples, "ns", "samples_ns");
  dyno_import_builder_add_value (builder, "latency_mean_ms", mean, "ns", "avg_ns");
  dyno_import_builder_add_value (builder, "latency_stddev_ms", dyno_record_get_amount (record, "stddev_ns"),
                                 "ns", "stddev_ns");

  /* The rate of all repetitions is their total work over their total time, not the mean of their rates. */
  if (mean > 0)
    dyno_import_builder_add_value (builder, rate, ((double)n_prompt + n_gen) / mean * 1e9, "tokens/s",
                                   "tokens over avg_ns");
  else
    dyno_import_builder_add_value (builder, rate, mean_of_rates, "tokens/s",
                                   "avg_ts, the mean of the rates of the repetitions");
  if (n_prompt == 0)
    dyno_import_builder_add_value (builder, "inter_token_latency_ms", mean / n_gen, "ns",
                                   "avg_ns over n_gen");
  dyno_import_builder_add_value (builder, "memory_weights_mb", dyno_record_get_amount (record, "model_size"),
                                 "B", "model_size");
}

static void
set_tool (DynoImportBuilder *builder, DynoRecord *record)
{
  g_autofree char *number = dyno_record_dup_word (record, "build_number");
  g_autofree char *commit = dyno_record_dup_word (record, "build_commit");
  g_autofree char *version = number != NULL && commit != NULL ? g_strdup_printf ("%s (%s)", number, commit)
                                                              : g_strdup (number != NULL ? number : commit);

  dyno_import_builder_set_tool (builder, "llama-bench", version);
}

static gboolean
read_test (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  const char *file = dyno_record_get_text (record, "model_filename");
  const char *type = dyno_record_get_text (record, "model_type");
  g_autofree char *precision = dup_precision (type);
  g_autofree char *device = dup_device (record);
  const char *cpu = dyno_record_get_text (record, "cpu_info");
  const char *gpu = dyno_record_get_text (record, "gpu_info");
  gboolean is_cpu = strcmp (device, "CPU") == 0 || strcmp (device, "BLAS") == 0;

  /* The number of tokens already in the cache is part of the work, not an option. */
  guint depth = dyno_record_get_count (record, "n_depth");
  g_autofree char *dimensions = depth > 0 ? g_strdup_printf ("n_depth=%u", depth) : NULL;
  DynoImportCase kase = {
    .model = file != NULL ? file : type,
    .model_name = type,
    .backend = "llama.cpp",
    .device = device,
    .precision = precision,
    .dimensions = dimensions,
    .batch_size = 1,
    .sequence_length = dyno_record_get_count (record, "n_prompt"),
    .generate_tokens = dyno_record_get_count (record, "n_gen"),
    .threads = dyno_record_get_count (record, "n_threads"),
  };

  if (kase.model == NULL || kase.sequence_length + kase.generate_tokens == 0)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("A test needs a model, and “n_prompt” or “n_gen”."));
      return FALSE;
    }
  set_tool (builder, record);
  dyno_import_builder_set_time (builder, dyno_record_get_time (record, "test_time"));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_model (builder, NULL, dyno_record_get_amount (record, "model_n_params"));
  add_settings (builder, record);
  dyno_import_builder_set_machine (builder, "cpu", "name", cpu);
  dyno_import_builder_set_device (builder, is_cpu ? cpu : gpu, is_cpu ? "cpu" : NULL);
  add_values (builder, record, kase.sequence_length, kase.generate_tokens);
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

/* SQL: values are between apostrophes, without escapes. */

static char *
dup_between (const char *text, const char *start, const char *end)
{
  const char *from = strstr (text, start);
  const char *to;

  if (from == NULL)
    return NULL;
  from += strlen (start);
  to = g_strrstr (from, end);
  return to != NULL ? g_strndup (from, (gsize)(to - from)) : NULL;
}

static gboolean
read_statement (const char *text, guint line, gpointer builder, GError **error)
{
  g_autoptr (DynoRecord) record = dyno_record_new (line);
  g_autofree char *values_text = dup_between (text, " VALUES ('", "');");
  const char *end = strstr (text, ") VALUES (");
  g_autofree char *statement = end != NULL ? g_strndup (text, (gsize)(end - text) + 1) : g_strdup ("");
  g_autofree char *names_text = dup_between (statement, "(", ")");
  g_auto (GStrv) names = g_strsplit (names_text != NULL ? names_text : "", ", ", -1);
  g_auto (GStrv) values = g_strsplit (values_text != NULL ? values_text : "", "', '", -1);

  if (!g_str_has_prefix (text, "INSERT INTO "))
    return TRUE;
  if (values_text == NULL || g_strv_length (names) != g_strv_length (values))
    {
      dyno_import_file_set_error (error, line,
                                  _ ("This is not an INSERT statement as llama-bench writes it."));
      return FALSE;
    }
  for (guint i = 0; names[i] != NULL; i++)
    dyno_record_take_text (record, names[i], g_strdup (values[i]));
  return read_test (record, builder, error);
}

/* Markdown */

static const DynoImportLabel headings[] = {
  { "model", "model_type" }, { "backend", "backends" },   { "threads", "n_threads" },
  { "ngl", "n_gpu_layers" }, { "ncmoe", "n_cpu_moe" },    { "sm", "split_mode" },
  { "mg", "main_gpu" },      { "nkvo", "no_kv_offload" }, { "fa", "flash_attn" },
  { "dev", "devices" },      { "ts", "tensor_split" },    { "ot", "tensor_buft_overrides" },
  { "mmap", "use_mmap" },    { "dio", "use_direct_io" },  { "lm", "load_mode" },
  { "embd", "embeddings" },  { "nopo", "no_op_offload" }, { "noh", "no_host" },
};

/* “3.56 GiB” in bytes, “6.74 B” without a unit; ignores other cells. */
static void
take_size (DynoRecord *record, const char *field, const char *cell)
{
  static const struct
  {
    const char *unit;
    double factor;
  } units[] = { { "GiB", 1073741824 }, { "MiB", 1048576 }, { "B", 1e9 }, { "M", 1e6 } };
  char *end = NULL;
  double number = g_ascii_strtod (cell, &end);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (end > cell && *end == ' ' && strcmp (end + 1, units[i].unit) == 0)
      dyno_record_take_text (record, field,
                             g_strdup (g_ascii_dtostr (text, sizeof text, round (number * units[i].factor))));
}

static void
take_cell (DynoRecord *record, const char *heading, const char *cell)
{
  if (strcmp (heading, "size") == 0)
    take_size (record, "model_size", cell);
  else if (strcmp (heading, "params") == 0)
    take_size (record, "model_n_params", cell);
  else if (strcmp (heading, "test") == 0)
    {
      /* “pp 512”, “tg128”, “pp512+tg128”, “tg128 @ d1024” */
      static const char *const fields[] = { "n_prompt", "n_gen", "n_depth" };
      g_autoptr (GRegex) regex =
          g_regex_new ("^(?:pp ?([0-9]+))?\\+?(?:tg ?([0-9]+))?(?: @ d([0-9]+))?$", 0, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;

      if (g_regex_match (regex, cell, 0, &match))
        {
          for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
            {
              char *number = g_match_info_fetch (match, (int)i + 1);

              dyno_record_take_text (record, fields[i], number != NULL ? number : g_strdup (""));
            }
        }
    }
  else if (strcmp (heading, "t/s") == 0)
    {
      g_auto (GStrv) parts = g_strsplit (cell, " ± ", 2);

      dyno_record_take_text (record, "avg_ts", g_strdup (parts[0] != NULL ? parts[0] : ""));
      dyno_record_take_text (record, "stddev_ts",
                             g_strdup (parts[0] != NULL && parts[1] != NULL ? parts[1] : ""));
    }
  else
    dyno_record_take_text (record, dyno_import_words_find (headings, G_N_ELEMENTS (headings), heading),
                           g_strdup (cell));
}

static DynoRecord *
parse_row (GStrv names, const char *text, guint line, GError **error)
{
  g_auto (GStrv) cells = dyno_batched_table_split_row (text);
  DynoRecord *record;

  if (g_strv_length (cells) != g_strv_length (names))
    {
      dyno_table_set_width_error (error, line, g_strv_length (cells), g_strv_length (names));
      return NULL;
    }
  record = dyno_record_new (line);
  for (guint i = 0; names[i] != NULL; i++)
    take_cell (record, names[i], cells[i]);
  return record;
}

/* Tables that follow each other, each possibly of another build */
typedef struct
{
  GPtrArray *records;
  GStrv names;    /* nullable: of the current table */
  guint n_before; /* the number of records of the tables before it */
  DynoBatchedTable batched;
  GPtrArray *batched_records; /* of llama-batched-bench, which is often in the same document */
} Tables;

static void
tables_clear (Tables *self)
{
  g_ptr_array_unref (self->records);
  g_ptr_array_unref (self->batched_records);
  dyno_batched_table_clear (&self->batched);
  g_strfreev (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tables, tables_clear)

/* An empty line ends a table; rows after it are another one. Other lines, which a program may print while
 * it runs, do not end it. */
static gboolean
take_line (Tables *self, const char *text, guint line, GError **error)
{
  gboolean is_rule = strspn (text, "|-: ") == strlen (text);
  DynoRecord *record = NULL;

  if (!dyno_batched_table_take_line (&self->batched, text, line, &record, error))
    return FALSE;
  if (record != NULL)
    g_ptr_array_add (self->batched_records, record);
  if (g_str_has_prefix (text, "build: "))
    {
      /* “build: 1d16309 (1234)” is below the table, so its rows are kept until then. */
      g_auto (GStrv) parts = g_strsplit_set (text, " ()", -1);

      for (guint i = self->n_before; g_strv_length (parts) >= 4 && i < self->records->len; i++)
        {
          dyno_record_take_text (self->records->pdata[i], "build_commit", g_strdup (parts[1]));
          dyno_record_take_text (self->records->pdata[i], "build_number", g_strdup (parts[3]));
        }
      self->n_before = self->records->len;
    }
  if (*text == '\0' || dyno_batched_table_is_heading (text))
    g_clear_pointer (&self->names, g_strfreev);
  if (dyno_batched_table_is_of_llama_bench (text))
    {
      g_strfreev (self->names);
      self->names = dyno_batched_table_split_row (text);
      self->n_before = self->records->len;
    }
  else if (*text == '|' && !is_rule && self->names != NULL)
    {
      record = parse_row (self->names, text, line, error);
      if (record == NULL)
        return FALSE;
      g_ptr_array_add (self->records, record);
    }
  return TRUE;
}

static const char *const keys[] = { "build_commit", "n_prompt", "avg_ts", NULL };

static gboolean
is_csv (const char *head)
{
  return dyno_dialect_has_column (head, ',', "build_commit") && dyno_dialect_has_column (head, ',', "avg_ts");
}

static gboolean
is_sql (const char *head)
{
  return dyno_dialect_begins_with (head, "CREATE TABLE IF NOT EXISTS ") &&
         strstr (head, "build_commit") != NULL && strstr (head, "avg_ts") != NULL;
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_has_keys (head, keys) || is_csv (head) || is_sql (head) ||
         dyno_dialect_has_line (head, dyno_batched_table_is_of_llama_bench);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *head = dyno_import_file_get_head (file);

  if (dyno_dialect_begins_with (head, "["))
    return dyno_json_reader_read_elements (file, read_test, builder, error);
  if (dyno_dialect_begins_with (head, "{"))
    return dyno_json_reader_read_lines (file, read_test, builder, error);
  if (is_csv (head))
    return dyno_table_read (file, ',', read_test, builder, error);
  if (is_sql (head))
    return dyno_import_file_read_lines (file, read_statement, builder, error);

  g_auto (Tables) tables = {
    .records = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_record_free),
    .batched_records = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_record_free),
  };
  g_autoptr (GError) local_error = NULL;
  const char *text;
  guint line;

  while ((text = dyno_import_file_read_line (file, &line, &local_error)) != NULL &&
         tables.records->len + tables.batched_records->len <= DYNO_IMPORT_MAX_CASES)
    if (!take_line (&tables, text, line, error))
      return FALSE;
  if (!dyno_error_pass (&local_error, error))
    return FALSE;
  for (guint i = 0; i < tables.records->len; i++)
    if (!read_test (tables.records->pdata[i], builder, error))
      return FALSE;
  for (guint i = 0; i < tables.batched_records->len; i++)
    if (!dyno_batched_table_read_test (builder, tables.batched_records->pdata[i], error))
      return FALSE;
  return TRUE;
}

const DynoDialect dyno_llama_bench_dialect = {
  .name = "llama-bench",
  .title = "llama-bench",
  .method = N_ ("It repeats a test in one process, by default five times after a prompt and a token as "
                "warm-up, without tokenising and sampling."),
  .recognise = recognise,
  .read = read_file,
};
