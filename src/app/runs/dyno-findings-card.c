/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-grade.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* The sentence before the rest is unfolded has this many lines at most. */
#define FOLDED_LINES 2

struct _DynoFindingsCard
{
  AdwBin parent_instance;

  GtkBox *rows;
  GtkLabel *answer;
  GtkLabel *doubt;
  DynoRun *run;
  gboolean is_unfolded;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (DynoFindingsCard, dyno_findings_card, ADW_TYPE_BIN)

/* Not a list box: in rows that take no focus, it would keep Tab from reaching the buttons. */
static GtkBox *
add_row (DynoFindingsCard *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_box_append (self->rows, row);
  return GTK_BOX (row);
}

static GtkWidget *
create_sentence (const char *sentence)
{
  return g_object_new (GTK_TYPE_LABEL, "label", sentence, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR,
                       "xalign", 0.0, "hexpand", TRUE, NULL);
}

/* Only with an answer is there a button that unfolds. */
static void
fold (DynoFindingsCard *self, GtkLabel *label)
{
  gboolean folded = self->answer != NULL && !self->is_unfolded;

  gtk_label_set_lines (label, folded ? FOLDED_LINES : -1);
  gtk_label_set_ellipsize (label, folded ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
}

static void
unfolded_cb (DynoFindingsCard *self, GParamSpec *pspec, GtkToggleButton *more)
{
  self->is_unfolded = gtk_toggle_button_get_active (more);
  fold (self, self->answer);
  if (self->doubt != NULL)
    fold (self, self->doubt);
}

/* One sentence is shown, the others are folded, because a picture belongs on the first screen. */
static void
add_findings (DynoFindingsCard *self, const char *answer, char **findings)
{
  GtkBox *row = add_row (self);
  GtkWidget *rest = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  guint n_cases = dyno_run_get_n_cases (self->run);
  double seconds =
      (dyno_run_get_finished_at (self->run) - dyno_run_get_started_at (self->run)) / (double)G_USEC_PER_SEC;
  g_autofree char *cases = g_strdup_printf (ngettext ("%u case", "%u cases", n_cases), n_cases);
  g_autofree char *outcome = dyno_run_dup_outcome (self->run);
  g_autofree char *duration = seconds > 0 ? dyno_unit_format_duration (seconds) : NULL;
  /* Says how much was measured, how long that took, and how well. */
  g_autofree char *extent = g_strjoin (" · ", cases, duration != NULL ? duration : outcome,
                                       duration != NULL ? outcome : NULL, NULL);
  const char *notes = dyno_run_get_notes (self->run);
  GtkWidget *more = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "label", _ ("_More"), "use-underline", TRUE,
                                  "valign", GTK_ALIGN_CENTER, "active", self->is_unfolded, NULL);

  self->answer = GTK_LABEL (create_sentence (answer));
  gtk_box_append (row, GTK_WIDGET (self->answer));
  for (char **finding = findings; *finding != NULL; finding++)
    if (g_strcmp0 (*finding, answer) != 0)
      gtk_box_append (GTK_BOX (rest), create_sentence (*finding));
  if (notes != NULL && *notes != '\0')
    gtk_box_append (GTK_BOX (rest), create_sentence (notes));
  gtk_box_append (GTK_BOX (rest), create_sentence (extent));
  gtk_widget_add_css_class (gtk_widget_get_last_child (rest), "dim-label");
  gtk_widget_add_css_class (more, "flat");
  gtk_box_append (row, more);
  gtk_box_append (self->rows, rest);
  g_object_bind_property (more, "active", rest, "visible", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (more, "notify::active", G_CALLBACK (unfolded_cb), self, G_CONNECT_SWAPPED);
  unfolded_cb (self, NULL, GTK_TOGGLE_BUTTON (more));
}

/* Beside a button, a narrow window has no room for a sentence. */
static void
place_button (DynoFindingsCard *self, GtkWidget *row)
{
  GtkWidget *button = gtk_widget_get_last_child (row);

  if (!GTK_IS_BUTTON (button) || GTK_IS_TOGGLE_BUTTON (button))
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (row),
                                  self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_halign (button, self->narrow ? GTK_ALIGN_START : GTK_ALIGN_FILL);
  gtk_box_set_spacing (GTK_BOX (row), self->narrow ? 6 : 12);
}

static GtkLabel *
add_remark (
    DynoFindingsCard *self, const char *sentence, gboolean is_warning, const char *label, const char *action)
{
  GtkBox *row;
  GtkWidget *icon, *button, *words, *line;

  if (sentence == NULL)
    return NULL;
  row = add_row (self);
  line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append (row, line);
  icon = g_object_new (GTK_TYPE_IMAGE, "icon-name",
                       is_warning ? "dialog-warning-symbolic" : "dialog-information-symbolic",
                       "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  gtk_widget_add_css_class (icon, is_warning ? "warning" : "dim-label");
  gtk_box_append (GTK_BOX (line), icon);
  words = create_sentence (sentence);
  gtk_box_append (GTK_BOX (line), words);
  if (action == NULL)
    return GTK_LABEL (words);
  button = g_object_new (GTK_TYPE_BUTTON, "label", label, "use-underline", TRUE, "valign", GTK_ALIGN_CENTER,
                         "action-name", action, NULL);
  g_object_set (gtk_button_get_child (GTK_BUTTON (button)), "wrap", TRUE, "justify", GTK_JUSTIFY_CENTER,
                NULL);
  gtk_box_append (row, button);
  place_button (self, GTK_WIDGET (row));
  return GTK_LABEL (words);
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
  G_OBJECT_CLASS (klass)->dispose = dyno_findings_card_dispose;
}

static void
dyno_findings_card_init (DynoFindingsCard *self)
{
  self->rows = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Summary"),
                                  -1);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->rows));
}

