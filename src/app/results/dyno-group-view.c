/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-cluster-driver.h"
#include "dyno-plan.h"
#include "dyno-run.h"

struct _DynoGroupView
{
  AdwBin parent_instance;

  DynoRunEntry *entry;
  GCancellable *loading;
  gboolean narrow;

  GtkStack *stack;
  AdwStatusPage *failed_page;
  GtkLabel *title_label;
  GtkLabel *details_label;
  DynoNodeGrid *grid;
  DynoChartGroups *charts;
  GtkListBox *node_list;
};

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

enum
{
  RUN_ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoGroupView, dyno_group_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* The data of the runs, read by a thread. */
typedef struct
{
  DynoStore *store;
  GPtrArray *ids;
  GPtrArray *runs;
  GHashTable *ceilings;
  GPtrArray *labels; /* of the cases, by their number in the plan */
  GPtrArray *cases;  /* of each run, the numbers of its cases in the plan */
} Group;

static void
group_free (gpointer data)
{
  Group *group = data;

  g_object_unref (group->store);
  g_ptr_array_unref (group->ids);
  g_ptr_array_unref (group->runs);
  g_hash_table_unref (group->ceilings);
  g_ptr_array_unref (group->labels);
  g_ptr_array_unref (group->cases);
  g_free (group);
}

static gboolean
read_run (Group *group, const char *id, GError **error)
{
  DynoRun *run = dyno_store_load_run (group->store, id, error);
  GPtrArray *ceilings = NULL;

  if (run == NULL)
    return FALSE;
  g_ptr_array_add (group->runs, run);

  GListModel *results = dyno_run_get_results (run);
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (dyno_run_get_plan (run), NULL);
  char **cases = plan != NULL ? g_strdupv ((char **)dyno_plan_get_cases (plan)) : g_new0 (char *, 1);
  g_ptr_array_add (group->cases, cases);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      guint place = dyno_result_get_ordinal (result);

      if (place < g_strv_length (cases))
        place = (guint)g_ascii_strtoull (cases[place], NULL, 10) - 1;

      if (place >= group->labels->len)
        g_ptr_array_set_size (group->labels, (int)place + 1);
      if (group->labels->pdata[place] == NULL)
        group->labels->pdata[place] = dyno_case_dup_label (dyno_result_get_case (result));
    }

  if (dyno_run_get_machine (run) != NULL)
    ceilings = dyno_store_load_ceilings (group->store, dyno_run_get_machine (run), NULL);
  if (ceilings != NULL)
    g_hash_table_insert (group->ceilings, g_object_ref (run), ceilings);
  return TRUE;
}

static void
load_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Group *group = task_data;
  GError *error = NULL;

  for (guint i = 0; i < group->ids->len; i++)
    if (!read_run (group, group->ids->pdata[i], &error))
      {
        g_task_return_error (task, error);
        return;
      }
  /* Add cases that no node has measured yet. */
  for (guint i = 0; i < group->labels->len; i++)
    if (group->labels->pdata[i] == NULL)
      group->labels->pdata[i] = g_strdup_printf (_ ("Case %u"), i + 1);
  g_task_return_boolean (task, TRUE);
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoGroupView *self = DYNO_GROUP_VIEW (object);
  Group *group = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    {
      g_autofree char *description = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (self->failed_page, description);
      gtk_stack_set_visible_child_name (self->stack, "failed");
      return;
    }

  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (DynoGridNode));
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_run_place_free);
  for (guint i = 0; i < group->runs->len; i++)
    {
      DynoRunPlace *place = dyno_run_place_new (group->runs->pdata[i]);
      DynoGridNode node = { .name = place != NULL ? place->node : "",
                            .run = group->runs->pdata[i],
                            .cases = group->cases->pdata[i] };

      if (place != NULL)
        g_ptr_array_add (places, place);
      g_array_append_val (nodes, node);
    }
  dyno_node_grid_show (self->grid, group->labels, nodes);

  dyno_chart_groups_set_runs (self->charts, group->runs);
  dyno_chart_groups_set_ceilings (self->charts, group->ceilings);
  gtk_stack_set_visible_child_name (self->stack, "group");
}

static GtkWidget *
create_row (DynoRun *run)
{
  g_autoptr (DynoRunPlace) place = dyno_run_place_new (run);
  g_autofree char *counts = dyno_run_dup_state_text (run);
  GtkWidget *row =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", place != NULL ? place->node : "",
                    "subtitle", counts, "activatable", TRUE, NULL);

  g_object_set_data_full (G_OBJECT (row), "id", g_strdup (dyno_run_get_id (run)), g_free);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  return row;
}

