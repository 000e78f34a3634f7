/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-model-list"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-model-library.h"
#include "dyno-model-list.h"
#include "dyno-model-row.h"
#include "dyno-toast.h"

struct _DynoModelList
{
  AdwBin parent_instance;

  GCancellable *loading;
  char **wanted;

  GtkWidget *group;
  GtkSearchEntry *search_entry;
  GtkListBox *list_box;
  GtkLabel *placeholder;
};

enum
{
  CHANGED,
  LOADED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoModelList, dyno_model_list, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

static DynoModelRow *
get_row (DynoModelList *self, int index)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list_box, index);

  return row != NULL ? DYNO_MODEL_ROW (row) : NULL;
}

static DynoModelRow *
find_row (DynoModelList *self, const char *spec)
{
  DynoModelRow *row;

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    {
      if (g_str_equal (dyno_model_row_get_spec (row), spec))
        return row;
    }
  return NULL;
}

/* The selection of what is being loaded is not a change by anyone. */
static void
changed_cb (DynoModelList *self)
{
  if (self->loading != NULL)
    return;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
remove_cb (DynoModelList *self, DynoModelRow *row)
{
  gtk_list_box_remove (self->list_box, GTK_WIDGET (row));
  changed_cb (self);
}

static void
insert_row (DynoModelList *self, DynoModelRow *row, int position)
{
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "remove", G_CALLBACK (remove_cb), self, G_CONNECT_SWAPPED);
  gtk_list_box_insert (self->list_box, GTK_WIDGET (row), position);
}

static void
add_path (DynoModelList *self, const char *path)
{
  DynoModelRow *row = find_row (self, path);

  if (row != NULL && dyno_model_row_get_problem (row) != NULL)
    {
      gtk_list_box_remove (self->list_box, GTK_WIDGET (row));
      row = NULL;
    }
  if (row == NULL)
    insert_row (self, dyno_model_row_new_for_path (path), 0);
  else
    dyno_model_row_set_selected (row, TRUE);
  changed_cb (self);
}

static gboolean
filter_cb (GtkListBoxRow *row, gpointer user_data)
{
  DynoModelList *self = user_data;

  return dyno_model_row_matches (DYNO_MODEL_ROW (row),
                                 gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
search_changed_cb (DynoModelList *self)
{
  gtk_list_box_invalidate_filter (self->list_box);
}

static gboolean
drop_cb (DynoModelList *self, const GValue *value)
{
  GSList *files = g_value_get_boxed (value);

  for (GSList *iter = files; iter != NULL; iter = iter->next)
    dyno_model_list_add_file (self, iter->data);
  return files != NULL;
}

static void
select_models (DynoModelList *self, const char *const *specs)
{
  DynoModelRow *row;

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    dyno_model_row_set_selected (row, g_strv_contains (specs, dyno_model_row_get_spec (row)));
  for (guint i = 0; specs[i] != NULL; i++)
    {
      if (find_row (self, specs[i]) == NULL)
        add_path (self, specs[i]);
    }
}

static void
show_library (DynoModelList *self, GListModel *library)
{
  g_auto (GStrv) wanted = g_steal_pointer (&self->wanted);

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);

      insert_row (self, dyno_model_row_new (model), -1);
    }
  gtk_label_set_label (self->placeholder, _ ("No model matches. Add a file, or search for something else."));
  if (wanted != NULL)
    select_models (self, (const char *const *)wanted);
  g_clear_object (&self->loading);
  g_signal_emit (self, signals[LOADED], 0);
}

static void
load_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, dyno_model_library_get_default (), g_object_unref);
}

static void
load_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);
  g_autoptr (GListModel) library = g_task_propagate_pointer (G_TASK (result), NULL);

  if (library != NULL)
    show_library (self, library);
}

/* The library works out the size of every model, and each is a row to lay out, which is too much for the first
 * frame: it begins with that. */
static gboolean
load_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  DynoModelList *self = DYNO_MODEL_LIST (widget);
  g_autoptr (GTask) task = g_task_new (self, self->loading, load_cb, NULL);

  g_task_set_source_tag (task, load_tick_cb);
  g_task_run_in_thread (task, load_thread);
  return G_SOURCE_REMOVE;
}

static void
dyno_model_list_dispose (GObject *object)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_pointer (&self->wanted, g_strfreev);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_MODEL_LIST);

  G_OBJECT_CLASS (dyno_model_list_parent_class)->dispose (object);
}

static void
dyno_model_list_class_init (DynoModelListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_model_list_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-model-list.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, group);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, search_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, list_box);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, placeholder);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
}

static void
dyno_model_list_init (DynoModelList *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (self->list_box, filter_cb, self, NULL);
  g_signal_connect_object (drop, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (self->group, GTK_EVENT_CONTROLLER (drop));
  self->loading = g_cancellable_new ();
  gtk_widget_add_tick_callback (GTK_WIDGET (self), load_tick_cb, NULL, NULL);
}

/**
 * dyno_model_list_dup_selected:
 * @self: a list
 *
 * Returns: (transfer full) (array zero-terminated=1): what is ticked, as [func@Dyno.model_load] takes it
 */
char **
dyno_model_list_dup_selected (DynoModelList *self)
{
  g_autoptr (GStrvBuilder) specs = g_strv_builder_new ();
  DynoModelRow *row;

  g_return_val_if_fail (DYNO_IS_MODEL_LIST (self), NULL);

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    {
      if (dyno_model_row_get_selected (row))
        g_strv_builder_add (specs, dyno_model_row_get_spec (row));
    }
  return g_strv_builder_end (specs);
}

/**
 * dyno_model_list_select:
 * @self: a list
 * @specs: (array zero-terminated=1): bundled ids and paths
 *
 * Ticks exactly these; a path not in the list is added to it. While the list is still loading, it does so
 * later.
 */
void
dyno_model_list_select (DynoModelList *self, const char *const *specs)
{
  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (specs != NULL);

  if (self->loading == NULL)
    {
      select_models (self, specs);
      return;
    }
  g_strfreev (self->wanted);
  self->wanted = g_strdupv ((char **)specs);
}

/**
 * dyno_model_list_add_file:
 * @self: a list
 * @file: an ONNX file or a Hugging Face `config.json`
 *
 * Adds a file at the top and ticks it. One that was unreadable before is read again.
 */
void
dyno_model_list_add_file (DynoModelList *self, GFile *file)
{
  g_autofree char *path = NULL;

  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (G_IS_FILE (file));

  path = g_file_get_path (file);
  if (path != NULL)
    add_path (self, path);
  else
    dyno_toast_say (GTK_WIDGET (self), _ ("The model is not on this machine. Copy the file here first."));
}

/**
 * dyno_model_list_get_loading:
 * @self: a list
 *
 * Returns: whether the bundled models are still being read
 */
gboolean
dyno_model_list_get_loading (DynoModelList *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_LIST (self), FALSE);
  return self->loading != NULL;
}
