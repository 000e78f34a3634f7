/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"

#define N_CARDS 3

/* The first ones have cards, all are in the menu. */
static const struct
{
  const char *suite;
  const char *title;
} bundled_suites[] = {
  { "quick", N_ ("Quick") },
  { "llm", N_ ("Language Models") },
  { "vision", N_ ("Vision") },
  { "text", N_ ("Text") },
  { "speech", N_ ("Speech") },
  { "popular", N_ ("Popular") },
  { "all-families", N_ ("All Families") },
  { "every-backend", N_ ("Every Engine") },
  { "sustained", N_ ("Sustained") },
};

typedef struct
{
  GtkToggleButton *button;
  GtkLabel *models;
  GtkLabel *cases;
  char *title; /* of the plan, once it is read */
} Card;

struct _DynoSuiteCards
{
  AdwBin parent_instance;

  Card cards[N_CARDS];
  GtkMenuButton *suite_button;
  char *marked;
};

G_DEFINE_FINAL_TYPE (DynoSuiteCards, dyno_suite_cards, ADW_TYPE_BIN)

/* The suites, and the counts of those that have a card. */
typedef struct
{
  GMenu *menu;
  char *titles[N_CARDS];
  DynoPlanCount *counts[N_CARDS];
} Suites;

static void
suites_free (Suites *suites)
{
  g_object_unref (suites->menu);
  for (guint i = 0; i < N_CARDS; i++)
    {
      g_free (suites->titles[i]);
      g_clear_pointer (&suites->counts[i], dyno_plan_count_free);
    }
  g_free (suites);
}

static void
read_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_auto (GStrv) names = dyno_plan_list_bundled ();
  Suites *suites = g_new0 (Suites, 1);
  const char *machine = NULL;

  suites->menu = g_menu_new ();
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (DynoPlan) plan = dyno_plan_new_bundled (*name, NULL);
      g_autoptr (GMenuItem) item = g_menu_item_new (plan != NULL ? dyno_plan_get_title (plan) : *name, NULL);

      for (guint i = 0; i < G_N_ELEMENTS (bundled_suites); i++)
        if (g_str_equal (bundled_suites[i].suite, *name))
          g_menu_item_set_label (item, _ (bundled_suites[i].title));
      g_menu_item_set_action_and_target (item, "benchmark.load-suite", "s", *name);
      g_menu_append_item (suites->menu, item);
      for (guint i = 0; i < N_CARDS && plan != NULL; i++)
        if (g_str_equal (bundled_suites[i].suite, *name))
          {
            suites->titles[i] = g_strdup (dyno_plan_get_title (plan));
            suites->counts[i] = dyno_plan_count_new (plan, task_data, machine, NULL, NULL);
            if (suites->counts[i] != NULL)
              machine = suites->counts[i]->machine;
          }
    }
  g_task_return_pointer (task, suites, (GDestroyNotify)suites_free);
}

static void
show_card (Card *card, const DynoPlanCount *count)
{
  g_autoptr (GString) models = g_string_new (NULL);
  g_autofree char *text = dyno_plan_count_dup_text (count);
  g_autofree char *description = NULL;

  for (guint i = 0; i < count->parts->len; i++)
    g_string_append_printf (models, "%s%s", i > 0 ? ", " : "",
                            ((DynoPlanPart *)count->parts->pdata[i])->title);
  gtk_label_set_label (card->models, models->str);
  gtk_label_set_label (card->cases, text);
  description = g_strdup_printf ("%s\n%s", models->str, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (card->button), description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (card->button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description, -1);
}

static void
read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoSuiteCards *self = DYNO_SUITE_CARDS (object);
  Suites *suites = g_task_propagate_pointer (G_TASK (result), NULL);

  /* The window may have been closed. */
  if (self->suite_button != NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new ();
      g_autoptr (GMenu) files = g_menu_new ();
      g_autoptr (GMenu) reset = g_menu_new ();
      g_menu_append (files, _ ("_Open Suite…"), "benchmark.open-suite");
      g_menu_append (files, _ ("_Save as Suite…"), "benchmark.save-suite");
      g_menu_append (reset, _ ("_Reset to Defaults"), "benchmark.reset");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (suites->menu));
      g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
      g_menu_append_section (menu, NULL, G_MENU_MODEL (reset));
      gtk_menu_button_set_menu_model (self->suite_button, G_MENU_MODEL (menu));

      for (guint i = 0; i < N_CARDS; i++)
        if (suites->counts[i] != NULL)
          {
            g_free (self->cards[i].title);
            self->cards[i].title = g_steal_pointer (&suites->titles[i]);
            show_card (&self->cards[i], suites->counts[i]);
          }
      dyno_suite_cards_mark (self, self->marked);
    }
  suites_free (suites);
}

