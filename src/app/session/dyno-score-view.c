/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-score.h"

/* Of what the score is of; a tooltip has the rest. */
#define MAX_LINES 2

struct _DynoScoreView
{
  AdwBin parent_instance;

  GtkLabel *question;
  GtkLabel *answer;
  GtkLabel *scope;
  GtkWidget *button;
  DynoRun *run;
};

enum
{
  PROP_0,
  PROP_RUN,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoScoreView, dyno_score_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

static void
show_score (DynoScoreView *self, const DynoScore *score)
{
  g_autofree char *answer = score != NULL ? dyno_score_dup_answer (score) : NULL;
  g_autofree char *scope = score != NULL ? dyno_score_dup_scope (score) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), score != NULL);
  gtk_label_set_label (self->answer, answer != NULL ? answer : "");
  gtk_label_set_label (self->scope, scope != NULL ? scope : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->scope), scope);
  /* The results to which the button leads say what the score is of. */
  gtk_widget_set_visible (GTK_WIDGET (self->scope), scope != NULL && !gtk_widget_get_visible (self->button));
  if (score != NULL)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->button), "s", score->run_id);
}

static void
dyno_score_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_RUN:
      g_value_set_object (value, DYNO_SCORE_VIEW (object)->run);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_score_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoScoreView *self = DYNO_SCORE_VIEW (object);
  g_autoptr (DynoScore) score = NULL;

  switch (prop_id)
    {
    case PROP_RUN:
      if (!g_set_object (&self->run, g_value_get_object (value)))
        break;
      score = self->run != NULL && !dyno_run_is_running (self->run)
                  ? dyno_score_new (self->run, dyno_reference_get_bundled ())
                  : NULL;
      show_score (self, score);
      g_object_notify_by_pspec (object, properties[PROP_RUN]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_score_view_dispose (GObject *object)
{
  g_clear_object (&DYNO_SCORE_VIEW (object)->run);

  G_OBJECT_CLASS (dyno_score_view_parent_class)->dispose (object);
}

static void
dyno_score_view_class_init (DynoScoreViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_score_view_dispose;
  object_class->get_property = dyno_score_view_get_property;
  object_class->set_property = dyno_score_view_set_property;

  properties[PROP_RUN] = g_param_spec_object (
      "run", NULL, NULL, DYNO_TYPE_RUN, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static GtkLabel *
add_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign",
                                   0.0, "hexpand", TRUE, NULL);

  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
dyno_score_view_init (DynoScoreView *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  gtk_widget_add_css_class (row, "card");
  gtk_widget_add_css_class (row, "dyno-score");
  self->question = add_label (words, "caption");
  gtk_label_set_label (self->question, _ ("How Fast Is This Computer?"));
  gtk_widget_set_visible (GTK_WIDGET (self->question), FALSE);
  self->answer = add_label (words, "heading");
  self->scope = add_label (words, "dim-label");
  gtk_label_set_lines (self->scope, MAX_LINES);
  gtk_label_set_ellipsize (self->scope, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->scope), "caption");
  gtk_box_append (GTK_BOX (row), words);
  self->button = dyno_icon_button_new ("go-next-symbolic", _ ("Show This Run"));
  gtk_widget_set_visible (self->button, FALSE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->button), "s", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), "app.show-run");
  gtk_box_append (GTK_BOX (row), self->button);
  adw_bin_set_child (ADW_BIN (self), row);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
find_newest (GTask *task, gpointer source, gpointer store, GCancellable *cancellable)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;
  g_autofree char *text = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;

  g_task_return_pointer (
      task, text != NULL ? dyno_score_find_newest (store, text, dyno_reference_get_bundled ()) : NULL,
      (GDestroyNotify)dyno_score_free);
}

static void
newest_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (DynoScore) score = g_task_propagate_pointer (G_TASK (result), NULL);

  show_score (DYNO_SCORE_VIEW (object), score);
}

void
dyno_score_view_show_newest (DynoScoreView *self, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_SCORE_VIEW (self));
  g_return_if_fail (DYNO_IS_STORE (store));

  gtk_widget_set_visible (GTK_WIDGET (self->question), TRUE);
  gtk_widget_set_visible (self->button, TRUE);
  dyno_thread_task_run (self, NULL, find_newest, g_object_ref (store), g_object_unref, newest_cb);
}
