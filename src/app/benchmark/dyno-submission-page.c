/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-task-group.h"

struct _DynoSubmissionPage
{
  AdwBin parent_instance;

  DynoClusterFollower *follower;
  DynoClusterProgress *progress;
  GPtrArray *labels; /* of the cases */
  char *id;

  GtkStack *stack;
  GtkLabel *title_label;
  GtkLabel *place_label;
  GtkLabel *counts_label;
  GtkWidget *problem_box;
  GtkLabel *problem_label;
  DynoNodeGrid *grid;
  AdwPreferencesGroup *reasons_group;
  GtkListBox *reasons_list;
  GtkWidget *stop_button;
};

enum
{
  SHOW_RESULTS,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoSubmissionPage, dyno_submission_page, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

char *
dyno_submission_page_dup_counts (DynoClusterProgress *progress)
{
  const DynoClusterJob *job = dyno_cluster_progress_get_job (progress);
  g_autoptr (GString) text = g_string_new (NULL);

  for (DynoTaskState state = DYNO_TASK_WAITING; state <= DYNO_TASK_LOST; state++)
    {
      guint n = 0;

      for (guint i = 0; i < job->tasks->len; i++)
        n += ((const DynoClusterTask *)job->tasks->pdata[i])->state == state;
      if (n > 0)
        g_string_append_printf (text, "%s%u %s", text->len > 0 ? " · " : "", n,
                                dyno_task_state_get_label (state));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GArray *
create_nodes (DynoSubmissionPage *self)
{
  const DynoClusterJob *job = dyno_cluster_progress_get_job (self->progress);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (DynoGridNode));

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];
      DynoGridNode node = {
        .name = task->node,
        .state = dyno_task_state_get_label (task->state),
        .reason = task->reason,
        .run = dyno_cluster_progress_get_run (self->progress, i),
        .cases = (const char *const *)task->cases,
      };

      g_array_append_val (nodes, node);
    }
  return nodes;
}

/* Lists why tasks wait or have failed; whole sentences do not fit beside a name. */
static void
show_reasons (DynoSubmissionPage *self)
{
  const DynoClusterJob *job = dyno_cluster_progress_get_job (self->progress);
  g_autoptr (GPtrArray) groups = dyno_task_groups_new ();
  g_autofree char *logs = dyno_cluster_job_dup_logs (job);
  g_autofree char *description = logs != NULL ? g_markup_escape_text (logs, -1) : NULL;

  dyno_list_box_clear (self->reasons_list);
  for (guint i = 0; i < job->tasks->len; i++)
    if (((const DynoClusterTask *)job->tasks->pdata[i])->reason != NULL)
      dyno_task_groups_add (groups, job->tasks->pdata[i]);
  for (guint i = 0; i < groups->len; i++)
    {
      const DynoTaskGroup *group = groups->pdata[i];
      g_autofree char *nodes = dyno_task_group_dup_nodes (group);

      gtk_list_box_append (self->reasons_list,
                           g_object_new (ADW_TYPE_ACTION_ROW, "title", nodes, "title-lines", 0, "subtitle",
                                         group->reason, "use-markup", FALSE, "subtitle-lines", 0, NULL));
    }
  adw_preferences_group_set_description (self->reasons_group, description);
  gtk_widget_set_visible (GTK_WIDGET (self->reasons_group), groups->len > 0);
}

/* A single run is shown itself, several as their submission. */
static const char *
find_results (DynoSubmissionPage *self)
{
  guint n_tasks = dyno_cluster_progress_get_job (self->progress)->tasks->len;
  const char *id = NULL;

  for (guint i = 0; i < n_tasks; i++)
    {
      DynoRun *run = dyno_cluster_progress_get_run (self->progress, i);

      if (run != NULL && id != NULL)
        return self->id;
      if (run != NULL)
        id = dyno_run_get_id (run);
    }
  return id;
}