/* The mark follows the form, not the click. */
static void
clicked_cb (DynoSuiteCards *self, GtkToggleButton *button)
{
  for (guint i = 0; i < N_CARDS; i++)
    if (self->cards[i].button == button)
      {
        dyno_suite_cards_mark (self, self->marked);
        gtk_widget_activate_action (GTK_WIDGET (self), "benchmark.load-suite", "s", bundled_suites[i].suite);
      }
}

static GtkLabel *
append_label (GtkWidget *box, const char *text, guint n_lines, const char *class)
{
  GtkWidget *label =
      g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "max-width-chars", 15, "ellipsize",
                    PANGO_ELLIPSIZE_END, "wrap", n_lines > 1, "lines", n_lines, NULL);

  gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkWidget *
create_content (const char *title, GtkLabel **models, GtkLabel **cases)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 3,
                                 "hexpand", TRUE, NULL);

  append_label (box, title, 2, "heading");
  *models = append_label (box, " ", 1, "caption");
  *cases = append_label (box, " ", 2, "caption");
  gtk_widget_add_css_class (GTK_WIDGET (*models), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (*cases), "numeric");
  return box;
}

static void
insert (GtkFlowBox *box, GtkWidget *button)
{
  gtk_flow_box_insert (box, button, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE);
}

static void
dyno_suite_cards_dispose (GObject *object)
{
  DynoSuiteCards *self = DYNO_SUITE_CARDS (object);

  self->suite_button = NULL;
  adw_bin_set_child (ADW_BIN (self), NULL);

  G_OBJECT_CLASS (dyno_suite_cards_parent_class)->dispose (object);
}

static void
dyno_suite_cards_finalize (GObject *object)
{
  DynoSuiteCards *self = DYNO_SUITE_CARDS (object);

  for (guint i = 0; i < N_CARDS; i++)
    g_free (self->cards[i].title);
  g_free (self->marked);

  G_OBJECT_CLASS (dyno_suite_cards_parent_class)->finalize (object);
}

static void
dyno_suite_cards_class_init (DynoSuiteCardsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_suite_cards_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_suite_cards_finalize;
}

static void
dyno_suite_cards_init (DynoSuiteCards *self)
{
  GtkFlowBox *box = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE, "homogeneous",
                                  TRUE, "min-children-per-line", 1, "max-children-per-line", N_CARDS + 1,
                                  "column-spacing", 12, "row-spacing", 12, NULL);
  GtkLabel *models, *cases;
  GtkWidget *all;

  for (guint i = 0; i < N_CARDS; i++)
    {
      Card *card = &self->cards[i];
      GtkWidget *content = create_content (_ (bundled_suites[i].title), &card->models, &card->cases);

      card->button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "child", content, NULL);
      gtk_accessible_update_property (GTK_ACCESSIBLE (card->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ (bundled_suites[i].title), -1);
      g_signal_connect_object (card->button, "clicked", G_CALLBACK (clicked_cb), self, G_CONNECT_SWAPPED);
      insert (box, GTK_WIDGET (card->button));
    }
  all = create_content (_ ("All…"), &models, &cases);
  self->suite_button = g_object_new (GTK_TYPE_MENU_BUTTON, "child", all, "tooltip-text",
                                     _ ("All suites, and your own in files"), NULL);
  /* A menu button centres its child. */
  gtk_widget_set_halign (gtk_widget_get_parent (all), GTK_ALIGN_FILL);
  gtk_label_set_label (models, _ ("Speech, text, popular models"));
  gtk_label_set_label (cases, _ ("Open or save a suite"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->suite_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("All Suites"), -1);
  insert (box, GTK_WIDGET (self->suite_button));
  gtk_widget_add_css_class (GTK_WIDGET (box), "dyno-suites");
  gtk_accessible_update_property (GTK_ACCESSIBLE (box), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Suites"), -1);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (box));
}

void
dyno_suite_cards_read (DynoSuiteCards *self, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_SUITE_CARDS (self));
  g_return_if_fail (store == NULL || DYNO_IS_STORE (store));

  dyno_thread_task_run (self, NULL, read_thread, store != NULL ? g_object_ref (store) : NULL,
                        store != NULL ? g_object_unref : NULL, read_cb);
}

void
dyno_suite_cards_mark (DynoSuiteCards *self, const char *title)
{
  g_return_if_fail (DYNO_IS_SUITE_CARDS (self));

  if (title != self->marked)
    {
      g_free (self->marked);
      self->marked = g_strdup (title);
    }
  for (guint i = 0; i < N_CARDS; i++)
    gtk_toggle_button_set_active (self->cards[i].button,
                                  title != NULL && g_strcmp0 (self->cards[i].title, title) == 0);
}
