/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoQueueGroup
{
  AdwPreferencesGroup parent_instance;

  DynoAppSession *session;
  guint reload_id;
  GtkListBox *list;
  GtkWidget *show_button;
  GtkWidget *start_button;
};

G_DEFINE_FINAL_TYPE (DynoQueueGroup, dyno_queue_group, ADW_TYPE_PREFERENCES_GROUP)

/* The controls of a row, by which the focus finds its way back. */
static const char *const parts[] = { "up", "down", "more" };

static void
changed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) group = user_data;
  g_autoptr (GError) error = NULL;

  if (!dyno_app_session_change_queue_finish (DYNO_APP_SESSION (object), result, &error))
    dyno_toast_report_error (group, _ ("The queue cannot be changed"), error);
}

static void
change_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  const char *id, *change;

  g_variant_get (parameter, "(&s&s)", &id, &change);
  dyno_app_session_change_queue_async (DYNO_QUEUE_GROUP (widget)->session, id, change, changed_cb,
                                       g_object_ref (widget));
}

static void
start_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoQueueGroup *self = DYNO_QUEUE_GROUP (widget);
  g_autoptr (GError) error = NULL;

  if (!dyno_app_session_start_queue (self->session, &error) && error != NULL)
    dyno_toast_report_error (widget, _ ("The queue cannot start"), error);
}

static GtkWidget *
find_focused_row (DynoQueueGroup *self)
{
  GtkWidget *focus = dyno_focus_find_within (GTK_WIDGET (self->list));

  return focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;
}

/* A run cannot be moved by keys where its button cannot move it. */
static gboolean
key_cb (GtkWidget *widget, GVariant *change, gpointer user_data)
{
  GtkWidget *row = find_focused_row (DYNO_QUEUE_GROUP (widget));
  const char *name = g_variant_get_string (change, NULL);
  GtkWidget *button = row != NULL ? g_object_get_data (G_OBJECT (row), name) : NULL;

  if (row == NULL)
    return FALSE;
  if (button == NULL || gtk_widget_is_sensitive (button))
    gtk_widget_activate_action (row, "queue.change", "(ss)", g_object_get_data (G_OBJECT (row), "id"), name);
  return TRUE;
}

/* Rows */

static void
priority_cb (GtkWidget *row, GVariant *priority)
{
  const char *id = g_object_get_data (G_OBJECT (row), "id");

  gtk_widget_activate_action (row, "queue.change", "(ss)", id, g_variant_get_string (priority, NULL));
}

/* @neighbour (nullable): the run that it changes places with. */
static void
add_move (GtkWidget *row,
          const DynoQueuedRun *run,
          const DynoQueuedRun *neighbour,
          const char *change,
          const char *icon_name,
          const char *name)
{
  GtkWidget *button = dyno_icon_button_new (icon_name, name);
  gboolean can_move = neighbour != NULL && neighbour->priority == run->priority;

  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", run->id, change);
  if (can_move)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "queue.change");
  gtk_widget_set_sensitive (button, can_move);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  g_object_set_data (G_OBJECT (row), change, button);
}

static GtkWidget *
create_menu_button (GtkWidget *row, const DynoQueuedRun *run, const char *name)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  const char *priority = dyno_queue_priority_to_string (run->priority);
  g_autoptr (GSimpleAction) action =
      g_simple_action_new_stateful ("priority", G_VARIANT_TYPE_STRING, g_variant_new_string (priority));
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuItem) item = g_menu_item_new (_ ("_Remove From the Queue"), NULL);
  GtkWidget *button = g_object_new (GTK_TYPE_MENU_BUTTON, "icon-name", "view-more-symbolic", "valign",
                                    GTK_ALIGN_CENTER, "tooltip-text", name, NULL);

  g_signal_connect_object (action, "change-state", G_CALLBACK (priority_cb), row, G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (row, "queued", G_ACTION_GROUP (group));
  for (guint i = 0; i < DYNO_N_QUEUE_PRIORITIES; i++)
    {
      g_autoptr (GMenuItem) choice = g_menu_item_new (dyno_queue_priority_get_label (i), NULL);

      g_menu_item_set_action_and_target (choice, "queued.priority", "s", dyno_queue_priority_to_string (i));
      g_menu_append_item (section, choice);
    }
  g_menu_append_section (menu, _ ("Priority"), G_MENU_MODEL (section));
  g_menu_item_set_action_and_target (item, "queue.change", "(ss)", run->id, "remove");
  g_menu_append_item (menu, item);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static GtkWidget *
create_row (GPtrArray *runs, guint i)
{
  const DynoQueuedRun *run = runs->pdata[i];
  g_autofree char *title = dyno_plan_dup_run_title (run->plan);
  g_autofree char *command = dyno_plan_dup_command (run->plan);
  g_autofree char *sizes = g_strjoinv (", ", (char **)dyno_plan_get_batch_sizes (run->plan));
  g_autofree char *subtitle =
      /* Translators: the first %s is High, Normal or When Idle; the other one is batch sizes */
      g_strdup_printf (_ ("Priority: %s · batch %s"), dyno_queue_priority_get_label (run->priority), sizes);
  /* Runs that differ in their sizes have the same title. Translators: the title of a run, and batch sizes */
  g_autofree char *name = g_strdup_printf (_ ("%s · batch %s"), title, sizes);
  /* Translators: %s is the title of a run */
  g_autofree char *up = g_strdup_printf (_ ("Move “%s” Up"), name);
  /* Translators: %s is the title of a run */
  g_autofree char *down = g_strdup_printf (_ ("Move “%s” Down"), name);
  /* Translators: %s is the title of a run */
  g_autofree char *more = g_strdup_printf (_ ("Priority of “%s”"), name);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle",
                                 subtitle, "tooltip-text", command, NULL);
  GtkWidget *button = create_menu_button (row, run, more);

  g_object_set_data_full (G_OBJECT (row), "id", g_strdup (run->id), g_free);
  add_move (row, run, i > 0 ? runs->pdata[i - 1] : NULL, "up", "go-up-symbolic", up);
  add_move (row, run, i + 1 < runs->len ? runs->pdata[i + 1] : NULL, "down", "go-down-symbolic", down);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  g_object_set_data (G_OBJECT (row), "more", button);
  return row;
}

