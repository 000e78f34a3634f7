/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* `ollama run MODEL --verbose`: eight lines after each answer, between the answers. Durations are in Go's
 * notation. */

static const DynoImportLabel labels[] = {
  { "total duration", "total_duration" },       { "load duration", "load_duration" },
  { "prompt eval count", "prompt_eval_count" }, { "prompt eval duration", "prompt_eval_duration" },
  { "prompt eval rate", "prompt_eval_rate" },   { "eval count", "eval_count" },
  { "eval duration", "eval_duration" },         { "eval rate", "eval_rate" },
};

typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *record; /* nullable: of the current answer */
  char *model;        /* nullable: from the command above */
} Session;

static void
session_clear (Session *self)
{
  g_clear_pointer (&self->record, dyno_record_free);
  g_free (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Session, session_clear)

/* Returns a duration such as “1m27.059177746s”, “35.433224ms” or “617.55µs” in ms; NaN for any other text. */
static double
get_duration (DynoRecord *record, const char *field)
{
  static const struct
  {
    const char *unit;
    double milliseconds;
  } units[] = { { "ns", 1e-6 }, { "µs", 1e-3 }, { "us", 1e-3 }, { "ms", 1 },
                { "s", 1e3 },   { "m", 6e4 },   { "h", 3.6e6 } };
  const char *text = dyno_record_get_text (record, field);
  double sum = 0;

  while (text != NULL && *text != '\0')
    {
      char *end;
      double number = g_ascii_strtod (text, &end);
      guint i = 0;

      while (i < G_N_ELEMENTS (units) && !g_str_has_prefix (end, units[i].unit))
        i++;
      if (end == text || i == G_N_ELEMENTS (units) || !(number >= 0))
        return NAN;
      sum += number * units[i].milliseconds;
      text = end + strlen (units[i].unit);
    }
  return text != NULL ? sum : NAN;
}

static gboolean
end_answer (Session *self, GError **error)
{
  g_autoptr (DynoRecord) record = g_steal_pointer (&self->record);
  DynoImportCase kase = { .model = self->model, .backend = "ollama", .batch_size = 1 };

  if (record == NULL)
    return TRUE;
  kase.sequence_length = dyno_record_get_count (record, "prompt_eval_count");
  kase.generate_tokens = dyno_record_get_count (record, "eval_count");
  dyno_import_builder_set_tool (self->builder, "ollama run", NULL);
  if (!dyno_import_builder_begin_case (self->builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (self->builder, "run");

  double prompt = get_duration (record, "prompt_eval_duration");
  double generation = get_duration (record, "eval_duration");

  dyno_record_skip (record, "prompt_eval_rate");
  dyno_record_skip (record, "eval_rate");
  dyno_import_builder_add_value (self->builder, "latency_mean_ms", get_duration (record, "total_duration"),
                                 "ms", "total duration, of a single request, with loading");
  dyno_import_builder_add_value (self->builder, "load_time_ms", get_duration (record, "load_duration"), "ms",
                                 "load duration");
  if (prompt > 0)
    dyno_import_builder_add_value (self->builder, "prefill_tokens_per_sec",
                                   kase.sequence_length / prompt * 1e3, "tokens/s",
                                   "prompt eval count over prompt eval duration");
  if (generation > 0)
    dyno_import_builder_add_value (self->builder, "decode_tokens_per_sec",
                                   kase.generate_tokens / generation * 1e3, "tokens/s",
                                   "eval count over eval duration");
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_line (const char *text, guint line, gpointer data, GError **error)
{
  Session *self = data;
  const char *inner = text + strspn (text, " \t");
  char *model = dyno_console_text_find (inner, "\\bollama run (?:--\\S+ )*([^- ]\\S*)");

  if (model == NULL)
    {
      /* “eval count:           449 token(s)” */
      const char *colon = strchr (inner, ':');

      for (guint i = 0; colon != NULL && i < G_N_ELEMENTS (labels); i++)
        if (strlen (labels[i].label) == (gsize)(colon - inner) && g_str_has_prefix (inner, labels[i].label))
          {
            const char *value = colon + 1 + strspn (colon + 1, " ");

            if (i == 0 && !end_answer (self, error))
              return FALSE;
            if (self->record == NULL)
              self->record = dyno_record_new (line);
            dyno_record_take_text_at (self->record, line, labels[i].field,
                                      g_strndup (value, strcspn (value, " ")));
          }
      return TRUE;
    }
  if (!end_answer (self, error))
    {
      g_free (model);
      return FALSE;
    }
  g_free (self->model);
  self->model = model;
  return TRUE;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Session) session = { .builder = builder };

  return dyno_import_file_read_lines (file, read_line, &session, error) && end_answer (&session, error);
}

static gboolean
recognise (const char *head)
{
  return strstr (head, "total duration:") != NULL && strstr (head, "prompt eval count:") != NULL &&
         strstr (head, "eval rate:") != NULL;
}

const DynoDialect dyno_ollama_verbose_dialect = {
  .name = "ollama-verbose",
  .title = "ollama run --verbose",
  .method = N_ ("It tells the times of a single request; a prompt of which a part was in its cache has fewer "
                "tokens than were sent."),
  .recognise = recognise,
  .read = read_file,
};
