/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"

struct _DynoCaseGrid
{
  AdwBin parent_instance;

  GtkFlowBox *flow_box;
  GListModel *results;
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoCaseGrid, dyno_case_grid, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

static void
update_cell (DynoResult *result, GParamSpec *pspec, GtkFlowBoxChild *cell)
{
  DynoCaseState state = dyno_result_get_state (result);
  GtkWidget *image = gtk_flow_box_child_get_child (cell);
  g_autofree char *description = dyno_case_grid_describe (result);

  gtk_image_set_from_icon_name (GTK_IMAGE (image), dyno_format_state_icon (state));
  gtk_widget_set_css_classes (image, (const char *[]){ dyno_format_state_css_class (state), NULL });
  dyno_tooltip_set (GTK_WIDGET (cell), description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
}

static GtkWidget *
create_cell (gpointer item, gpointer user_data)
{
  GtkWidget *cell = gtk_flow_box_child_new ();
  GtkWidget *image = gtk_image_new ();

  gtk_widget_set_size_request (image, 28, 28);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (cell), image);
  gtk_widget_add_css_class (cell, "card");
  g_object_set_data_full (G_OBJECT (cell), "result", g_object_ref (item), g_object_unref);
  g_signal_connect_object (item, "notify::status", G_CALLBACK (update_cell), cell, 0);
  update_cell (item, NULL, GTK_FLOW_BOX_CHILD (cell));
  return cell;
}

static void
child_activated_cb (DynoCaseGrid *self, GtkFlowBoxChild *cell)
{
  g_signal_emit (self, signals[ACTIVATED], 0, g_object_get_data (G_OBJECT (cell), "result"));
}

static void
dyno_case_grid_dispose (GObject *object)
{
  g_clear_object (&DYNO_CASE_GRID (object)->results);

  G_OBJECT_CLASS (dyno_case_grid_parent_class)->dispose (object);
}

static void
dyno_case_grid_class_init (DynoCaseGridClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_case_grid_dispose;
  signals[ACTIVATED] = g_signal_new ("activated", DYNO_TYPE_CASE_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, DYNO_TYPE_RESULT);
}

static void
dyno_case_grid_init (DynoCaseGrid *self)
{
  self->flow_box = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->flow_box), "dyno-cases");
  gtk_flow_box_set_selection_mode (self->flow_box, GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (self->flow_box, TRUE);
  gtk_flow_box_set_max_children_per_line (self->flow_box, 64);
  gtk_flow_box_set_row_spacing (self->flow_box, 6);
  gtk_flow_box_set_column_spacing (self->flow_box, 6);
  gtk_widget_set_halign (GTK_WIDGET (self->flow_box), GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->flow_box), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Cases"),
                                  -1);
  g_signal_connect_object (self->flow_box, "child-activated", G_CALLBACK (child_activated_cb), self,
                           G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->flow_box));
}

GListModel *
dyno_case_grid_get_results (DynoCaseGrid *self)
{
  g_return_val_if_fail (DYNO_IS_CASE_GRID (self), NULL);
  return self->results;
}

void
dyno_case_grid_set_results (DynoCaseGrid *self, GListModel *results)
{
  g_return_if_fail (DYNO_IS_CASE_GRID (self));
  g_return_if_fail (results == NULL || G_IS_LIST_MODEL (results));

  if (g_set_object (&self->results, results))
    gtk_flow_box_bind_model (self->flow_box, results, create_cell, NULL, NULL);
}

char *
dyno_case_grid_describe (DynoResult *result)
{
  g_autofree char *label = NULL;
  g_autofree char *median = NULL;
  DynoCaseState state;
  DynoValue *value;

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  label = dyno_case_dup_label (dyno_result_get_case (result));
  state = dyno_result_get_state (result);
  value = dyno_result_get_value (result, "latency_p50_ms");
  if (dyno_case_state_has_numbers (state) && value != NULL && dyno_value_is_number (value))
    {
      median = dyno_format_latency (dyno_value_get_number (value));
      /* Translators: a case, the word for its state, such as “Measured”, and a latency such as “12.5 ms” */
      return g_strdup_printf (_ ("%s\n%s: median latency %s"), label, dyno_case_state_get_label (state),
                              median);
    }
  if (dyno_result_get_reason (result) != NULL && *dyno_result_get_reason (result) != '\0')
    return g_strdup_printf ("%s\n%s: %s", label, dyno_case_state_get_label (state),
                            dyno_result_get_reason (result));
  return g_strdup_printf ("%s\n%s", label, dyno_case_state_get_label (state));
}
