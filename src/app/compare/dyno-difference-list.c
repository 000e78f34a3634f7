/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-compare-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-metric.h"
#include "dyno-unit.h"

/* More rows are shown when the user asks for them. */
#define MOST_ROWS 60
/* An interval may be far wider than the range of the ratios: it is cut. */
#define MOST_BEYOND 2.0
#define NAME_CHARS  30

struct _DynoDifferenceList
{
  AdwBin parent_instance;

  DynoComparison *comparison;
  double widest; /* the natural logarithm of the ratio at the ends of the common axis */
  gboolean narrow;

  GtkListBox *list;
  GtkSizeGroup *names;
  GtkSizeGroup *words;
  GtkSizeGroup *values;
};

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

enum
{
  SELECTED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoDifferenceList, dyno_difference_list, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* Returns the range that shows every ratio: a round factor in both directions, so that 1 is in the middle. */
static double
find_widest (const DynoComparison *comparison)
{
  static const double factors[] = { 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100 };
  double widest = 0;

  for (guint i = 0; i < comparison->cases->len; i++)
    {
      const DynoComparedCase *kase = comparison->cases->pdata[i];
      double value = fabs (log (kase->ratio));

      widest = fmax (widest, value);
      if (isfinite (kase->low) && isfinite (kase->high))
        widest = fmax (
            widest, fmin (fmax (fabs (log (kase->low)), fabs (log (kase->high))), value + log (MOST_BEYOND)));
    }
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (widest <= log (factors[i]))
      return log (factors[i]);
  return widest;
}

static GtkWidget *
create_label (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

/* The statistics of a case, a line each. */
static char *
dup_details (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_null_terminated (5, g_free, TRUE);
  g_autofree char *ratio = dyno_comparison_dup_ratio (comparison, kase);
  g_autofree char *effect = dyno_unit_format_number (kase->effect, 2);
  const char *title = dyno_comparison_get_ratio_title (comparison);

  g_ptr_array_add (lines, g_strdup_printf (_ ("%s: %s"), title, ratio));
  g_ptr_array_add (lines, g_strdup_printf (_ ("Processes: %u before, %u after"), kase->n_baseline, kase->n));
  if (isfinite (kase->effective) && isfinite (kase->effective_baseline))
    g_ptr_array_add (lines, g_strdup_printf (_ ("Effective samples: %.0f before, %.0f after"),
                                             kase->effective_baseline, kase->effective));
  if (isfinite (kase->effect))
    g_ptr_array_add (lines, g_strdup_printf (_ ("Effect size: %s (Cliff’s delta)"), effect));
  if (kase->reason != NULL)
    g_ptr_array_add (lines, g_strdup (kase->reason));
  return g_strjoinv ("\n", (char **)lines->pdata);
}

static GtkWidget *
create_arrow (const char *icon)
{
  return g_object_new (GTK_TYPE_IMAGE, "icon-name", icon, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                       NULL);
}

static GtkWidget *
create_foot (DynoDifferenceList *self, const DynoComparedCase *kase)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gboolean is_certain = kase->verdict == DYNO_VERDICT_BETTER || kase->verdict == DYNO_VERDICT_WORSE;
  g_autofree char *words_of_case = dyno_comparison_dup_case_words (self->comparison, kase);
  g_autofree char *text = is_certain && dyno_compared_case_is_within_blocks (kase)
                              /* Translators: %s is a difference, such as “12 % faster” */
                              ? g_strdup_printf (_ ("%s within blocks"), words_of_case)
                              : g_strdup (words_of_case);
  g_autofree char *before = dyno_format_quantity (kase->baseline_value, self->comparison->unit);
  g_autofree char *after = dyno_format_quantity (kase->value, self->comparison->unit);
  /* Translators: what something is in the baseline, and what it is on the other side */
  g_autofree char *change = g_strdup_printf (_ ("%s → %s"), before, after);
  GtkWidget *words = create_label (text, 0, "numeric");
  GtkWidget *values = create_label (change, 1, "numeric");
  GtkWidget *arrow = create_arrow ("pan-down-symbolic");

  if (dyno_verdict_has_direction (kase->verdict))
    gtk_widget_add_css_class (words, kase->verdict == DYNO_VERDICT_BETTER ||
                                             kase->verdict == DYNO_VERDICT_PROBABLY_BETTER
                                         ? "success"
                                         : "error");
  /* Newer versions of GTK cannot measure a row of labels that wrap within another one. */
  gtk_label_set_wrap (GTK_LABEL (words), FALSE);
  gtk_label_set_wrap (GTK_LABEL (values), FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (values), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (values, "dim-label");
  gtk_widget_set_hexpand (values, TRUE);
  gtk_size_group_add_widget (self->words, words);
  gtk_size_group_add_widget (self->values, values);
  gtk_box_append (GTK_BOX (foot), words);
  gtk_box_append (GTK_BOX (foot), values);
  gtk_box_append (GTK_BOX (foot), arrow);
  return foot;
}

/* Below each other, only the scale of the head is left. */
static void
set_orientation (DynoDifferenceList *self, GtkWidget *line)
{
  GtkWidget *name = gtk_widget_get_first_child (line);
  gboolean is_head = *gtk_label_get_text (GTK_LABEL (name)) == '\0';

  gtk_widget_set_visible (name, !is_head || !self->narrow);
  gtk_widget_set_visible (gtk_widget_get_last_child (line), !is_head || !self->narrow);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (line),
                                  self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_spacing (GTK_BOX (line), self->narrow ? 3 : 18);
}

static GtkWidget *
create_line (DynoDifferenceList *self, const char *name, GtkWidget *glyph, GtkWidget *foot)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = create_label (name, 0, "numeric");

  gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS / 2);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_size_group_add_widget (self->names, label);
  /* Beside each other, only the axes take the room that is left, so that they are equally long. */
  gtk_widget_set_hexpand (glyph, TRUE);
  gtk_widget_set_hexpand (foot, FALSE);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), glyph);
  gtk_box_append (GTK_BOX (line), foot);
  set_orientation (self, line);
  return line;
}