static void
update_cb (DynoSubmissionPage *self)
{
  g_autoptr (DynoClusterProgress) progress =
      self->id != NULL ? dyno_cluster_follower_find (self->follower, self->id) : NULL;
  gboolean was_open = self->progress != NULL && dyno_cluster_progress_is_open (self->progress);

  if (progress == NULL || !g_set_object (&self->progress, progress))
    return;

  const DynoClusterJob *job = dyno_cluster_progress_get_job (self->progress);
  const char *title = dyno_cluster_progress_get_title (self->progress);
  const char *problem = dyno_cluster_progress_get_problem (self->progress);
  g_autofree char *target = dyno_cluster_driver_dup_label (job->target);
  g_autofree char *counts = dyno_submission_page_dup_counts (self->progress);
  g_autofree char *place = g_strdup_printf (
      /* Translators: where the work was sent, and how many nodes measure it */
      ngettext ("%s · %u node", "%s · %u nodes", job->tasks->len), target, job->tasks->len);
  gtk_label_set_label (self->title_label, title != NULL && *title != '\0' ? title : _ ("Untitled Run"));
  gtk_label_set_label (self->place_label, place);
  gtk_label_set_label (self->counts_label, counts);
  gtk_label_set_label (self->problem_label, problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem_box, problem != NULL);

  GPtrArray *cases = dyno_cluster_progress_get_cases (self->progress);
  g_autoptr (GArray) nodes = create_nodes (self);
  if (self->labels == NULL)
    {
      self->labels = g_ptr_array_new_with_free_func (g_free);
      for (guint i = 0; i < cases->len; i++)
        g_ptr_array_add (self->labels, dyno_case_dup_label (cases->pdata[i]));
    }
  dyno_node_grid_show (self->grid, self->labels, nodes);

  show_reasons (self);
  gtk_widget_set_visible (self->stop_button, dyno_cluster_progress_is_open (progress));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "submission.show-results", find_results (self) != NULL);

  /* Translators: %s counts tasks on other machines, such as “2 done · 1 failed” */
  g_autofree char *sentence = g_strdup_printf (_ ("The submission has ended: %s"), counts);
  if (was_open && !dyno_cluster_progress_is_open (self->progress))
    dyno_announce (GTK_WIDGET (self), sentence);
}

/* While the page is visible, updates should come sooner. */
static void
mapped_cb (DynoSubmissionPage *self)
{
  if (self->follower != NULL)
    dyno_cluster_follower_set_watched (self->follower, gtk_widget_get_mapped (GTK_WIDGET (self)));
}

static void
stop_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoSubmissionPage *self = DYNO_SUBMISSION_PAGE (widget);

  if (self->id != NULL)
    dyno_cluster_follower_cancel (self->follower, self->id);
}

static void
show_results_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoSubmissionPage *self = DYNO_SUBMISSION_PAGE (widget);

  g_signal_emit (self, signals[SHOW_RESULTS], 0, find_results (self));
}

static void
activated_cb (DynoSubmissionPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "submission.show-results", NULL);
}

static void
clear (DynoSubmissionPage *self)
{
  if (self->follower != NULL)
    g_signal_handlers_disconnect_by_data (dyno_cluster_follower_get_model (self->follower), self);
  g_clear_object (&self->follower);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->id, g_free);
}

static void
dyno_submission_page_dispose (GObject *object)
{
  DynoSubmissionPage *self = DYNO_SUBMISSION_PAGE (object);

  clear (self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_SUBMISSION_PAGE);

  G_OBJECT_CLASS (dyno_submission_page_parent_class)->dispose (object);
}

static void
dyno_submission_page_class_init (DynoSubmissionPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_submission_page_dispose;

  signals[SHOW_RESULTS] = g_signal_new ("show-results", DYNO_TYPE_SUBMISSION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (DYNO_TYPE_NODE_GRID);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-submission-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, title_label);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, place_label);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, counts_label);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, problem_box);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, problem_label);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, grid);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, reasons_group);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, reasons_list);
  gtk_widget_class_bind_template_child (widget_class, DynoSubmissionPage, stop_button);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_install_action (widget_class, "submission.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "submission.show-results", NULL, show_results_action);
}

static void
dyno_submission_page_init (DynoSubmissionPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_double_click_guard (self->stop_button);
  g_signal_connect (self, "map", G_CALLBACK (mapped_cb), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (mapped_cb), NULL);
}

void
dyno_submission_page_begin (DynoSubmissionPage *self)
{
  g_return_if_fail (DYNO_IS_SUBMISSION_PAGE (self));

  gtk_stack_set_visible_child_name (self->stack, "asking");
}

void
dyno_submission_page_show (DynoSubmissionPage *self, DynoClusterFollower *follower, const char *id)
{
  g_return_if_fail (DYNO_IS_SUBMISSION_PAGE (self));
  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (follower));

  clear (self);
  self->follower = g_object_ref (follower);
  self->id = g_strdup (id);
  g_signal_connect_object (dyno_cluster_follower_get_model (follower), "items-changed",
                           G_CALLBACK (update_cb), self, G_CONNECT_SWAPPED);
  gtk_stack_set_visible_child_name (self->stack, "tasks");
  update_cb (self);
  mapped_cb (self);
}

void
dyno_submission_page_leave_ended (DynoSubmissionPage *self)
{
  g_return_if_fail (DYNO_IS_SUBMISSION_PAGE (self));

  if (self->progress != NULL && !dyno_cluster_progress_is_open (self->progress))
    dyno_cluster_follower_leave (self->follower, self->id);
}
