/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-model-list"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-model-library.h"
#include "dyno-model-list.h"
#include "dyno-model-row.h"
#include "dyno-window.h"

struct _DynoModelList
{
  AdwBin parent_instance;

  GtkWidget *group;
  GtkSearchEntry *search_entry;
  GtkListBox *list_box;
};

enum
{
  CHANGED,
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

static void
changed_cb (DynoModelList *self)
{
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
dyno_model_list_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_MODEL_LIST);

  G_OBJECT_CLASS (dyno_model_list_parent_class)->dispose (object);
}

static void
dyno_model_list_class_init (DynoModelListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_model_list_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-model-list.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, group);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, search_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, list_box);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
}

static void
dyno_model_list_init (DynoModelList *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_autoptr (GListModel) library = dyno_model_library_get_default ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (self->list_box, filter_cb, self, NULL);
  g_signal_connect_object (drop, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (self->group, GTK_EVENT_CONTROLLER (drop));

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);

      insert_row (self, dyno_model_row_new (model), -1);
    }
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
 * Ticks exactly these; a path not in the list is added to it.
 */
void
dyno_model_list_select (DynoModelList *self, const char *const *specs)
{
  DynoModelRow *row;

  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (specs != NULL);

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    dyno_model_row_set_selected (row, g_strv_contains (specs, dyno_model_row_get_spec (row)));
  for (guint i = 0; specs[i] != NULL; i++)
    {
      if (find_row (self, specs[i]) == NULL)
        add_path (self, specs[i]);
    }
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
    dyno_window_toast (GTK_WIDGET (self), _ ("The model is not on this machine. Copy the file here first."));
}
