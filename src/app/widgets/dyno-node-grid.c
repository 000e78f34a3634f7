/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

/* In letters. */
#define MAX_NODE_CHARS 16
#define MIN_CASE_CHARS 18
#define MAX_CASE_CHARS 70

struct _DynoNodeGrid
{
  AdwBin parent_instance;

  GtkGrid *grid;
  guint n_cases;
  guint n_nodes;
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoNodeGrid, dyno_node_grid, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

/* The larger of the two goes down the page, where there is more room. */
static gboolean
nodes_are_rows (DynoNodeGrid *self)
{
  return self->n_nodes > self->n_cases;
}

/* Both numbers start at 1; 0 is the heading. */
static void
attach (DynoNodeGrid *self, guint node, guint case_number, GtkWidget *child)
{
  gboolean is_turned = nodes_are_rows (self);

  gtk_grid_attach (self->grid, child, (int)(is_turned ? case_number : node),
                   (int)(is_turned ? node : case_number), 1, 1);
}

static GtkWidget *
get_child (DynoNodeGrid *self, guint node, guint case_number)
{
  gboolean is_turned = nodes_are_rows (self);

  return gtk_grid_get_child_at (self->grid, (int)(is_turned ? case_number : node),
                                (int)(is_turned ? node : case_number));
}

/* Cells */

static void
clicked_cb (DynoNodeGrid *self, GtkButton *button)
{
  g_signal_emit (self, signals[ACTIVATED], 0, g_object_get_data (G_OBJECT (button), "run"),
                 g_object_get_data (G_OBJECT (button), "result"));
}

static GtkWidget *
create_cell (DynoNodeGrid *self)
{
  GtkWidget *button = gtk_button_new ();

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "dyno-node-cell");
  g_signal_connect_object (button, "clicked", G_CALLBACK (clicked_cb), self, G_CONNECT_SWAPPED);
  return button;
}

/* Shows the number if there is one, else an icon. */
static GtkWidget *
create_content (DynoResult *result)
{
  DynoCaseState state = dyno_result_get_state (result);
  DynoValue *median = dyno_result_get_value (result, "latency_p50_ms");
  const char *css_class = dyno_format_state_css_class (state);
  g_autofree char *text = NULL;
  GtkWidget *content;

  if (dyno_case_state_has_numbers (state) && median != NULL && dyno_value_is_number (median))
    text = dyno_format_latency (dyno_value_get_number (median));
  content =
      text != NULL ? gtk_label_new (text) : gtk_image_new_from_icon_name (dyno_format_state_icon (state));
  gtk_widget_add_css_class (content, "numeric");
  if (state != DYNO_CASE_STATE_MEASURED)
    gtk_widget_add_css_class (content, css_class);
  return content;
}

static void
set_data (GtkWidget *cell, const char *key, gpointer object)
{
  g_object_set_data_full (G_OBJECT (cell), key, object != NULL ? g_object_ref (object) : NULL,
                          g_object_unref);
}

/* Returns the number of a case in the plan, from 0; @ordinal is its number among the cases of its node. */
static guint
find_place (const DynoGridNode *node, guint ordinal)
{
  if (node->cases == NULL || *node->cases == NULL)
    return ordinal;
  if (ordinal >= g_strv_length ((char **)node->cases))
    return G_MAXUINT;
  return (guint)g_ascii_strtoull (node->cases[ordinal], NULL, 10) - 1;
}

static GPtrArray *
place_results (const DynoGridNode *node, guint n_places)
{
  GPtrArray *places = g_ptr_array_new ();
  GListModel *results = node->run != NULL ? dyno_run_get_results (node->run) : NULL;

  g_ptr_array_set_size (places, (int)n_places);
  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      /* The run owns it. */
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      guint place = find_place (node, dyno_result_get_ordinal (result));

      if (place < n_places)
        places->pdata[place] = result;
    }
  return places;
}

/* Headings */

static GtkWidget *
create_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
create_case (DynoNodeGrid *self)
{
  gboolean is_turned = nodes_are_rows (self);

  return g_object_new (GTK_TYPE_LABEL, "xalign", is_turned ? 0.5 : 0.0, "justify",
                       is_turned ? GTK_JUSTIFY_CENTER : GTK_JUSTIFY_LEFT, "wrap", TRUE, "wrap-mode",
                       PANGO_WRAP_WORD_CHAR, "width-chars", MIN_CASE_CHARS, "max-width-chars",
                       is_turned ? MIN_CASE_CHARS : MAX_CASE_CHARS, NULL);
}

