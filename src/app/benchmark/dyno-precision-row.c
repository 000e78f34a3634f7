/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-precision-row"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-precision-row.h"
#include "dyno-precision.h"

struct _DynoPrecisionRow
{
  AdwActionRow parent_instance;

  GtkFlowBox *box;
  GPtrArray *checks; /* each labelled with its precision */
  gboolean restoring;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoPrecisionRow, dyno_precision_row, ADW_TYPE_ACTION_ROW)

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

  /* They do not fit beside each other in a narrow window. */
  self->box = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE, "max-children-per-line",
                            6, "halign", GTK_ALIGN_END, "valign", GTK_ALIGN_CENTER, "margin-top", 6,
                            "margin-bottom", 6, NULL);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->box));
  self->checks = g_ptr_array_new ();
  for (const char *const *precision = dyno_precision_list (); *precision != NULL; precision++)
    add_check (self, *precision);
  dyno_precision_row_set_precisions (self, usual);
}

/**
 * dyno_precision_row_get_problem:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what is wrong with the choice, as a sentence
 */
const char *
dyno_precision_row_get_problem (DynoPrecisionRow *self)
{
  g_return_val_if_fail (DYNO_IS_PRECISION_ROW (self), NULL);

  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      return NULL;
  return _ ("Choose a precision");
}

/**
 * dyno_precision_row_dup_precisions:
 * @self: a row
 *
 * Returns: (transfer full): the precisions to compare
 */
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

/**
 * dyno_precision_row_set_precisions:
 * @self: a row
 * @precisions: precisions; those that no model can be built in are shown too
 */
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