/* Moves the focus to the control where it was before the rows were made anew. @id (nullable): of the run that had it. @place:
 * where that run was. @part (nullable): the control of the row. */
static void
restore_focus (DynoQueueGroup *self, const char *id, int place, const char *part)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, 0), *found = NULL, *near = NULL;
  GtkWidget *control;

  for (int i = 0; row != NULL; row = gtk_list_box_get_row_at_index (self->list, ++i))
    {
      if (g_strcmp0 (g_object_get_data (G_OBJECT (row), "id"), id) == 0)
        found = row;
      if (i <= place)
        near = row;
    }
  found = found != NULL ? found : near;
  control = found != NULL && part != NULL ? g_object_get_data (G_OBJECT (found), part) : NULL;
  if (control != NULL && gtk_widget_is_sensitive (control))
    gtk_widget_grab_focus (control);
  else if (found != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (found));
  else if (gtk_widget_get_visible (self->show_button))
    gtk_widget_grab_focus (self->show_button);
}

static gboolean
reload_cb (gpointer user_data)
{
  DynoQueueGroup *self = user_data;
  DynoStore *store = dyno_app_session_get_store (self->session);
  gboolean runs_now = dyno_app_session_get_runner (self->session) != NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = store != NULL ? dyno_store_list_queue (store, &error) : NULL;
  guint n = runs != NULL ? runs->len : 0;
  GtkWidget *focus = dyno_focus_find_within (GTK_WIDGET (self->list));
  GtkWidget *row = find_focused_row (self);
  g_autofree char *id = row != NULL ? g_strdup (g_object_get_data (G_OBJECT (row), "id")) : NULL;
  g_autofree char *problem = error != NULL ? g_markup_escape_text (error->message, -1) : NULL;
  int place = row != NULL ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) : 0;
  const char *part = NULL;

  self->reload_id = 0;
  for (guint i = 0; row != NULL && i < G_N_ELEMENTS (parts); i++)
    {
      GtkWidget *control = g_object_get_data (G_OBJECT (row), parts[i]);

      if (focus == control || gtk_widget_is_ancestor (focus, control))
        part = parts[i];
    }
  dyno_list_box_clear (self->list);
  for (guint i = 0; i < n; i++)
    gtk_list_box_append (self->list, create_row (runs, i));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self),
                                         problem != NULL ? problem
                                         : n == 0 ? _ ("A plan that you add now is measured after this run.")
                                         : runs_now ? _ ("Each starts when the run before it has ended.")
                                                    : _ ("These runs wait until you start the queue."));
  gtk_widget_set_visible (GTK_WIDGET (self->list), n > 0);
  gtk_widget_set_visible (self->show_button, runs_now);
  gtk_widget_set_visible (self->start_button, !runs_now && n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self), runs_now || n > 0 || problem != NULL);
  if (row != NULL)
    restore_focus (self, id, place, part);
  return G_SOURCE_REMOVE;
}

/* Not at once, because the change may come from a menu of a row. */
static void
reload (DynoQueueGroup *self)
{
  if (self->reload_id == 0)
    self->reload_id = g_idle_add (reload_cb, self);
}

static void
dyno_queue_group_dispose (GObject *object)
{
  DynoQueueGroup *self = DYNO_QUEUE_GROUP (object);

  g_clear_handle_id (&self->reload_id, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (dyno_queue_group_parent_class)->dispose (object);
}

static void
dyno_queue_group_class_init (DynoQueueGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_queue_group_dispose;
  gtk_widget_class_install_action (widget_class, "queue.change", "(ss)", change_action);
  gtk_widget_class_install_action (widget_class, "queue.start", NULL, start_action);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_ALT_MASK, key_cb, "s", "up");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_ALT_MASK, key_cb, "s", "down");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Delete, 0, key_cb, "s", "remove");
}

static void
dyno_queue_group_init (DynoQueueGroup *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Queue"),
                                  -1);
  self->show_button =
      g_object_new (GTK_TYPE_BUTTON, "label", _ ("Show R_un"), "use-underline", TRUE, "action-name",
                    "benchmark.show-run", "tooltip-text", _ ("Show the progress of the run"), NULL);
  self->start_button =
      g_object_new (GTK_TYPE_BUTTON, "label", _ ("_Start Queue"), "use-underline", TRUE, "action-name",
                    "queue.start", "tooltip-text", _ ("Measure the waiting runs, one after the other"), NULL);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->show_button);
  gtk_box_append (GTK_BOX (box), self->start_button);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _ ("Queue"));
  adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (self), box);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->list));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
dyno_queue_group_set_session (DynoQueueGroup *self, DynoAppSession *session)
{
  g_return_if_fail (DYNO_IS_QUEUE_GROUP (self));
  g_return_if_fail (DYNO_IS_APP_SESSION (session));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "queue-changed", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::runner", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::store", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);
  reload (self);
}
