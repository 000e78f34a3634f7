/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-comparison.h"
#include "dyno-unit.h"

/* The fewest and the most processes of a side. */
typedef struct
{
  guint least;
  guint most;
} Range;

static void
range_add (Range *self, guint n)
{
  self->least = self->most == 0 ? n : MIN (self->least, n);
  self->most = MAX (self->most, n);
}

static char *
range_dup_text (const Range *self)
{
  if (self->least == self->most)
    return g_strdup_printf ("%u", self->most);
  /* Translators: the fewest and the most processes of a case: “5 to 10” */
  return g_strdup_printf (_ ("%u to %u"), self->least, self->most);
}

static const char *
get_order (const DynoComparedCase *kase)
{
  if (kase->n_rounds > 0)
    return _ ("in turns");
  return kase->in_blocks ? _ ("in blocks") : _ ("one run after the other");
}

char *
dyno_comparison_dup_evidence (const DynoComparison *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_null_terminated (5, g_free, TRUE);
  double noise_floor = dyno_comparison_get_noise_floor (self);
  Range before = { 0 }, after = { 0 };
  gboolean has_interval = FALSE, in_one_order = TRUE;
  const char *order;
  g_autofree char *list = NULL;

  if (self->cases->len == 0)
    return NULL;
  order = get_order (self->cases->pdata[0]);
  for (guint i = 0; i < self->cases->len; i++)
    {
      const DynoComparedCase *kase = self->cases->pdata[i];

      range_add (&before, kase->n_baseline);
      range_add (&after, kase->n);
      has_interval |= isfinite (kase->low);
      in_one_order = in_one_order && g_str_equal (get_order (kase), order);
    }

  g_autofree char *n_before = range_dup_text (&before);
  g_autofree char *n_after = range_dup_text (&after);
  g_autofree char *percent = dyno_unit_format_percent (100 * noise_floor);

  /* Translators: the numbers of processes that measured each case on either side: “n = 5 + 5 processes” */
  g_ptr_array_add (parts, g_strdup_printf (_ ("n = %s + %s processes"), n_before, n_after));
  if (in_one_order)
    g_ptr_array_add (parts, g_strdup (order));
  g_ptr_array_add (parts, g_strdup (has_interval ? _ ("interval 95 %") : _ ("no interval")));
  if (isfinite (noise_floor))
    g_ptr_array_add (parts, g_strdup_printf (_ ("floor %s %%"), percent));
  list = g_strjoinv (", ", (char **)parts->pdata);
  /* Translators: %s is a list: “n = 5 + 5 processes, in turns, interval 95 %, floor 1.2 %” */
  return g_strdup_printf (_ ("Evidence: %s."), list);
}