static void
append_row (DynoDifferenceList *self, GtkWidget *line, const char *details)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *revealer = gtk_revealer_new ();
  GtkWidget *label = create_label (details, 0, "caption");

  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_top (label, 6);
  gtk_revealer_set_child (GTK_REVEALER (revealer), label);
  gtk_widget_add_css_class (box, "dyno-difference");
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), revealer);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), details != NULL);
  gtk_widget_set_focusable (row, details != NULL);
  gtk_list_box_append (self->list, row);
  if (details != NULL)
    {
      GtkWidget *words = gtk_widget_get_first_child (gtk_widget_get_last_child (line));

      gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                      gtk_widget_get_first_child (line), words,
                                      gtk_widget_get_next_sibling (words), NULL, -1);
    }
}

/* The head of the list has the columns of its rows. */
static void
append_head (DynoDifferenceList *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_label_new (NULL);
  GtkWidget *values = gtk_label_new (NULL);
  GtkWidget *room = create_arrow (NULL);

  gtk_size_group_add_widget (self->words, words);
  gtk_size_group_add_widget (self->values, values);
  gtk_widget_set_hexpand (values, TRUE);
  gtk_box_append (GTK_BOX (foot), words);
  gtk_box_append (GTK_BOX (foot), values);
  gtk_box_append (GTK_BOX (foot), room);

  /* The words at the ends of the common axis. */
  double most = exp (dyno_verdict_more_is_better (self->comparison->metric) ? self->widest : -self->widest);
  const DynoComparedCase better = { .ratio = most, .verdict = DYNO_VERDICT_BETTER };
  const DynoComparedCase worse = { .ratio = 1 / most, .verdict = DYNO_VERDICT_WORSE };
  g_autofree char *left = dyno_comparison_dup_case_words (self->comparison, &worse);
  g_autofree char *right = dyno_comparison_dup_case_words (self->comparison, &better);
  GtkWidget *scale = gtk_center_box_new ();
  gtk_center_box_set_start_widget (GTK_CENTER_BOX (scale), create_label (left, 0, "caption"));
  GtkWidget *middle = create_label ("1×", 0.5, "caption");
  gtk_label_set_wrap (GTK_LABEL (middle), FALSE);
  gtk_center_box_set_center_widget (GTK_CENTER_BOX (scale), middle);
  gtk_center_box_set_end_widget (GTK_CENTER_BOX (scale), create_label (right, 1, "caption"));
  gtk_widget_add_css_class (scale, "dim-label");
  append_row (self, create_line (self, "", scale, foot), NULL);
}

