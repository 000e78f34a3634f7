/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-precision.h"

struct _DynoPrecisionRow
{
  AdwPreferencesRow parent_instance;

  GtkFlowBox *box;
  GPtrArray *checks; /* each labelled with its precision */
  gboolean restoring;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoPrecisionRow, dyno_precision_row, ADW_TYPE_PREFERENCES_ROW)

static guint signals[N_SIGNALS];

static void
changed_cb (DynoPrecisionRow *self)
{
  if (!self->restoring)
    g_signal_emit (self, signals[CHANGED], 0);
}

static GtkCheckButton *
find_check (DynoPrecisionRow *self, const char *precision)
{
  for (guint i = 0; i < self->checks->len; i++)
    if (g_strcmp0 (gtk_check_button_get_label (self->checks->pdata[i]), precision) == 0)
      return self->checks->pdata[i];
  return NULL;
}

static GtkCheckButton *
add_check (DynoPrecisionRow *self, const char *precision)
{
  GtkWidget *check = gtk_check_button_new_with_label (precision);

  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  g_signal_connect_object (check, "toggled", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  gtk_flow_box_insert (self->box, check, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (check), FALSE);
  g_ptr_array_add (self->checks, check);
  return GTK_CHECK_BUTTON (check);
}

static void
dyno_precision_row_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_PRECISION_ROW (object)->checks);

  G_OBJECT_CLASS (dyno_precision_row_parent_class)->finalize (object);
}

static void
dyno_precision_row_class_init (DynoPrecisionRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_precision_row_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_precision_row_init (DynoPrecisionRow *self)
{
  const char *usual[] = { dyno_precision_list ()[0], NULL };

  /* Below the title the checks have the whole width; as a suffix they would be stacked. */
  GtkWidget *title = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "margin-start", 6, NULL);
  GtkWidget *content =
      g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, "margin-top", 12,
                    "margin-bottom", 6, "margin-start", 6, "margin-end", 6, NULL);
  self->box = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE, "max-children-per-line",
                            12, "column-spacing", 6, NULL);
  g_object_bind_property (self, "title", title, "label", G_BINDING_SYNC_CREATE);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title,
                                  NULL, -1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title, NULL,
                                  -1);
  gtk_box_append (GTK_BOX (content), title);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->box));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), content);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);

  self->checks = g_ptr_array_new ();
  for (const char *const *precision = dyno_precision_list (); *precision != NULL; precision++)
    add_check (self, *precision);
  dyno_precision_row_set_precisions (self, usual);
}

const char *
dyno_precision_row_get_problem (DynoPrecisionRow *self)
{
  g_return_val_if_fail (DYNO_IS_PRECISION_ROW (self), NULL);

  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      return NULL;
  return _ ("Choose a precision");
}

char **
dyno_precision_row_dup_precisions (DynoPrecisionRow *self)
{
  g_autoptr (GStrvBuilder) precisions = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_PRECISION_ROW (self), NULL);

  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      g_strv_builder_add (precisions, gtk_check_button_get_label (self->checks->pdata[i]));
  return g_strv_builder_end (precisions);
}

void
dyno_precision_row_set_precisions (DynoPrecisionRow *self, const char *const *precisions)
{
  g_return_if_fail (DYNO_IS_PRECISION_ROW (self));
  g_return_if_fail (precisions != NULL);

  self->restoring = TRUE;
  for (guint i = 0; i < self->checks->len; i++)
    gtk_check_button_set_active (self->checks->pdata[i], FALSE);
  for (; *precisions != NULL; precisions++)
    {
      GtkCheckButton *check = find_check (self, *precisions);

      gtk_check_button_set_active (check != NULL ? check : add_check (self, *precisions), TRUE);
    }
  self->restoring = FALSE;
  changed_cb (self);
}
