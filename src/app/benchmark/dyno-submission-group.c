/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"

struct _DynoSubmissionGroup
{
  AdwPreferencesGroup parent_instance;

  GListModel *model;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (DynoSubmissionGroup, dyno_submission_group, ADW_TYPE_PREFERENCES_GROUP)

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  DynoClusterProgress *progress = item;
  const char *title = dyno_cluster_progress_get_title (progress);
  g_autofree char *place = dyno_cluster_driver_dup_label (dyno_cluster_progress_get_job (progress)->target);
  g_autofree char *counts = dyno_submission_page_dup_counts (progress);
  /* Translators: where the work was sent, and how many of its tasks are in which state */
  g_autofree char *subtitle = g_strdup_printf (_ ("%s · %s"), place, counts);
  GtkWidget *row =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                    title != NULL && *title != '\0' ? title : _ ("Untitled Run"), "subtitle", subtitle,
                    "activatable", TRUE, "action-name", "benchmark.show-submission", NULL);

  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", dyno_cluster_progress_get_id (progress));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  return row;
}

static void
items_changed_cb (DynoSubmissionGroup *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), g_list_model_get_n_items (self->model) > 0);
}

static void
dyno_submission_group_dispose (GObject *object)
{
  DynoSubmissionGroup *self = DYNO_SUBMISSION_GROUP (object);

  g_clear_object (&self->model);

  G_OBJECT_CLASS (dyno_submission_group_parent_class)->dispose (object);
}

static void
dyno_submission_group_class_init (DynoSubmissionGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_submission_group_dispose;
}

static void
dyno_submission_group_init (DynoSubmissionGroup *self)
{
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("On other machines"), -1);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _ ("On Other Machines"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->list));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
dyno_submission_group_set_follower (DynoSubmissionGroup *self, DynoClusterFollower *follower)
{
  g_return_if_fail (DYNO_IS_SUBMISSION_GROUP (self));
  g_return_if_fail (DYNO_IS_CLUSTER_FOLLOWER (follower));

  if (!g_set_object (&self->model, dyno_cluster_follower_get_model (follower)))
    return;
  gtk_list_box_bind_model (self->list, self->model, create_row, NULL, NULL);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED);
  items_changed_cb (self);
}
