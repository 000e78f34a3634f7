/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define COLUMNS_THRESHOLD 680
#define SPACING           12

struct _DynoChartGroups
{
  AdwBin parent_instance;

  GPtrArray *runs;
  DynoResult *result; /* %NULL for all results */
  GHashTable *ceilings;
  DynoChartData *data; /* shared by the groups of a case, whose charts it links */
  gboolean has_selection;
  GtkWidget **lines;     /* the line of each kind, made when its group is first drawn */
  DynoChartView **views; /* of each kind, made for its first chart that has data */
  gboolean drawn[DYNO_N_CHART_GROUPS];

  GtkScrolledWindow *switcher_window;
  GtkStack *stack;
  GtkBox *boxes[DYNO_N_CHART_GROUPS];
};

enum
{
  PROP_0,
  PROP_HAS_SELECTION,
  N_PROPS
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoChartGroups, dyno_chart_groups, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static gboolean
is_mine (DynoChartGroups *self, DynoChartKind kind)
{
  return (dyno_chart_kind_get_info (kind)->flags & DYNO_CHART_OF_STAGES) != 0 ||
         dyno_chart_kind_is_of_one_case (kind) == (self->result != NULL);
}

/* Views */

static void
activated_cb (DynoChartGroups *self, GObject *subject)
{
  g_signal_emit (self, signals[ACTIVATED], 0, subject);
}

static GtkWidget *
create_columns (int threshold, int spacing)
{
  return g_object_new (DYNO_TYPE_COLUMNS, "threshold", threshold, "spacing", spacing, NULL);
}

/* Two narrow charts share a line. */
static void
add_lines (DynoChartGroups *self, DynoChartGroup group)
{
  GtkWidget *line = NULL;
  guint n_in_line = 0;

  for (DynoChartKind kind = 0; kind < dyno_chart_kind_count (); kind++)
    {
      const DynoChartInfo *info = dyno_chart_kind_get_info (kind);

      if (info->group != group || !is_mine (self, kind) || self->lines[kind] != NULL)
        continue;
      if (line == NULL || info->flags & DYNO_CHART_IS_WIDE || n_in_line == 2)
        {
          line = create_columns (COLUMNS_THRESHOLD, SPACING);
          n_in_line = 0;
          gtk_box_append (self->boxes[group], line);
        }
      self->lines[kind] = line;
      n_in_line += info->flags & DYNO_CHART_IS_WIDE ? 2 : 1;
    }
}

/* Charts */

static gboolean
shows_something (GtkWidget *parent)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      return TRUE;
  return FALSE;
}

static void
chart_changed_cb (DynoChartGroups *self, DynoChart *chart)
{
  double from, to;
  gboolean has_selection = dyno_chart_get_selection (chart, &from, &to);

  if (self->has_selection == has_selection)
    return;
  self->has_selection = has_selection;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HAS_SELECTION]);
}

/* Most kinds never have data, and a view is some fifty widgets: only a chart with data has one made, which takes its
 * place before those of later kinds. The newer chart of the same kind shows what the user chose to see. */
static void
show_chart (DynoChartGroups *self, DynoChartKind kind, DynoChart *chart)
{
  gboolean has_data = dyno_chart_get_empty_message (chart) == NULL;
  GtkWidget *next = NULL;
  DynoChart *before;
  const char *chosen;

  if (has_data && self->views[kind] == NULL)
    {
      self->views[kind] = DYNO_CHART_VIEW (dyno_chart_view_new (NULL));
      for (DynoChartKind later = kind + 1; later < dyno_chart_kind_count () && next == NULL; later++)
        if (self->lines[later] == self->lines[kind])
          next = GTK_WIDGET (self->views[later]);
      gtk_widget_add_css_class (GTK_WIDGET (self->views[kind]), "card");
      gtk_widget_insert_before (GTK_WIDGET (self->views[kind]), self->lines[kind], next);
      g_signal_connect_object (self->views[kind], "activated", G_CALLBACK (activated_cb), self,
                               G_CONNECT_SWAPPED);
    }
  if (self->views[kind] == NULL)
    return;
  before = dyno_chart_view_get_chart (self->views[kind]);
  chosen = before != NULL && dyno_chart_get_n_aspects (before) > 0
               ? dyno_chart_get_aspect_name (before, dyno_chart_get_aspect (before))
               : NULL;
  for (guint i = 0; chosen != NULL && i < dyno_chart_get_n_aspects (chart); i++)
    if (g_str_equal (dyno_chart_get_aspect_name (chart, i), chosen))
      {
        dyno_chart_set_aspect (chart, i);
        break;
      }
  dyno_chart_view_set_chart (self->views[kind], chart);
  gtk_widget_set_visible (GTK_WIDGET (self->views[kind]), has_data);
}