/* Whole grid */

static void
fill_node_cells (DynoNodeGrid *self, guint number, const DynoGridNode *node, GPtrArray *labels)
{
  g_autoptr (GPtrArray) results = place_results (node, labels->len);

  GtkWidget *box = get_child (self, number, 0);
  GtkWidget *name = gtk_widget_get_first_child (box);
  GtkWidget *state = gtk_widget_get_next_sibling (name);
  g_autofree char *hint =
      node->reason != NULL ? g_strdup_printf ("%s: %s", node->name, node->reason) : g_strdup (node->name);

  gtk_label_set_label (GTK_LABEL (name), node->name);
  gtk_label_set_width_chars (GTK_LABEL (name), (int)MIN (g_utf8_strlen (node->name, -1), MAX_NODE_CHARS));
  gtk_label_set_label (GTK_LABEL (state), node->state != NULL ? node->state : "");
  gtk_widget_set_visible (state, node->state != NULL);
  dyno_tooltip_set (box, hint);

  for (guint i = 0; i < labels->len; i++)
    {
      GtkWidget *cell = get_child (self, number, i + 1);
      DynoResult *result = results->pdata[i];
      g_autofree char *text = result != NULL ? dyno_case_grid_describe (result) : g_strdup (labels->pdata[i]);
      /* Translators: a node, and a case and how it stands there */
      g_autofree char *description = g_strdup_printf (_ ("%s: %s"), node->name, text);

      if (result != NULL && g_object_get_data (G_OBJECT (cell), "result") == result)
        continue;
      set_data (cell, "run", node->run);
      set_data (cell, "result", result);
      gtk_button_set_child (GTK_BUTTON (cell),
                            result != NULL ? create_content (result) : gtk_label_new ("·"));
      gtk_widget_set_sensitive (cell, result != NULL);
      dyno_tooltip_set (cell, description);
      gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
    }
}

static void
dyno_node_grid_class_init (DynoNodeGridClass *klass)
{
  signals[ACTIVATED] = g_signal_new ("activated", DYNO_TYPE_NODE_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 2, DYNO_TYPE_RUN, DYNO_TYPE_RESULT);
}

static void
dyno_node_grid_init (DynoNodeGrid *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->grid = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_row_spacing (self->grid, 6);
  gtk_grid_set_column_spacing (self->grid, 12);
  gtk_widget_set_halign (GTK_WIDGET (self->grid), GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grid), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Cases by node"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->grid));
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (scrolled));
  adw_bin_set_child (ADW_BIN (self), scrolled);
}

GtkWidget *
dyno_node_grid_new (void)
{
  return g_object_new (DYNO_TYPE_NODE_GRID, NULL);
}

void
dyno_node_grid_show (DynoNodeGrid *self, GPtrArray *labels, GArray *nodes)
{
  g_return_if_fail (DYNO_IS_NODE_GRID (self));
  g_return_if_fail (labels != NULL);
  g_return_if_fail (nodes != NULL);

  if (self->n_cases != labels->len || self->n_nodes != nodes->len)
    {
      GtkWidget *child;

      while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->grid))) != NULL)
        gtk_grid_remove (self->grid, child);
      self->n_nodes = nodes->len;
      self->n_cases = labels->len;
      for (guint i = 1; i <= labels->len; i++)
        attach (self, 0, i, create_case (self));
      for (guint node = 1; node <= nodes->len; node++)
        {
          GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
          GtkWidget *name = create_label (NULL, "heading");
          GtkWidget *state = create_label (NULL, "caption");
          gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_START);
          gtk_label_set_max_width_chars (GTK_LABEL (name), MAX_NODE_CHARS);
          gtk_box_append (GTK_BOX (box), name);
          gtk_box_append (GTK_BOX (box), state);
          gtk_widget_set_halign (name, nodes_are_rows (self) ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
          gtk_widget_set_halign (state, nodes_are_rows (self) ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
          attach (self, node, 0, box);

          for (guint i = 1; i <= labels->len; i++)
            attach (self, node, i, create_cell (self));
        }
    }
  for (guint i = 0; i < labels->len; i++)
    gtk_label_set_label (GTK_LABEL (get_child (self, 0, i + 1)), labels->pdata[i]);
  for (guint i = 0; i < nodes->len; i++)
    fill_node_cells (self, i + 1, &g_array_index (nodes, DynoGridNode, i), labels);
}
