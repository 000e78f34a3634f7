/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"

struct _DynoChartLink
{
  GObject parent_instance;

  GPtrArray *charts; /* each removes itself */
  gboolean is_busy;
};

G_DEFINE_FINAL_TYPE (DynoChartLink, dyno_chart_link, G_TYPE_OBJECT)

/* An axis of a chart. Axes with one range are alike, and at the same side of panels of the same name. */
typedef struct
{
  DynoChart *chart;
  const char *panel;
  gboolean is_across;
  DynoAxis *axis;
} Member;

static void
dyno_chart_link_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_CHART_LINK (object)->charts);

  G_OBJECT_CLASS (dyno_chart_link_parent_class)->finalize (object);
}

static void
dyno_chart_link_class_init (DynoChartLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_chart_link_finalize;
}

static void
dyno_chart_link_init (DynoChartLink *self)
{
  self->charts = g_ptr_array_new ();
}

/* Rows are names, which have no range. */
static void
add_member (GArray *members, DynoChart *chart, const DynoChartPanel *panel, DynoAxis *axis)
{
  Member member = { chart, panel->name, axis == panel->x_axis, axis };

  if (axis != NULL && !DYNO_IS_CATEGORY_AXIS (axis))
    g_array_append_val (members, member);
}

static GArray *
list_members (GPtrArray *charts)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (Member));

  for (guint i = 0; i < charts->len; i++)
    {
      GPtrArray *panels = dyno_chart_get_panels (charts->pdata[i]);

      for (guint j = 0; j < panels->len; j++)
        {
          const DynoChartPanel *panel = g_ptr_array_index (panels, j);

          add_member (members, charts->pdata[i], panel, panel->x_axis);
          add_member (members, charts->pdata[i], panel, panel->y_axis);
          add_member (members, charts->pdata[i], panel, panel->lower_axis);
        }
    }
  return members;
}

static gboolean
belong_together (const Member *one, const Member *other)
{
  return one->is_across == other->is_across && dyno_axis_is_like (one->axis, other->axis) &&
         (DYNO_IS_TIME_AXIS (one->axis) || g_strcmp0 (one->panel, other->panel) == 0);
}

/* Panels may share an axis: each is taken once. */
static void
join (GPtrArray *charts)
{
  g_autoptr (GArray) members = list_members (charts);
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < members->len; i++)
    {
      const Member *first = &g_array_index (members, Member, i);
      g_autoptr (GPtrArray) axes = g_ptr_array_new ();

      for (guint j = i; j < members->len; j++)
        {
          const Member *other = &g_array_index (members, Member, j);

          if (belong_together (first, other) && g_hash_table_add (done, other->axis))
            g_ptr_array_add (axes, other->axis);
        }
      if (axes->len > 0)
        dyno_axis_join (axes);
    }
}

static void
redraw (DynoChartLink *self)
{
  for (guint i = 0; i < self->charts->len; i++)
    g_signal_emit_by_name (self->charts->pdata[i], "changed");
}

DynoChartLink *
dyno_chart_link_new (void)
{
  return g_object_new (DYNO_TYPE_CHART_LINK, NULL);
}

void
dyno_chart_link_add (DynoChartLink *self, DynoChart *chart)
{
  if (self->charts->len > 0)
    dyno_chart_take_over_selection (chart, dyno_chart_peek_selection (self->charts->pdata[0]));
  g_ptr_array_add (self->charts, chart);
  join (self->charts);
  redraw (self);
}

void
dyno_chart_link_remove (DynoChartLink *self, DynoChart *chart)
{
  g_autoptr (GPtrArray) alone = g_ptr_array_new ();

  g_ptr_array_remove (self->charts, chart);
  g_ptr_array_add (alone, chart);
  join (alone);
  join (self->charts);
  redraw (self);
}

void
dyno_chart_link_join (DynoChartLink *self)
{
  join (self->charts);
}

void
dyno_chart_link_share_axes (DynoChartLink *self, DynoChart *chart)
{
  g_autoptr (GArray) members = list_members (self->charts);

  if (self->is_busy)
    return;
  self->is_busy = TRUE;
  for (guint i = 0; i < members->len; i++)
    for (guint j = 0; j < members->len; j++)
      {
        const Member *from = &g_array_index (members, Member, i);
        const Member *to = &g_array_index (members, Member, j);
        double low, high;

        if (from->chart != chart || to->chart == chart || !belong_together (from, to))
          continue;
        dyno_axis_reset (to->axis);
        dyno_axis_get_visible (from->axis, &low, &high);
        if (dyno_axis_is_zoomed (from->axis))
          dyno_axis_set_visible (to->axis, low, high);
      }
  for (guint i = 0; i < self->charts->len; i++)
    if (self->charts->pdata[i] != chart)
      g_signal_emit_by_name (self->charts->pdata[i], "changed");
  self->is_busy = FALSE;
}

void
dyno_chart_link_share_selection (DynoChartLink *self, DynoChart *chart)
{
  for (guint i = 0; i < self->charts->len; i++)
    if (self->charts->pdata[i] != chart)
      dyno_chart_take_over_selection (self->charts->pdata[i], dyno_chart_peek_selection (chart));
}

void
dyno_chart_link_share_cursor (DynoChartLink *self, DynoChart *chart)
{
  for (guint i = 0; i < self->charts->len; i++)
    if (self->charts->pdata[i] != chart)
      dyno_chart_follow (self->charts->pdata[i], chart);
}