/* More runs may arrive while the group is shown. */
static void
changed_cb (DynoGroupView *self)
{
  g_autoptr (DynoRunPlace) place = dyno_run_place_new (dyno_run_entry_get_run (self->entry));
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);
  g_autofree char *details = NULL;
  g_autofree char *target = NULL;
  g_autofree char *text = NULL;

  g_object_get (self->entry, "details", &details, NULL);
  if (place != NULL && place->target != NULL)
    target = dyno_cluster_driver_dup_label (place->target);
  /* Translators: when a plan was measured and on how many nodes, and where it was sent */
  text = target != NULL ? g_strdup_printf (_ ("%s · %s"), details, target) : g_strdup (details);
  gtk_label_set_label (self->title_label, title);
  gtk_label_set_label (self->details_label, text);

  GPtrArray *members = dyno_run_entry_get_members (self->entry);
  dyno_list_box_clear (self->node_list);
  for (guint i = 0; i < members->len; i++)
    gtk_list_box_append (self->node_list, create_row (members->pdata[i]));

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  self->loading = g_cancellable_new ();

  Group *group = g_new0 (Group, 1);
  group->store = g_object_ref (dyno_run_entry_get_store (self->entry));
  group->ids = g_ptr_array_new_with_free_func (g_free);
  group->runs = g_ptr_array_new_with_free_func (g_object_unref);
  group->ceilings = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  group->labels = g_ptr_array_new_with_free_func (g_free);
  group->cases = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  for (guint i = 0; i < members->len; i++)
    g_ptr_array_add (group->ids, g_strdup (dyno_run_get_id (members->pdata[i])));
  dyno_thread_task_run (self, self->loading, load_thread, group, group_free, loaded_cb);
}

static void
row_activated_cb (DynoGroupView *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[RUN_ACTIVATED], 0, g_object_get_data (G_OBJECT (row), "id"));
}

static void
cell_activated_cb (DynoGroupView *self, DynoRun *run)
{
  g_signal_emit (self, signals[RUN_ACTIVATED], 0, dyno_run_get_id (run));
}

static void
dyno_group_view_dispose (GObject *object)
{
  DynoGroupView *self = DYNO_GROUP_VIEW (object);

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->entry);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_GROUP_VIEW);

  G_OBJECT_CLASS (dyno_group_view_parent_class)->dispose (object);
}

static void
dyno_group_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, DYNO_GROUP_VIEW (object)->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_group_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoGroupView *self = DYNO_GROUP_VIEW (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      self->narrow = g_value_get_boolean (value);
      g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_group_view_class_init (DynoGroupViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_group_view_dispose;
  object_class->get_property = dyno_group_view_get_property;
  object_class->set_property = dyno_group_view_set_property;

  properties[PROP_NARROW] = g_param_spec_boolean (
      "narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[RUN_ACTIVATED] = g_signal_new ("run-activated", DYNO_TYPE_GROUP_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (DYNO_TYPE_CHART_GROUPS);
  g_type_ensure (DYNO_TYPE_NODE_GRID);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-group-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, failed_page);
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, title_label);
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, details_label);
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, grid);
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, charts);
  gtk_widget_class_bind_template_child (widget_class, DynoGroupView, node_list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, cell_activated_cb);
}

static void
dyno_group_view_init (DynoGroupView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

DynoRunEntry *
dyno_group_view_get_entry (DynoGroupView *self)
{
  g_return_val_if_fail (DYNO_IS_GROUP_VIEW (self), NULL);
  return self->entry;
}

void
dyno_group_view_set_entry (DynoGroupView *self, DynoRunEntry *entry)
{
  g_return_if_fail (DYNO_IS_GROUP_VIEW (self));
  g_return_if_fail (entry == NULL || dyno_run_entry_get_members (entry) != NULL);

  if (self->entry == entry)
    return;
  if (self->entry != NULL)
    g_signal_handlers_disconnect_by_func (self->entry, changed_cb, self);
  g_set_object (&self->entry, entry);
  if (entry == NULL)
    {
      g_cancellable_cancel (self->loading);
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, "loading");
  g_signal_connect_object (entry, "notify::details", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  changed_cb (self);
}
