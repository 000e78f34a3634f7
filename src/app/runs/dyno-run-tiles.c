/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-run-summary.h"

/* Four of them fit beside each other at the usual width; more scroll. A size and a setting are that long. */
#define TITLE_CHARS 22

/* Room for the shadows of cards. */
#define SHADOW 3

struct _DynoRunTiles
{
  AdwBin parent_instance;

  GtkBox *box;
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoRunTiles, dyno_run_tiles, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

static void
clicked_cb (DynoRunTiles *self, GtkWidget *tile)
{
  g_signal_emit (self, signals[ACTIVATED], 0, g_object_get_data (G_OBJECT (tile), "result"));
}

static GtkWidget *
append_label (GtkWidget *box, const char *text, const char *css_class)
{
  GtkWidget *label =
      g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, NULL);

  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static GtkWidget *
tile_new (const DynoRunTile *tile)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *rate = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *button =
      g_object_new (GTK_TYPE_BUTTON, "child", box, "tooltip-text", tile->text, "hexpand", TRUE, NULL);
  GtkWidget *title;

  gtk_box_append (GTK_BOX (box), rate);
  gtk_label_set_ellipsize (GTK_LABEL (append_label (rate, tile->number, "title-2")), PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_valign (append_label (rate, tile->unit, "dim-label"), GTK_ALIGN_BASELINE);
  title = append_label (box, tile->title, "body");
  gtk_label_set_width_chars (GTK_LABEL (title), MIN (TITLE_CHARS, (int)g_utf8_strlen (tile->title, -1)));
  append_label (box, tile->facts != NULL ? tile->facts : "", "dim-label");
  gtk_widget_add_css_class (button, "card");
  gtk_widget_add_css_class (button, "dyno-tile");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tile->text, -1);
  g_object_set_data_full (G_OBJECT (button), "result", g_object_ref (tile->result), g_object_unref);
  return button;
}

static void
dyno_run_tiles_class_init (DynoRunTilesClass *klass)
{
  signals[ACTIVATED] = g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, DYNO_TYPE_RESULT);
}

static void
dyno_run_tiles_init (DynoRunTiles *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "spacing", 12, "homogeneous", TRUE, "margin-top", SHADOW,
                                 "margin-bottom", SHADOW, "margin-start", SHADOW, "margin-end", SHADOW, NULL);
  GtkWidget *viewport = g_object_new (GTK_TYPE_VIEWPORT, "scroll-to-focus", TRUE, "child", box, NULL);
  GtkWidget *window = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "vscrollbar-policy", GTK_POLICY_NEVER,
                                    "hscrollbar-policy", GTK_POLICY_EXTERNAL, "child", viewport, NULL);

  self->box = GTK_BOX (box);
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (window));
  adw_bin_set_child (ADW_BIN (self), window);
}

void
dyno_run_tiles_set_run (DynoRunTiles *self, DynoRun *run)
{
  GtkWidget *focus;
  int focused = -1;
  g_autoptr (GPtrArray) tiles = NULL;

  g_return_if_fail (DYNO_IS_RUN_TILES (self));
  g_return_if_fail (DYNO_IS_RUN (run));

  /* During a run, the tiles are replaced while one of them may have the focus. */
  focus = dyno_focus_find_within (GTK_WIDGET (self->box));
  for (; focus != NULL; focus = gtk_widget_get_prev_sibling (focus))
    focused++;
  dyno_box_clear (self->box);
  tiles = dyno_run_summary_list_tiles (run);
  for (guint i = 0; i < tiles->len; i++)
    {
      GtkWidget *tile = tile_new (tiles->pdata[i]);

      g_signal_connect_object (tile, "clicked", G_CALLBACK (clicked_cb), self, G_CONNECT_SWAPPED);
      gtk_box_append (self->box, tile);
      if ((int)i == focused)
        gtk_widget_grab_focus (tile);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), tiles->len > 0);
}
