/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-import-dialects-private.h"

/* Settings that tell tests apart, and their defaults. */
static const struct
{
  const char *field;
  const char *usual;
} settings[] = {
  { "n_batch", "2048" },    { "n_ubatch", "512" },   { "flash_attn", "-1" },
  { "n_gpu_layers", "-1" }, { "is_pp_shared", "0" },
};

gboolean
dyno_batched_table_read_test (DynoImportBuilder *builder, DynoRecord *record, GError **error)
{
  const DynoImportCase kase = {
    .model = dyno_record_get_text (record, "model"),
    .backend = "llama.cpp",
    .batch_size = dyno_record_get_count (record, "pl"),
    .sequence_length = dyno_record_get_count (record, "pp"),
    .generate_tokens = dyno_record_get_count (record, "tg"),
    .threads = dyno_record_get_count (record, "n_threads"),
  };

  dyno_import_builder_set_tool (builder, dyno_llama_batched_bench_dialect.title, NULL);
  dyno_import_builder_set_method (builder, _ (dyno_llama_batched_bench_dialect.method));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "run");

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *word = dyno_record_dup_word (record, settings[i].field);

      if (g_strcmp0 (word, settings[i].usual) != 0)
        dyno_import_builder_add_option (builder, settings[i].field, word);
    }

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

  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

/* Headings of the table, and their names in JSON. */
static const DynoImportLabel headings[] = {
  { "PP", "pp" },       { "TG", "tg" },
  { "B", "pl" },        { "N_KV", "n_kv" },
  { "T_PP s", "t_pp" }, { "S_PP t/s", "speed_pp" },
  { "T_TG s", "t_tg" }, { "S_TG t/s", "speed_tg" },
  { "T s", "t" },       { "S t/s", "speed" },
};

void
dyno_batched_table_clear (DynoBatchedTable *self)
{
  g_free (self->settings);
  g_strfreev (self->names);
  g_free (self->model);
}

gboolean
dyno_batched_table_is_heading (const char *text)
{
  return *text == '|' && strstr (text, " S_PP t/s |") != NULL && strstr (text, " S_TG t/s |") != NULL;
}

gboolean
dyno_batched_table_is_of_llama_bench (const char *text)
{
  return g_str_has_prefix (text, "| model ") && strstr (text, "| backend ") != NULL &&
         strstr (text, "test |") != NULL && g_str_has_suffix (text, "t/s |");
}

GStrv
dyno_batched_table_split_row (const char *text)
{
  g_autofree char *inner = g_strdup (text + 1);
  char *end = strrchr (inner, '|');

  if (end != NULL)
    *end = '\0';
  return dyno_import_words_split (inner, "|");
}

static DynoRecord *
parse_row (const DynoBatchedTable *self, const char *text, guint line, GError **error)
{
  g_auto (GStrv) cells = dyno_batched_table_split_row (text);
  DynoRecord *record;

  if (g_strv_length (cells) != g_strv_length (self->names))
    {
      dyno_table_set_width_error (error, line, g_strv_length (cells), g_strv_length (self->names));
      return NULL;
    }
  record = dyno_record_new (line);
  if (self->model != NULL)
    dyno_record_take_text (record, "model", g_strdup (self->model));
  if (self->settings != NULL)
    {
      /* “main: n_kv_max = 4096, n_batch = 2048, flash_attn = 1” */
      g_auto (GStrv) pairs = g_strsplit (self->settings, ", ", -1);

      for (char **pair = pairs; *pair != NULL; pair++)
        {
          g_auto (GStrv) parts = g_strsplit (*pair, " = ", 2);
          const char *name = parts[0] != NULL ? strrchr (parts[0], ' ') : NULL;

          if (parts[0] != NULL && parts[1] != NULL)
            dyno_record_take_text (record, name != NULL ? name + 1 : parts[0],
                                   g_strdup (g_strstrip (parts[1])));
        }
    }
  for (guint i = 0; cells[i] != NULL; i++)
    dyno_record_take_text (record, dyno_import_words_find (headings, G_N_ELEMENTS (headings), self->names[i]),
                           g_strdup (cells[i]));
  return record;
}

gboolean
dyno_batched_table_take_line (
    DynoBatchedTable *self, const char *text, guint line, DynoRecord **test, GError **error)
{
  gboolean is_rule = strspn (text, "|-: ") == strlen (text);

  *test = NULL;
  if (g_str_has_prefix (text, "Model: "))
    {
      const char *model = text + strlen ("Model: ");

      g_free (self->model);
      if (g_str_has_prefix (model, "https://huggingface.co/"))
        model += strlen ("https://huggingface.co/");
      self->model = g_strstrip (g_strdup (model));
    }
  else if (strstr (text, "n_kv_max = ") != NULL)
    {
      g_free (self->settings);
      self->settings = g_strdup (text);
    }
  if (*text == '\0')
    g_clear_pointer (&self->names, g_strfreev);
  else if (dyno_batched_table_is_heading (text))
    {
      g_strfreev (self->names);
      self->names = dyno_batched_table_split_row (text);
    }
  else if (*text == '|' && !is_rule && self->names != NULL)
    *test = parse_row (self, text, line, error);
  else
    return TRUE;
  return self->names == NULL || dyno_batched_table_is_heading (text) || *test != NULL;
}