/* Leaves out empty charts, lines without charts, and a page without lines. */
static void
draw_group (DynoChartGroups *self, DynoChartGroup group)
{
  GtkWidget *box = GTK_WIDGET (self->boxes[group]);

  if (self->runs->len == 0 || self->drawn[group])
    return;
  self->drawn[group] = TRUE;
  add_lines (self, group);
  if (self->result == NULL)
    g_clear_pointer (&self->data, dyno_chart_data_unref);
  if (self->data == NULL)
    self->data = dyno_chart_data_new (self->runs, self->result, self->ceilings);
  for (DynoChartKind kind = 0; kind < dyno_chart_kind_count (); kind++)
    if (dyno_chart_kind_get_info (kind)->group == group && is_mine (self, kind))
      {
        g_autoptr (DynoChart) chart = dyno_chart_new_for_data (kind, self->data);

        if (dyno_chart_can_select (chart))
          g_signal_connect_object (chart, "changed", G_CALLBACK (chart_changed_cb), self, G_CONNECT_SWAPPED);
        show_chart (self, kind, chart);
      }
  /* A line without charts would still take up its spacing. */
  for (GtkWidget *line = gtk_widget_get_first_child (box); line != NULL;
       line = gtk_widget_get_next_sibling (line))
    gtk_widget_set_visible (line, shows_something (line));
  if (!shows_something (box))
    gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, gtk_widget_get_parent (box)), FALSE);
}

static void
draw_page (DynoChartGroups *self)
{
  const char *name = gtk_stack_get_visible_child_name (self->stack);

  for (DynoChartGroup group = 0; group < DYNO_N_CHART_GROUPS; group++)
    if (g_strcmp0 (dyno_chart_group_get_name (group), name) == 0)
      draw_group (self, group);

  guint n_visible = 0;
  for (GtkWidget *page = gtk_widget_get_first_child (GTK_WIDGET (self->stack)); page != NULL;
       page = gtk_widget_get_next_sibling (page))
    n_visible += gtk_stack_page_get_visible (gtk_stack_get_page (self->stack, page)) ? 1 : 0;
  gtk_widget_set_visible (GTK_WIDGET (self->switcher_window), n_visible > 1);
}

/* Charts that nobody sees are made when they are shown. */
static void
draw (DynoChartGroups *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    draw_page (self);
}

static gboolean
can_show (DynoChartGroups *self, const DynoChartInfo *info)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (self->runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

          if ((self->result == NULL || self->result == result) &&
              dyno_case_state_has_numbers (dyno_result_get_state (result)) &&
              (info->has_data == NULL || info->has_data (result)))
            return TRUE;
        }
    }
  return FALSE;
}

/* A group without data has no page. To see that, no chart is made: a kind that does not say what it needs counts for
 * speed alone. Groups without a kind that has these flags stay as they are. */
static void
redraw (DynoChartGroups *self, DynoChartFlags flags)
{
  gboolean has_data[DYNO_N_CHART_GROUPS] = { FALSE };
  gboolean is_affected[DYNO_N_CHART_GROUPS] = { FALSE };

  for (DynoChartKind kind = 0; self->has_selection && kind < dyno_chart_kind_count (); kind++)
    if (self->views[kind] != NULL)
      dyno_chart_unselect (dyno_chart_view_get_chart (self->views[kind]));
  g_clear_pointer (&self->data, dyno_chart_data_unref);
  for (DynoChartKind kind = 0; kind < dyno_chart_kind_count (); kind++)
    {
      const DynoChartInfo *info = dyno_chart_kind_get_info (kind);

      if (is_mine (self, kind) && !has_data[info->group] &&
          (info->has_data != NULL || info->group == DYNO_CHART_GROUP_SPEED))
        has_data[info->group] = can_show (self, info);
      is_affected[info->group] |= flags == 0 || (is_mine (self, kind) && (info->flags & flags) != 0);
    }
  for (DynoChartGroup group = 0; group < DYNO_N_CHART_GROUPS; group++)
    {
      GtkWidget *page = gtk_stack_get_child_by_name (self->stack, dyno_chart_group_get_name (group));

      if (!is_affected[group])
        continue;
      self->drawn[group] = FALSE;
      gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), has_data[group]);
    }
  draw (self);
}

/* Building */

static void
dyno_chart_groups_map (GtkWidget *widget)
{
  draw_page (DYNO_CHART_GROUPS (widget));
  GTK_WIDGET_CLASS (dyno_chart_groups_parent_class)->map (widget);
}

static void
dyno_chart_groups_dispose (GObject *object)
{
  DynoChartGroups *self = DYNO_CHART_GROUPS (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CHART_GROUPS);
  g_clear_object (&self->result);
  g_clear_pointer (&self->ceilings, g_hash_table_unref);
  g_clear_pointer (&self->data, dyno_chart_data_unref);

  G_OBJECT_CLASS (dyno_chart_groups_parent_class)->dispose (object);
}

