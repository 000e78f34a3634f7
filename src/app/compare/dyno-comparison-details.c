/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "dyno-app-compare-private.h"
#include "dyno-app-widgets-private.h"

static GtkWidget *
add_group (GtkListBox *list, const char *title)
{
  GtkWidget *group = g_object_new (ADW_TYPE_EXPANDER_ROW, "use-markup", FALSE, "title", title, NULL);

  gtk_list_box_append (list, group);
  return group;
}

static void
add_row (GtkWidget *group, const char *title, const char *subtitle)
{
  GtkWidget *row =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle, NULL);

  adw_expander_row_add_row (ADW_EXPANDER_ROW (group), row);
}

static char *
dup_change (const DynoSideDifference *difference)
{
  /* Translators: what something is in the baseline, and what it is on the other side */
  return g_strdup_printf (_ ("%s → %s"), difference->baseline, difference->value);
}

static void
add_differences (GtkListBox *list, const DynoComparison *comparison)
{
  GtkWidget *group = add_group (list, _ ("What differs"));
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *summary = NULL;

  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const DynoSideDifference *difference = comparison->differences->pdata[i];
      g_autofree char *name =
          comparison->sides->len > 2
              ? g_strdup_printf (_ ("%s: %s"), dyno_comparison_get_side_title (comparison, difference->side),
                                 difference->name)
              : g_strdup (difference->name);
      g_autofree char *change = dup_change (difference);
      g_autofree char *both = g_strdup_printf ("%s %s", name, change);

      add_row (group, name, change);
      g_strv_builder_add (names, both);
    }
  all = g_strv_builder_end (names);
  summary = *all != NULL ? g_strjoinv (" · ", all) : g_strdup (_ ("Nothing that Dyno records."));
  g_object_set (group, "subtitle", summary, "enable-expansion", *all != NULL, NULL);
}

/* Says why cases are not certain, with a remedy. */
static void
add_reasons (GtkListBox *list, const DynoComparison *comparison)
{
  GtkWidget *group = add_group (list, _ ("Cases that are not certain"));
  guint n = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      g_autofree char *name = dyno_comparison_dup_case_name (comparison, kase);

      if (kase->reason == NULL)
        continue;
      add_row (group, name, kase->reason);
      n++;
    }
  if (n > 0)
    {
      g_autofree char *title =
          g_strdup_printf (ngettext ("%u case is not certain", "%u cases are not certain", n), n);

      g_object_set (group, "title", title, NULL);
      return;
    }
  gtk_list_box_remove (list, group);
}

void
dyno_comparison_details_fill (GtkListBox *list, const DynoComparison *comparison)
{
  dyno_list_box_clear (list);
  add_reasons (list, comparison);
  add_differences (list, comparison);

  guint n = comparison->left_out->len;
  g_autofree char *title =
      g_strdup_printf (ngettext ("%u case is not compared", "%u cases are not compared", n), n);
  GtkWidget *group = n > 0 ? add_group (list, title) : NULL;
  for (guint i = 0; i < n; i++)
    {
      const DynoLeftOutCase *kase = comparison->left_out->pdata[i];

      add_row (group, kase->label, kase->reason);
    }
}
