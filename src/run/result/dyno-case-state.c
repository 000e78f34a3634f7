/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-case-state.h"

G_DEFINE_ENUM_TYPE (DynoCaseState,
                    dyno_case_state,
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_WAITING, "waiting"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_RUNNING, "running"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_MEASURED, "measured"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_IMPORTED, "imported"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_DOUBTFUL, "doubtful"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_UNSTEADY, "unsteady"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_SKIPPED, "skipped"),
                    G_DEFINE_ENUM_VALUE (DYNO_CASE_STATE_NOT_RUN, "not-run"))

const char *
dyno_case_state_to_string (DynoCaseState state)
{
  g_autoptr (GEnumClass) enum_class = g_type_class_ref (DYNO_TYPE_CASE_STATE);
  GEnumValue *enum_value = g_enum_get_value (enum_class, state);

  return enum_value != NULL ? enum_value->value_nick : NULL;
}

const char *
dyno_case_state_get_label (DynoCaseState state)
{
  static const char *const labels[DYNO_N_CASE_STATES] = {
    [DYNO_CASE_STATE_WAITING] = N_ ("Waiting"),   [DYNO_CASE_STATE_RUNNING] = N_ ("Running"),
    [DYNO_CASE_STATE_MEASURED] = N_ ("Measured"), [DYNO_CASE_STATE_IMPORTED] = N_ ("Imported"),
    [DYNO_CASE_STATE_DOUBTFUL] = N_ ("Doubtful"), [DYNO_CASE_STATE_UNSTEADY] = N_ ("Unsteady"),
    [DYNO_CASE_STATE_FAILED] = N_ ("Failed"),     [DYNO_CASE_STATE_SKIPPED] = N_ ("Skipped"),
    [DYNO_CASE_STATE_NOT_RUN] = N_ ("Not run"),
  };

  g_return_val_if_fail ((guint)state < DYNO_N_CASE_STATES, NULL);
  return _ (labels[state]);
}

gboolean
dyno_case_state_has_numbers (DynoCaseState state)
{
  return state == DYNO_CASE_STATE_MEASURED || state == DYNO_CASE_STATE_IMPORTED ||
         state == DYNO_CASE_STATE_DOUBTFUL || state == DYNO_CASE_STATE_UNSTEADY;
}

gboolean
dyno_case_state_is_clean (DynoCaseState state)
{
  return state == DYNO_CASE_STATE_MEASURED || state == DYNO_CASE_STATE_IMPORTED;
}

guint
dyno_case_counts_get_n_with_numbers (const DynoCaseCounts *self)
{
  guint n = 0;

  for (guint state = 0; state < DYNO_N_CASE_STATES; state++)
    if (dyno_case_state_has_numbers (state))
      n += self->of[state];
  return n;
}

static char *
dup_part (DynoCaseState state, guint n)
{
  switch (state)
    {
    case DYNO_CASE_STATE_MEASURED:
      return g_strdup_printf (ngettext ("%u measured", "%u measured", n), n);
    case DYNO_CASE_STATE_IMPORTED:
      return g_strdup_printf (ngettext ("%u imported", "%u imported", n), n);
    case DYNO_CASE_STATE_DOUBTFUL:
      return g_strdup_printf (ngettext ("%u doubtful", "%u doubtful", n), n);
    case DYNO_CASE_STATE_UNSTEADY:
      return g_strdup_printf (ngettext ("%u unsteady", "%u unsteady", n), n);
    case DYNO_CASE_STATE_FAILED:
      return g_strdup_printf (ngettext ("%u failed", "%u failed", n), n);
    case DYNO_CASE_STATE_SKIPPED:
      return g_strdup_printf (ngettext ("%u skipped", "%u skipped", n), n);
    case DYNO_CASE_STATE_NOT_RUN:
      return g_strdup_printf (ngettext ("%u not run", "%u not run", n), n);
    case DYNO_CASE_STATE_RUNNING:
      return g_strdup_printf (ngettext ("%u running", "%u running", n), n);
    case DYNO_CASE_STATE_WAITING:
    default:
      return g_strdup_printf (ngettext ("%u waiting", "%u waiting", n), n);
    }
}

char *
dyno_case_counts_dup_text (const DynoCaseCounts *self)
{
  static const DynoCaseState order[DYNO_N_CASE_STATES] = {
    DYNO_CASE_STATE_MEASURED, DYNO_CASE_STATE_IMPORTED, DYNO_CASE_STATE_DOUBTFUL,
    DYNO_CASE_STATE_UNSTEADY, DYNO_CASE_STATE_FAILED,   DYNO_CASE_STATE_SKIPPED,
    DYNO_CASE_STATE_NOT_RUN,  DYNO_CASE_STATE_RUNNING,  DYNO_CASE_STATE_WAITING,
  };
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < DYNO_N_CASE_STATES; i++)
    if (self->of[order[i]] > 0)
      g_ptr_array_add (parts, dup_part (order[i], self->of[order[i]]));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}