static void
dyno_chart_groups_finalize (GObject *object)
{
  DynoChartGroups *self = DYNO_CHART_GROUPS (object);

  g_ptr_array_unref (self->runs);
  g_free (self->lines);
  g_free (self->views);

  G_OBJECT_CLASS (dyno_chart_groups_parent_class)->finalize (object);
}

static void
dyno_chart_groups_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_HAS_SELECTION:
      g_value_set_boolean (value, DYNO_CHART_GROUPS (object)->has_selection);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_chart_groups_class_init (DynoChartGroupsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_chart_groups_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_chart_groups_finalize;
  G_OBJECT_CLASS (klass)->get_property = dyno_chart_groups_get_property;
  widget_class->map = dyno_chart_groups_map;

  properties[PROP_HAS_SELECTION] =
      g_param_spec_boolean ("has-selection", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);

  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, G_TYPE_OBJECT);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-chart-groups.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoChartGroups, switcher_window);
  gtk_widget_class_bind_template_child (widget_class, DynoChartGroups, stack);
  gtk_widget_class_bind_template_callback (widget_class, draw);
}

static void
dyno_chart_groups_init (DynoChartGroups *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->lines = g_new0 (GtkWidget *, dyno_chart_kind_count ());
  self->views = g_new0 (DynoChartView *, dyno_chart_kind_count ());
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_compat_scroll_where_needed (self->switcher_window);
  for (DynoChartGroup group = 0; group < DYNO_N_CHART_GROUPS; group++)
    {
      /* A stack remembers whether the height of a page depends on its width, even before the page is shown. It does
       * for columns, but not for an empty box. */
      GtkWidget *page = create_columns (G_MAXINT, 0);
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);

      gtk_widget_set_parent (box, page);
      self->boxes[group] = GTK_BOX (box);
      gtk_stack_add_titled (self->stack, page, dyno_chart_group_get_name (group),
                            dyno_chart_group_get_label (group));
    }
  /* For each page that comes later, the switcher makes all its buttons again. */
  gtk_scrolled_window_set_child (self->switcher_window, dyno_compat_switcher_new (self->stack, _ ("Charts")));
}

void
dyno_chart_groups_set_run (DynoChartGroups *self, DynoRun *run, DynoResult *result)
{
  g_return_if_fail (DYNO_IS_CHART_GROUPS (self));
  g_return_if_fail (DYNO_IS_RUN (run));
  g_return_if_fail (result == NULL || DYNO_IS_RESULT (result));

  g_set_object (&self->result, result);
  g_ptr_array_set_size (self->runs, 0);
  g_ptr_array_add (self->runs, g_object_ref (run));
  redraw (self, 0);
}

void
dyno_chart_groups_set_runs (DynoChartGroups *self, GPtrArray *runs)
{
  g_return_if_fail (DYNO_IS_CHART_GROUPS (self));
  g_return_if_fail (runs != NULL);

  g_clear_object (&self->result);
  g_ptr_array_set_size (self->runs, 0);
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (self->runs, g_object_ref (g_ptr_array_index (runs, i)));
  redraw (self, 0);
}

void
dyno_chart_groups_set_ceilings (DynoChartGroups *self, GHashTable *ceilings)
{
  g_return_if_fail (DYNO_IS_CHART_GROUPS (self));

  if (ceilings == NULL && self->ceilings == NULL)
    return;
  if (ceilings != NULL)
    g_hash_table_ref (ceilings);
  g_clear_pointer (&self->ceilings, g_hash_table_unref);
  self->ceilings = ceilings;
  /* The charts of a case are linked, so they are made anew together. */
  redraw (self, self->result != NULL ? 0 : DYNO_CHART_HAS_ROOFS);
}

void
dyno_chart_groups_add_page (DynoChartGroups *self, const char *name, const char *title, GtkWidget *page)
{
  g_return_if_fail (DYNO_IS_CHART_GROUPS (self));
  g_return_if_fail (GTK_IS_WIDGET (page));

  gtk_stack_add_titled (self->stack, page, name, title);
}

void
dyno_chart_groups_show_page (DynoChartGroups *self, const char *name)
{
  g_return_if_fail (DYNO_IS_CHART_GROUPS (self));

  gtk_stack_set_visible_child_name (self->stack, name);
}

DynoChartView *
dyno_chart_groups_show (DynoChartGroups *self, DynoChartKind kind)
{
  DynoChartGroup group;

  g_return_val_if_fail (DYNO_IS_CHART_GROUPS (self), NULL);
  g_return_val_if_fail (kind < dyno_chart_kind_count (), NULL);

  group = dyno_chart_kind_get_info (kind)->group;
  dyno_chart_groups_show_page (self, dyno_chart_group_get_name (group));
  draw_group (self, group);
  return self->views[kind];
}
