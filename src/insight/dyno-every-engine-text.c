/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-insight-private.h"
#include "dyno-race.h"

/* How sure the difference between the fastest engine and the next one is. */
typedef enum
{
  OPEN,
  SAME,
  PROBABLE,
  CERTAIN,
} Surety;

static char *
tell_steps (Surety surety, const char *best, const char *factor, const char *next)
{
  switch (surety)
    {
    case CERTAIN:
      return g_strdup_printf (_ ("%s is %s faster than %s"), best, factor, next);
    case PROBABLE:
      return g_strdup_printf (_ ("%s is probably %s faster than %s"), best, factor, next);
    case SAME:
      return g_strdup_printf (_ ("%s and %s are equally fast"), best, next);
    case OPEN:
    default:
      return g_strdup_printf (_ ("it is not certain whether %s or %s is faster"), best, next);
    }
}

static char *
tell_tokens (Surety surety, const char *best, const char *factor, const char *next)
{
  switch (surety)
    {
    case CERTAIN:
      /* Translators: “llama.cpp q4_k_m generates tokens 1.3 times faster than OpenVINO int4-32” */
      return g_strdup_printf (_ ("%s generates tokens %s faster than %s"), best, factor, next);
    case PROBABLE:
      return g_strdup_printf (_ ("%s probably generates tokens %s faster than %s"), best, factor, next);
    case SAME:
      return g_strdup_printf (_ ("%s and %s generate tokens equally fast"), best, next);
    case OPEN:
    default:
      return g_strdup_printf (_ ("it is not certain whether %s or %s generates tokens faster"), best, next);
    }
}

static char *
tell_prompts (Surety surety, const char *best, const char *factor, const char *next)
{
  switch (surety)
    {
    case CERTAIN:
      return g_strdup_printf (_ ("%s reads prompts %s faster than %s"), best, factor, next);
    case PROBABLE:
      return g_strdup_printf (_ ("%s probably reads prompts %s faster than %s"), best, factor, next);
    case SAME:
      return g_strdup_printf (_ ("%s and %s read prompts equally fast"), best, next);
    case OPEN:
    default:
      return g_strdup_printf (_ ("it is not certain whether %s or %s reads prompts faster"), best, next);
    }
}

static const struct
{
  const char *metric;
  char *(*tell) (Surety surety, const char *best, const char *factor, const char *next);
} questions[] = {
  { "latency_p50_ms", tell_steps },
  { "inter_token_latency_ms", tell_tokens },
  { "first_token_latency_ms", tell_prompts },
};

/* How sure it is that the next one is worse than the fastest. */
static const Surety sureties[DYNO_N_VERDICTS] = {
  [DYNO_VERDICT_WORSE] = CERTAIN,
  [DYNO_VERDICT_PROBABLY_WORSE] = PROBABLE,
  [DYNO_VERDICT_SAME] = SAME,
};

static char *
dup_name (const DynoEngineEntry *entry)
{
  return g_strdup_printf ("%s %s", entry->engine, entry->setting);
}

/* Compares the fastest entry of a class with the next one; NULL if there is no other. */
static char *
dup_clause (const DynoEveryEngine *self, guint question, const DynoEngineEntry *best)
{
  const char *metric = ((DynoComparison *)self->comparisons->pdata[question])->metric;
  const DynoEngineEntry *next = NULL;
  g_autofree char *first = dup_name (best);
  g_autofree char *second = NULL;
  g_autofree char *factor = NULL;
  guint asked = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const DynoEngineEntry *entry = self->entries->pdata[i];

      if (entry != best && entry->fastest[question] == best &&
          (next == NULL || entry->margins[question]->ratio < next->margins[question]->ratio))
        next = entry;
    }
  if (next == NULL)
    return NULL;
  second = dup_name (next);
  factor = dyno_side_tally_dup_factor (next->margins[question]->ratio);
  while (!g_str_equal (questions[asked].metric, metric))
    asked++;
  return questions[asked].tell (sureties[next->margins[question]->verdict], first, factor, second);
}

static char *
dup_answer (const DynoEveryEngine *self, const DynoEngineEntry *entry, gboolean has_sizes)
{
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_null_terminated (2, g_free, TRUE);
  g_autofree char *joined = NULL;

  for (guint question = 0; question < self->comparisons->len; question++)
    {
      char *clause = dup_clause (self, question, entry->fastest[question]);

      if (clause != NULL)
        g_ptr_array_add (clauses, clause);
    }
  if (clauses->len == 0)
    {
      g_autofree char *name = dup_name (entry);

      g_ptr_array_add (clauses, g_strdup_printf (_ ("only %s could be measured"), name));
    }
  joined = g_strjoinv ("; ", (char **)clauses->pdata);
  return has_sizes
             /* Translators: how many bits a weight has, the sizes of the work, and who is the fastest */
             ? g_strdup_printf (_ ("%u bit, %s: %s."), entry->bits, entry->sizes, joined)
             /* Translators: how many bits a weight has, and who is the fastest: “4 bit: llama.cpp is 1.3 times faster than …” */
             : g_strdup_printf (_ ("%u bit: %s."), entry->bits, joined);
}

char **
dyno_every_engine_dup_answers (const DynoEveryEngine *self)
{
  g_autoptr (GStrvBuilder) answers = g_strv_builder_new ();
  const DynoEngineEntry *before = NULL;
  gboolean has_sizes = FALSE;

  for (guint i = 1; i < self->entries->len; i++)
    has_sizes = has_sizes || !g_str_equal (((DynoEngineEntry *)self->entries->pdata[0])->sizes,
                                           ((DynoEngineEntry *)self->entries->pdata[i])->sizes);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const DynoEngineEntry *entry = self->entries->pdata[i];
      g_autofree char *answer = NULL;

      /* One for the entries of a class, which are beside each other. */
      if (before != NULL && before->fastest[0] == entry->fastest[0])
        continue;
      before = entry;
      answer = dup_answer (self, entry, has_sizes);
      g_strv_builder_add (answers, answer);
    }
  return g_strv_builder_end (answers);
}
