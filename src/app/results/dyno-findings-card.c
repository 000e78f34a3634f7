/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-results-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-run-summary.h"

struct _DynoFindingsCard
{
  AdwBin parent_instance;

  GtkBox *rows;
  GtkWidget *answer;
  DynoRun *run;
  gboolean narrow;
};

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoFindingsCard, dyno_findings_card, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* Not a list box: in rows that take no focus, it would keep Tab from reaching the buttons. */
static GtkBox *
add_row (GtkBox *rows)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  if (gtk_widget_get_first_child (GTK_WIDGET (rows)) != NULL)
    gtk_box_append (rows, gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_widget_add_css_class (row, "dyno-finding");
  gtk_box_append (rows, row);
  return GTK_BOX (row);
}

static GtkWidget *
create_sentence (const char *sentence)
{
  return g_object_new (GTK_TYPE_LABEL, "label", sentence, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR,
                       "xalign", 0.0, "hexpand", TRUE, NULL);
}

static GtkWidget *
add_finding (GtkBox *rows, const char *sentence)
{
  GtkWidget *label = create_sentence (sentence);

  gtk_box_append (add_row (rows), label);
  return label;
}

static char *
dup_rates (DynoFindingsCard *self)
{
  g_auto (GStrv) rates = dyno_run_summary_dup_rates (self->run);

  return g_strjoinv ("\n", rates);
}

/* Findings beside the answer are folded, because a picture belongs on the first screen. */
static void
add_findings (DynoFindingsCard *self, char **findings)
{
  GtkWidget *rest, *more;
  GtkBox *box;

  if (self->answer == NULL || *findings == NULL)
    {
      for (char **finding = findings; *finding != NULL; finding++)
        add_finding (self->rows, *finding);
      return;
    }
  more = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "label", _ ("_More"), "use-underline", TRUE, "halign",
                       GTK_ALIGN_START, NULL);
  gtk_widget_add_css_class (more, "flat");
  rest = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  for (char **finding = findings; *finding != NULL; finding++)
    add_finding (GTK_BOX (rest), *finding);
  box = add_row (self->rows);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (box), GTK_ORIENTATION_VERTICAL);
  gtk_box_append (box, more);
  gtk_box_append (box, rest);
  g_object_bind_property (more, "active", rest, "visible", G_BINDING_SYNC_CREATE);
}

/* In a narrow view, the button is below the sentence. */
static void
follow_narrow (DynoFindingsCard *self, GParamSpec *pspec, GtkBox *box)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (box),
                                  self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

static void
add_remark (
    DynoFindingsCard *self, const char *sentence, gboolean is_warning, const char *label, const char *action)
{
  GtkBox *box;
  GtkWidget *words, *icon, *button;

  if (sentence == NULL)
    return;
  box = add_row (self->rows);
  words = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  icon = g_object_new (GTK_TYPE_IMAGE, "icon-name",
                       is_warning ? "dialog-warning-symbolic" : "dialog-information-symbolic",
                       "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  gtk_widget_add_css_class (icon, is_warning ? "warning" : "dim-label");
  gtk_box_append (GTK_BOX (words), icon);
  gtk_box_append (GTK_BOX (words), create_sentence (sentence));
  gtk_box_append (box, words);
  if (action == NULL)
    return;
  button = g_object_new (GTK_TYPE_BUTTON, "label", label, "use-underline", TRUE, "valign", GTK_ALIGN_CENTER,
                         "action-name", action, NULL);
  g_object_set (gtk_button_get_child (GTK_BUTTON (button)), "wrap", TRUE, "justify", GTK_JUSTIFY_CENTER,
                NULL);
  gtk_box_append (box, button);
  follow_narrow (self, NULL, box);
  g_signal_connect_object (self, "notify::narrow", G_CALLBACK (follow_narrow), box, 0);
}

static void
dyno_findings_card_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, DYNO_FINDINGS_CARD (object)->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_findings_card_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoFindingsCard *self = DYNO_FINDINGS_CARD (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      if (self->narrow != g_value_get_boolean (value))
        {
          self->narrow = g_value_get_boolean (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_findings_card_dispose (GObject *object)
{
  g_clear_object (&DYNO_FINDINGS_CARD (object)->run);

  G_OBJECT_CLASS (dyno_findings_card_parent_class)->dispose (object);
}

static void
dyno_findings_card_class_init (DynoFindingsCardClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_findings_card_dispose;
  object_class->get_property = dyno_findings_card_get_property;
  object_class->set_property = dyno_findings_card_set_property;

  properties[PROP_NARROW] = g_param_spec_boolean (
      "narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_findings_card_init (DynoFindingsCard *self)
{
  self->rows = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Summary"),
                                  -1);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->rows));
}

static void
find_winner (GTask *task, gpointer source, gpointer run, GCancellable *cancellable)
{
  g_task_return_pointer (task, dyno_run_summary_dup_winner (run), g_free);
}

static void
winner_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoFindingsCard *self = DYNO_FINDINGS_CARD (object);
  g_autofree char *winner = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *rates = NULL;

  if (self->run != g_task_get_task_data (G_TASK (result)) || self->answer == NULL)
    return;
  rates = dup_rates (self);
  gtk_label_set_label (GTK_LABEL (self->answer), winner != NULL ? winner : rates);
}

/* The winner is the answer, otherwise the rates are. Resampling takes a while, so its place is reserved. */
static void
add_answer (DynoFindingsCard *self)
{
  g_autofree char *rates = dup_rates (self);
  gboolean has_alternatives = dyno_run_summary_has_alternatives (self->run);

  self->answer = NULL;
  if (*rates == '\0')
    return;
  self->answer = add_finding (self->rows, has_alternatives ? _ ("Comparing…") : rates);
  if (has_alternatives)
    dyno_thread_task_run (self, NULL, find_winner, g_object_ref (self->run), g_object_unref, winner_cb);
}

void
dyno_findings_card_set_run (DynoFindingsCard *self, DynoRun *run, gboolean repeatable)
{
  g_auto (GStrv) findings = NULL;
  g_autofree char *doubt = NULL;
  g_autofree char *rough = NULL;
  g_autofree char *interruption = NULL;
  const char *again = repeatable ? "run.measure-again" : NULL;
  GtkWidget *row;

  g_return_if_fail (DYNO_IS_FINDINGS_CARD (self));
  g_return_if_fail (DYNO_IS_RUN (run));

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->rows))) != NULL)
    gtk_box_remove (self->rows, row);
  g_set_object (&self->run, run);
  add_answer (self);
  findings = dyno_run_summary_dup_findings (run);
  doubt = dyno_run_summary_dup_doubt (run);
  interruption = dyno_run_summary_dup_interruption (run);
  add_findings (self, findings);
  rough = dyno_run_summary_dup_rough (run);
  add_remark (self, interruption, TRUE, _ ("Run Re_maining Cases"), repeatable ? "run.run-remaining" : NULL);
  add_remark (self, doubt, TRUE, _ ("Measure These _Again"), again);
  add_remark (self, rough, FALSE, _ ("Measure These _Again"), doubt == NULL ? again : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), gtk_widget_get_first_child (GTK_WIDGET (self->rows)) != NULL);
}