static void
find_winner (GTask *task, gpointer source, gpointer run, GCancellable *cancellable)
{
  g_task_return_pointer (task, dyno_run_summary_dup_winner (run), g_free);
}

/* Returns the sentence to show first where alternatives do not have a winner. */
static char *
dup_answer (DynoRun *run, char **findings)
{
  char *longest = dyno_run_summary_dup_longest (run);

  return longest != NULL ? longest : g_strdup (*findings);
}

static void
winner_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoFindingsCard *self = DYNO_FINDINGS_CARD (object);
  g_autofree char *winner = g_task_propagate_pointer (G_TASK (result), NULL);
  g_auto (GStrv) findings = NULL;
  g_autofree char *answer = NULL;

  if (self->run != g_task_get_task_data (G_TASK (result)) || self->answer == NULL)
    return;
  if (winner == NULL)
    {
      findings = dyno_run_summary_dup_findings (self->run);
      answer = dup_answer (self->run, findings);
    }
  gtk_label_set_label (self->answer, winner != NULL ? winner : answer);
}

void
dyno_findings_card_set_run (DynoFindingsCard *self, DynoRun *run, gboolean repeatable, gboolean is_live)
{
  g_return_if_fail (DYNO_IS_FINDINGS_CARD (self));
  g_return_if_fail (DYNO_IS_RUN (run));

  dyno_box_clear (self->rows);
  if (g_set_object (&self->run, run))
    self->is_unfolded = FALSE;

  /* The winner is the answer. Resampling takes a while, so its place is reserved. While cases are measured, it would
   * take time from them, and a runner changes results that the thread reads. */
  g_auto (GStrv) findings = dyno_run_summary_dup_findings (run);
  g_autofree char *answer = dup_answer (run, findings);
  self->answer = self->doubt = NULL;
  if (dyno_run_summary_has_alternatives (run) && !dyno_run_is_running (run) && !is_live)
    {
      add_findings (self, _ ("Comparing…"), findings);
      dyno_thread_task_run (self, NULL, find_winner, g_object_ref (run), g_object_unref, winner_cb);
    }
  else if (answer != NULL)
    add_findings (self, answer, findings);

  g_autofree char *interruption = dyno_run_summary_dup_interruption (run);
  add_remark (self, interruption, TRUE, _ ("Run Re_maining Cases"), repeatable ? "run.run-remaining" : NULL);

  /* One remark says which numbers are missing or not to trust, the worst first. */
  g_autofree char *failed = dyno_run_summary_dup_failed (run);
  g_autofree char *doubt = dyno_run_summary_dup_doubt (run);
  g_autofree char *rough = doubt == NULL ? dyno_run_summary_dup_rough (run) : NULL;
  const char *reason = doubt != NULL ? doubt : rough;
  g_autofree char *both = failed != NULL && reason != NULL ? g_strjoin (" ", reason, failed, NULL) : NULL;
  const char *sentence = both != NULL ? both : reason != NULL ? reason : failed;
  self->doubt = add_remark (self, sentence, sentence != rough, _ ("Measure _Again When Idle"),
                            repeatable && reason != NULL ? "run.measure-again" : NULL);
  if (self->doubt != NULL)
    fold (self, self->doubt);
  gtk_widget_set_visible (GTK_WIDGET (self), gtk_widget_get_first_child (GTK_WIDGET (self->rows)) != NULL);
}

void
dyno_findings_card_set_narrow (DynoFindingsCard *self, gboolean narrow)
{
  g_return_if_fail (DYNO_IS_FINDINGS_CARD (self));

  self->narrow = narrow;
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    place_button (self, row);
}
