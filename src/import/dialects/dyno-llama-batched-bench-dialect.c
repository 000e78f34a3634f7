/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-json-reader.h"

/* llama-batched-bench of llama.cpp, JSON Lines: prompts of @pp tokens for @pl sequences at once, then @tg tokens of each.
 * Between other lines of the program's log; neither the model nor the version is in it. */

/* Settings that make a test another one, and what they usually are. */
static const struct
{
  const char *field;
  const char *usual;
} settings[] = {
  { "n_batch", "2048" },    { "n_ubatch", "512" },   { "flash_attn", "-1" },
  { "n_gpu_layers", "-1" }, { "is_pp_shared", "0" },
};

static void
add_settings (DynoImportBuilder *builder, DynoRecord *record)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *word = dyno_record_dup_word (record, settings[i].field);

      if (g_strcmp0 (word, settings[i].usual) != 0)
        dyno_import_builder_add_option (builder, settings[i].field, word);
    }
}

static void
add_values (DynoImportBuilder *builder, DynoRecord *record)
{
  dyno_import_builder_add_value (builder, "latency_mean_ms", dyno_record_get_amount (record, "t"), "s",
                                 "t, of a single repetition");
  dyno_import_builder_add_value (builder, "prefill_tokens_per_sec",
                                 dyno_record_get_amount (record, "speed_pp"), "tokens/s", "speed_pp");
  dyno_import_builder_add_value (builder, "decode_tokens_per_sec",
                                 dyno_record_get_amount (record, "speed_tg"), "tokens/s",
                                 "speed_tg, of all sequences");
  dyno_import_builder_add_value (builder, "throughput_tokens_per_sec",
                                 dyno_record_get_amount (record, "speed"), "tokens/s",
                                 "speed, prompts and generated tokens");
}

static gboolean
read_test (DynoImportBuilder *builder, DynoRecord *record, GError **error)
{
  const DynoImportCase kase = {
    .backend = "llama.cpp",
    .batch_size = dyno_record_get_count (record, "pl"),
    .sequence_length = dyno_record_get_count (record, "pp"),
    .generate_tokens = dyno_record_get_count (record, "tg"),
    .threads = dyno_record_get_count (record, "n_threads"),
  };

  dyno_import_builder_set_tool (builder, "llama-batched-bench", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  add_settings (builder, record);
  add_values (builder, record);
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_line (const char *text, guint line, gpointer data, GError **error)
{
  g_autoptr (DynoRecord) record = NULL;

  if (*text != '{')
    return TRUE;
  record = dyno_json_reader_parse_line (text, line, error);
  return record != NULL && read_test (data, record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_import_file_read_lines (file, read_line, builder, error);
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_has_key (head, "n_kv_max") && dyno_dialect_has_key (head, "speed_pp") &&
         dyno_dialect_has_key (head, "speed_tg");
}

const DynoDialect dyno_llama_batched_bench_dialect = {
  .name = "llama-batched-bench",
  .title = "llama-batched-bench",
  .method = N_ ("It measures each test once, in one process, without tokenising and sampling."),
  .recognise = recognise,
  .read = read_file,
};
