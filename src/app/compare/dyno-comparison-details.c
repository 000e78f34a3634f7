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

/* A line of a table of three columns, below each other where there is no room. */
static void
add_line (GtkWidget *group, const char *name, const char *before, const char *after, gboolean is_heading)
{
  const char *const texts[] = { name, before, after };
  GtkWidget *columns = g_object_new (DYNO_TYPE_COLUMNS, "threshold", 480, "spacing", 12, NULL);
  GtkWidget *row = g_object_new (GTK_TYPE_LIST_BOX_ROW, "activatable", FALSE, "child", columns, NULL);

  gtk_widget_add_css_class (columns, "dyno-difference");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", texts[i], "xalign", 0.0, "yalign", 0.0,
                                       "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, NULL);

      if (is_heading)
        gtk_widget_add_css_class (label, "heading");
      else if (i == 0)
        gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_parent (label, columns);
    }
  adw_expander_row_add_row (ADW_EXPANDER_ROW (group), row);
}

static void
add_differences (GtkListBox *list, const DynoComparison *comparison)
{
  GtkWidget *group = add_group (list, _ ("What Differs"));
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *summary = NULL;

  if (comparison->sides->len == 2 && comparison->differences->len > 0)
    add_line (group, "", dyno_comparison_get_side_title (comparison, comparison->baseline),
              dyno_comparison_get_side_title (comparison, comparison->baseline == 0 ? 1 : 0), TRUE);
  for (guint i = 0; i < comparison->differences->len; i++)
    {
      const DynoSideDifference *difference = comparison->differences->pdata[i];
      g_autofree char *name =
          comparison->sides->len > 2
              ? g_strdup_printf (_ ("%s: %s"), dyno_comparison_get_side_title (comparison, difference->side),
                                 difference->name)
              : g_strdup (difference->name);

      add_line (group, name, difference->baseline, difference->value, FALSE);
      g_strv_builder_add (names, name);
    }
  all = g_strv_builder_end (names);
  summary = *all != NULL ? g_strjoinv (" · ", all) : g_strdup (_ ("Nothing that Dyno records."));
  g_object_set (group, "subtitle", summary, "enable-expansion", *all != NULL, NULL);
}

void
dyno_comparison_details_fill (GtkListBox *list, const DynoComparison *comparison)
{
  g_autofree char *evidence = dyno_comparison_dup_evidence (comparison);
  g_autofree char *remark = dyno_comparison_dup_remark (comparison);
  g_autofree char *noise = dyno_comparison_dup_noise (comparison);
  g_autofree char *cost = dyno_comparison_dup_cost (comparison);
  const char *const sentences[] = { remark, noise, cost };

  dyno_list_box_clear (list);

  /* Says how the sides were measured, how much evidence there is, and how to get more. */
  GtkWidget *how_sure = add_group (list, _ ("How Sure This Is"));
  g_object_set (how_sure, "subtitle", evidence, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (sentences[i] != NULL)
      add_row (how_sure, sentences[i], NULL);
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