static void
append_cases (DynoDifferenceList *self, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    {
      const DynoComparedCase *kase = self->comparison->cases->pdata[i];
      g_autofree char *name = dyno_comparison_dup_case_name (self->comparison, kase);
      g_autofree char *details = dup_details (self->comparison, kase);
      g_autofree char *ratio = dyno_comparison_dup_ratio (self->comparison, kase);
      GtkWidget *glyph = g_object_new (DYNO_TYPE_RATIO_GLYPH, NULL);

      dyno_ratio_glyph_set (DYNO_RATIO_GLYPH (glyph), self->comparison, kase, self->widest);
      gtk_accessible_update_property (GTK_ACCESSIBLE (glyph), GTK_ACCESSIBLE_PROPERTY_LABEL, ratio, -1);
      append_row (self, create_line (self, name, glyph, create_foot (self, kase)), details);
    }
}

static void
row_activated_cb (DynoDifferenceList *self, GtkListBoxRow *row)
{
  GtkWidget *box = gtk_list_box_row_get_child (row);
  GtkRevealer *revealer;
  gboolean is_open;

  if (!GTK_IS_BOX (box))
    {
      gtk_list_box_remove (self->list, GTK_WIDGET (row));
      append_cases (self, MOST_ROWS, self->comparison->cases->len);
      return;
    }
  revealer = GTK_REVEALER (gtk_widget_get_last_child (box));
  is_open = !gtk_revealer_get_reveal_child (revealer);
  gtk_revealer_set_reveal_child (revealer, is_open);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
  if (is_open)
    g_signal_emit (self, signals[SELECTED], 0, (guint)gtk_list_box_row_get_index (row) - 1);
}

static void
dyno_difference_list_dispose (GObject *object)
{
  DynoDifferenceList *self = DYNO_DIFFERENCE_LIST (object);

  g_clear_object (&self->names);
  g_clear_object (&self->words);
  g_clear_object (&self->values);
  g_clear_pointer (&self->comparison, dyno_comparison_unref);

  G_OBJECT_CLASS (dyno_difference_list_parent_class)->dispose (object);
}

static void
dyno_difference_list_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoDifferenceList *self = DYNO_DIFFERENCE_LIST (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_difference_list_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoDifferenceList *self = DYNO_DIFFERENCE_LIST (object);
  GtkListBoxRow *row;

  switch (prop_id)
    {
    case PROP_NARROW:
      if (self->narrow == g_value_get_boolean (value))
        break;
      self->narrow = g_value_get_boolean (value);
      for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
        if (GTK_IS_BOX (gtk_list_box_row_get_child (row)))
          set_orientation (self, gtk_widget_get_first_child (gtk_list_box_row_get_child (row)));
      g_object_notify_by_pspec (object, properties[PROP_NARROW]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_difference_list_class_init (DynoDifferenceListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_difference_list_dispose;
  object_class->get_property = dyno_difference_list_get_property;
  object_class->set_property = dyno_difference_list_set_property;

  properties[PROP_NARROW] = g_param_spec_boolean (
      "narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
dyno_difference_list_init (DynoDifferenceList *self)
{
  GtkWidget *list = gtk_list_box_new ();

  self->list = GTK_LIST_BOX (list);
  self->names = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->words = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->values = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Compared Cases"),
                                  -1);
  gtk_widget_add_css_class (list, "boxed-list");
  g_signal_connect_object (list, "row-activated", G_CALLBACK (row_activated_cb), self, G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), list);
}

void
dyno_difference_list_set_comparison (DynoDifferenceList *self, DynoComparison *comparison)
{
  guint n = comparison->cases->len;

  g_return_if_fail (DYNO_IS_DIFFERENCE_LIST (self));

  g_clear_pointer (&self->comparison, dyno_comparison_unref);
  self->comparison = dyno_comparison_ref (comparison);
  self->widest = find_widest (comparison);
  dyno_list_box_clear (self->list);

  g_autofree char *metric = dyno_metric_title_dup (comparison->metric);
  const char *baseline = dyno_comparison_get_side_title (comparison, comparison->baseline);
  /* Translators: a metric, and what it is compared with */
  g_autofree char *title = g_strdup_printf (_ ("%s, relative to %s"), metric, baseline);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  if (n == 0)
    return;
  append_head (self);
  append_cases (self, 0, MIN (n, MOST_ROWS));
  if (n > MOST_ROWS)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("Show All %u Case", "Show All %u Cases", n), n);
      GtkWidget *label = gtk_label_new (text);

      gtk_widget_add_css_class (label, "dyno-difference");
      gtk_list_box_append (self->list, label);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (gtk_widget_get_parent (label)),
                                      GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
    }
}
