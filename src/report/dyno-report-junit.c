/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report.h"
#include "dyno-text.h"

static void
append_attribute (GString *xml, const char *name, const char *value)
{
  g_autofree char *escaped = dyno_markup_escape (value);

  g_string_append_printf (xml, " %s=\"%s\"", name, escaped);
}

/* Only a case that is shown to be worse has failed; a case that cannot be judged is skipped, with the reason. */
static const char *
get_outcome (const DynoComparedCase *kase)
{
  if (kase->verdict == DYNO_VERDICT_WORSE)
    return "failure";
  return dyno_verdict_is_open (kase->verdict) ? "skipped" : NULL;
}

static void
begin_case (GString *xml, const DynoComparison *comparison, guint side, const char *label)
{
  g_string_append (xml, "    <testcase");
  append_attribute (xml, "classname",
                    ((DynoComparisonSide *)g_ptr_array_index (comparison->sides, side))->id);
  append_attribute (xml, "name", label);
}

static guint
count (const DynoComparison *comparison, const char *outcome)
{
  guint n = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    n += g_strcmp0 (get_outcome (comparison->cases->pdata[i]), outcome) == 0;
  return n;
}

char *
dyno_report_junit_write (const DynoComparison *comparison)
{
  g_autoptr (GString) xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  guint n_left_out = comparison->left_out->len;

  g_string_append_printf (
      xml, "  <testsuite name=\"dyno\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n",
      comparison->cases->len + n_left_out, count (comparison, "failure"),
      count (comparison, "skipped") + n_left_out);
  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      const char *outcome = get_outcome (kase);
      g_autofree char *ratio = dyno_comparison_dup_ratio (comparison, kase);
      g_autofree char *message =
          g_strdup_printf ("%s: %s", dyno_verdict_get_label (kase->verdict, comparison->metric), ratio);
      g_autofree char *escaped = dyno_markup_escape (message);

      begin_case (xml, comparison, kase->side, kase->label);
      g_string_append (xml, ">\n");
      if (outcome != NULL)
        {
          g_string_append_printf (xml, "      <%s", outcome);
          append_attribute (xml, "message", kase->reason != NULL ? kase->reason : message);
          g_string_append (xml, "/>\n");
        }
      g_string_append (xml, "      <system-out>");
      g_string_append (xml, escaped);
      g_string_append (xml, "</system-out>\n    </testcase>\n");
    }
  for (guint i = 0; i < n_left_out; i++)
    {
      const DynoLeftOutCase *kase = comparison->left_out->pdata[i];

      begin_case (xml, comparison, kase->side, kase->label);
      g_string_append (xml, ">\n      <skipped");
      append_attribute (xml, "message", kase->reason);
      g_string_append (xml, "/>\n    </testcase>\n");
    }
  g_string_append (xml, "  </testsuite>\n</testsuites>\n");
  return g_string_free (g_steal_pointer (&xml), FALSE);
}
