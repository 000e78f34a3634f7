/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-family.h"
#include "dyno-model-filter.h"
#include "dyno-model-library.h"
#include "dyno-model-needs.h"
#include "dyno-model-reader.h"

struct _DynoModelList
{
  AdwBin parent_instance;

  gboolean loading;   /* the rows have not been made yet */
  gboolean is_in_use; /* all rows have their contents */
  GCancellable *fetching;
  GListModel *fetched; /* from the hub; NULL until they are read */
  char **files;        /* to show and, of these and the bundled models, */
  char **wanted;       /* to tick once the list is loaded */
  DynoModelFilter filter;
  char *order;
  GSettings *settings;

  GtkWidget *group;
  AdwSplitButton *add_button;
  GtkMenuButton *filter_button;
  GtkSearchEntry *search_entry;
  GtkListBox *list_box;
  GtkLabel *placeholder;
  GMenu *type_menu;
  GMenu *task_menu;
  GMenu *size_menu;
  GPtrArray *families;
};

enum
{
  PROP_0,
  PROP_SHOWN_TYPE,
  PROP_SHOWN_TASK,
  PROP_SHOWN_SIZE,
  PROP_ORDER,
  N_PROPS
};

enum
{
  CHANGED,
  LOADED,
  N_SIGNALS
};

#define N_RECENT 8
/* As many rows as the list shows at once, and a few more. */
#define N_SEEN 12

G_DEFINE_FINAL_TYPE (DynoModelList, dyno_model_list, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* The type, task and size that filter nothing. */
#define ALL "all"

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

/* The contents of a hundred rows are a thousand widgets: most wait until somebody turns to the list. */
static void
fill_rows (DynoModelList *self)
{
  DynoModelRow *row;

  for (int i = 0; (self->is_in_use || i < N_SEEN) && (row = get_row (self, i)) != NULL; i++)
    dyno_model_row_fill (row);
}

/* Scrolling, a key (also the Tab that came here), a search, a filter or another order may show more rows. */
static void
use_cb (DynoModelList *self)
{
  if (self->is_in_use)
    return;
  self->is_in_use = TRUE;
  fill_rows (self);
}

/* Changes while the list loads are not the user's. */
static void
changed_cb (DynoModelList *self)
{
  if (!self->loading)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
remove_cb (DynoModelList *self, DynoModelRow *row)
{
  gtk_list_box_remove (self->list_box, GTK_WIDGET (row));
  fill_rows (self);
  changed_cb (self);
}

static void
row_activated_cb (DynoModelList *self, DynoModelRow *row)
{
  dyno_model_row_set_selected (row, !dyno_model_row_get_selected (row));
}

/* A new file passes every filter until it is read, so that it is visible; then it may be filtered out. */
static void
row_loaded_cb (DynoModelList *self)
{
  gtk_list_box_invalidate_filter (self->list_box);
}

static void
insert_row (DynoModelList *self, DynoModelRow *row)
{
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "notify::loading", G_CALLBACK (row_loaded_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "remove", G_CALLBACK (remove_cb), self, G_CONNECT_SWAPPED);
  gtk_list_box_append (self->list_box, GTK_WIDGET (row));
}

static gboolean
is_fetched (DynoModelList *self, const char *spec)
{
  for (guint i = 0; self->fetched != NULL && i < g_list_model_get_n_items (self->fetched); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (self->fetched, i);

      if (g_str_equal (dyno_model_get_id (model), spec))
        return TRUE;
    }
  return FALSE;
}

/* The file may have changed since it was added or fetched, so it is read again. */
static void
add_spec (DynoModelList *self, const char *spec)
{
  DynoModelRow *row = find_row (self, spec);

  if (row != NULL && (dyno_model_row_get_added (row) || is_fetched (self, spec)))
    {
      gtk_list_box_remove (self->list_box, GTK_WIDGET (row));
      row = NULL;
    }
  if (row == NULL)
    insert_row (self, dyno_model_row_new_added (spec));
  else
    dyno_model_row_set_selected (row, TRUE);
  fill_rows (self);
  changed_cb (self);
}

static const DynoFamily *
find_family (DynoModelList *self, const char *id, guint *rank)
{
  for (guint i = 0; i < self->families->len; i++)
    {
      const DynoFamily *family = self->families->pdata[i];

      if (g_str_equal (family->id, id))
        {
          *rank = i + 1;
          return family;
        }
    }
  *rank = 0;
  return NULL;
}

/* A model that has not been read has no family. */
static guint
get_type_rank (DynoModelList *self, DynoModelRow *row)
{
  DynoModel *model = dyno_model_row_get_model (row);
  guint rank = 0;

  if (model != NULL)
    find_family (self, dyno_model_get_family (model), &rank);
  return rank;
}

static gint64
get_size (DynoModelRow *row)
{
  DynoModel *model = dyno_model_row_get_model (row);

  return model != NULL ? dyno_model_get_parameter_count (model) : 0;
}

static int
compare_names (DynoModelRow *a, DynoModelRow *b)
{
  return g_utf8_collate (dyno_model_row_get_name (a), dyno_model_row_get_name (b));
}

static int
compare_rows (GtkListBoxRow *row_a, GtkListBoxRow *row_b, gpointer user_data)
{
  DynoModelList *self = user_data;
  DynoModelRow *a = DYNO_MODEL_ROW (row_a), *b = DYNO_MODEL_ROW (row_b);
  int types_differ = (int)get_type_rank (self, a) - (int)get_type_rank (self, b);
  int sizes_differ = (get_size (a) > get_size (b)) - (get_size (a) < get_size (b));
  gboolean is_added = dyno_model_row_get_added (a);

  /* Added models come first, and no row moves when a file has been read. */
  if (is_added != dyno_model_row_get_added (b))
    return is_added ? -1 : 1;
  if (is_added)
    return strcmp (dyno_model_row_get_spec (a), dyno_model_row_get_spec (b));
  if (g_str_equal (self->order, "name"))
    return compare_names (a, b);
  if (types_differ != 0 && g_str_equal (self->order, "type"))
    return types_differ;
  return sizes_differ != 0 ? sizes_differ : compare_names (a, b);
}

static gboolean
filter_cb (GtkListBoxRow *row, gpointer user_data)
{
  DynoModelList *self = user_data;
  DynoModel *model = dyno_model_row_get_model (DYNO_MODEL_ROW (row));

  return (model == NULL || dyno_model_filter_matches (&self->filter, model)) &&
         dyno_model_row_matches (DYNO_MODEL_ROW (row),
                                 gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
search_changed_cb (DynoModelList *self)
{
  use_cb (self);
  gtk_list_box_invalidate_filter (self->list_box);
}

static char *
dup_filter_label (DynoModelList *self)
{
  const DynoModelFilter *filter = &self->filter;
  guint n = (filter->family != NULL) + (filter->task != NULL) + (filter->size != NULL);
  guint rank;

  if (n == 0)
    return g_strdup (_ ("All Models"));
  /* The names of tasks and sizes are too long for a narrow window. */
  if (n > 1 || filter->family == NULL)
    return g_strdup_printf (ngettext ("%u Filter", "%u Filters", n), n);
  return g_strdup (_ (find_family (self, filter->family, &rank)->plural));
}

static void
set_filter (DynoModelList *self, char **part, const char *value, guint property)
{
  g_autofree char *label = NULL;

  g_free (*part);
  *part = g_str_equal (value, ALL) ? NULL : g_strdup (value);
  label = dup_filter_label (self);
  gtk_menu_button_set_label (self->filter_button, label);
  use_cb (self);
  gtk_list_box_invalidate_filter (self->list_box);
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
show_all_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_object_set (widget, "shown-type", ALL, "shown-task", ALL, "shown-size", ALL, NULL);
}

/* Recent files */

static void
recent_changed_cb (DynoModelList *self)
{
  g_auto (GStrv) paths = g_settings_get_strv (self->settings, "recent-model-files");
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) recent = g_menu_new ();

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);

      dyno_menu_append_plain (recent, name, "models.add", paths[i]);
    }
  g_menu_append (menu, _ ("Add from the _Hub…"), "benchmark.add-from-hub");
  g_menu_append_section (menu, paths[0] != NULL ? _ ("Recent") : NULL, G_MENU_MODEL (recent));
  adw_split_button_set_menu_model (self->add_button, G_MENU_MODEL (menu));
}

static void
add_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_model_list_add (DYNO_MODEL_LIST (widget), g_variant_get_string (parameter, NULL));
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
        add_spec (self, specs[i]);
    }
}

static void
load_fetched_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, dyno_model_reader_list_fetched (cancellable), g_object_unref);
}

/* A model added by hand in the meantime has its row already. */
static void
load_fetched_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);

  self->fetched = g_task_propagate_pointer (G_TASK (result), NULL);
  for (guint i = 0; self->fetched != NULL && i < g_list_model_get_n_items (self->fetched); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (self->fetched, i);

      if (find_row (self, dyno_model_get_id (model)) == NULL)
        insert_row (self, dyno_model_row_new (model));
    }
  fill_rows (self);
}

/* The library lists its models without building them, but laying out a row for each is too slow for the first
 * frame. */
static void
after_frame_cb (GtkWidget *widget)
{
  DynoModelList *self = DYNO_MODEL_LIST (widget);
  g_autoptr (GListModel) library = dyno_model_library_get_default ();

  g_auto (GStrv) wanted = g_steal_pointer (&self->wanted);
  g_auto (GStrv) files = g_steal_pointer (&self->files);
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      DynoModelRow *row = dyno_model_row_new_added (files[i]);

      dyno_model_row_set_selected (row, FALSE);
      insert_row (self, row);
    }
  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);

      insert_row (self, dyno_model_row_new (model));
    }

  /* Tasks keep the hub's own names, which people know. */
  g_auto (GStrv) tasks = dyno_model_filter_list_tasks (library);
  for (guint i = 0; tasks[i] != NULL; i++)
    dyno_menu_append_plain (self->task_menu, tasks[i], "models.task", tasks[i]);

  gtk_label_set_label (self->placeholder,
                       _ ("No matching models. Add a file, or change the search or the filter."));
  if (wanted != NULL)
    select_models (self, (const char *const *)wanted);
  fill_rows (self);
  self->loading = FALSE;
  g_signal_emit (self, signals[LOADED], 0);

  /* A separate process reads each model; the bundled models do not wait for it. */
  self->fetching = g_cancellable_new ();
  dyno_thread_task_run (self, self->fetching, load_fetched_thread, NULL, NULL, load_fetched_cb);
}

static void
dyno_model_list_dispose (GObject *object)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);

  if (self->fetching != NULL)
    g_cancellable_cancel (self->fetching);
  g_clear_object (&self->fetching);
  g_clear_object (&self->fetched);
  g_clear_object (&self->settings);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_MODEL_LIST);

  G_OBJECT_CLASS (dyno_model_list_parent_class)->dispose (object);
}

static void
dyno_model_list_finalize (GObject *object)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);

  g_strfreev (self->files);
  g_strfreev (self->wanted);
  dyno_model_filter_clear (&self->filter);
  g_free (self->order);
  g_clear_pointer (&self->families, g_ptr_array_unref);

  G_OBJECT_CLASS (dyno_model_list_parent_class)->finalize (object);
}

static void
dyno_model_list_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);

  switch (prop_id)
    {
    case PROP_SHOWN_TYPE:
      g_value_set_string (value, self->filter.family != NULL ? self->filter.family : ALL);
      break;
    case PROP_SHOWN_TASK:
      g_value_set_string (value, self->filter.task != NULL ? self->filter.task : ALL);
      break;
    case PROP_SHOWN_SIZE:
      g_value_set_string (value, self->filter.size != NULL ? self->filter.size : ALL);
      break;
    case PROP_ORDER:
      g_value_set_string (value, self->order);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_model_list_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoModelList *self = DYNO_MODEL_LIST (object);

  switch (prop_id)
    {
    case PROP_SHOWN_TYPE:
      set_filter (self, &self->filter.family, g_value_get_string (value), prop_id);
      break;
    case PROP_SHOWN_TASK:
      set_filter (self, &self->filter.task, g_value_get_string (value), prop_id);
      break;
    case PROP_SHOWN_SIZE:
      set_filter (self, &self->filter.size, g_value_get_string (value), prop_id);
      break;
    case PROP_ORDER:
      g_free (self->order);
      self->order = g_strdup (g_value_get_string (value));
      use_cb (self);
      gtk_list_box_invalidate_sort (self->list_box);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ORDER]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_model_list_class_init (DynoModelListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_model_list_dispose;
  object_class->finalize = dyno_model_list_finalize;
  object_class->get_property = dyno_model_list_get_property;
  object_class->set_property = dyno_model_list_set_property;

  properties[PROP_SHOWN_TYPE] = g_param_spec_string ("shown-type", NULL, NULL, ALL, flags);
  properties[PROP_SHOWN_TASK] = g_param_spec_string ("shown-task", NULL, NULL, ALL, flags);
  properties[PROP_SHOWN_SIZE] = g_param_spec_string ("shown-size", NULL, NULL, ALL, flags);
  properties[PROP_ORDER] = g_param_spec_string ("order", NULL, NULL, "type", flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-model-list.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, group);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, add_button);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, filter_button);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, search_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, list_box);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, placeholder);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, type_menu);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, task_menu);
  gtk_widget_class_bind_template_child (widget_class, DynoModelList, size_menu);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, use_cb);
  gtk_widget_class_install_property_action (widget_class, "models.type", "shown-type");
  gtk_widget_class_install_property_action (widget_class, "models.task", "shown-task");
  gtk_widget_class_install_property_action (widget_class, "models.size", "shown-size");
  gtk_widget_class_install_property_action (widget_class, "models.order", "order");
  gtk_widget_class_install_action (widget_class, "models.show-all", NULL, show_all_action);
  gtk_widget_class_install_action (widget_class, "models.add", "s", add_action);
}

static void
dyno_model_list_init (DynoModelList *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->order = g_strdup ("type");
  gtk_widget_init_template (GTK_WIDGET (self));

  /* A split button gives its second half a tooltip but no accessible name. */
  GtkWidget *button = gtk_widget_get_last_child (GTK_WIDGET (self->add_button));
  while (button != NULL && !GTK_IS_MENU_BUTTON (button))
    button = gtk_widget_get_prev_sibling (button);
  if (button != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    adw_split_button_get_dropdown_tooltip (self->add_button), -1);

  self->families = dyno_family_list ();
  for (guint i = 0; i < self->families->len; i++)
    {
      const DynoFamily *family = self->families->pdata[i];

      dyno_menu_append_plain (self->type_menu, _ (family->plural), "models.type", family->id);
    }
  for (guint i = 0; i < DYNO_N_SIZE_CLASSES; i++)
    dyno_menu_append_plain (self->size_menu, _ (dyno_size_classes[i].label), "models.size",
                            dyno_size_classes[i].id);
  gtk_list_box_set_filter_func (self->list_box, filter_cb, self, NULL);
  gtk_list_box_set_sort_func (self->list_box, compare_rows, self, NULL);
  g_signal_connect_object (drop, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (self->group, GTK_EVENT_CONTROLLER (drop));
  self->settings = g_settings_new (APP_ID);
  g_signal_connect_object (self->settings, "changed::recent-model-files", G_CALLBACK (recent_changed_cb),
                           self, G_CONNECT_SWAPPED);
  recent_changed_cb (self);
  self->loading = TRUE;
  dyno_after_frame (GTK_WIDGET (self), after_frame_cb);
}

char **
dyno_model_list_dup_selected (DynoModelList *self)
{
  g_autoptr (GStrvBuilder) specs = g_strv_builder_new ();
  DynoModelRow *row;

  g_return_val_if_fail (DYNO_IS_MODEL_LIST (self), NULL);

  /* Models that are still to be ticked count as chosen. */
  if (self->wanted != NULL)
    return g_strdupv (self->wanted);
  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    {
      if (dyno_model_row_get_selected (row))
        g_strv_builder_add (specs, dyno_model_row_get_spec (row));
    }
  return g_strv_builder_end (specs);
}

void
dyno_model_list_select (DynoModelList *self, const char *const *specs)
{
  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (specs != NULL);

  if (!self->loading)
    {
      select_models (self, specs);
      return;
    }
  g_strfreev (self->wanted);
  self->wanted = g_strdupv ((char **)specs);
}

DynoModel *
dyno_model_list_find_model (DynoModelList *self, const char *spec)
{
  DynoModelRow *row;

  g_return_val_if_fail (DYNO_IS_MODEL_LIST (self), NULL);
  g_return_val_if_fail (spec != NULL, NULL);

  row = find_row (self, spec);
  return row != NULL ? dyno_model_row_get_model (row) : NULL;
}

char **
dyno_model_list_dup_files (DynoModelList *self)
{
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  DynoModelRow *row;

  g_return_val_if_fail (DYNO_IS_MODEL_LIST (self), NULL);

  if (self->files != NULL)
    return g_strdupv (self->files);
  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    if (dyno_model_row_get_added (row))
      g_strv_builder_add (files, dyno_model_row_get_spec (row));
  return g_strv_builder_end (files);
}

void
dyno_model_list_set_files (DynoModelList *self, const char *const *files)
{
  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (files != NULL);
  g_return_if_fail (self->loading);

  g_strfreev (self->files);
  self->files = g_strdupv ((char **)files);
}

void
dyno_model_list_focus_search (DynoModelList *self)
{
  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

void
dyno_model_list_add (DynoModelList *self, const char *spec)
{
  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (spec != NULL);

  add_spec (self, spec);

  g_auto (GStrv) before = g_settings_get_strv (self->settings, "recent-model-files");
  g_autoptr (GStrvBuilder) after = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  g_strv_builder_add (after, spec);
  for (guint i = 0, n = 1; before[i] != NULL && n < N_RECENT; i++)
    if (!g_str_equal (before[i], spec))
      {
        g_strv_builder_add (after, before[i]);
        n++;
      }
  paths = g_strv_builder_end (after);
  g_settings_set_strv (self->settings, "recent-model-files", (const char *const *)paths);
}

void
dyno_model_list_add_file (DynoModelList *self, GFile *file)
{
  g_autofree char *path = NULL;

  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (G_IS_FILE (file));

  path = g_file_get_path (file);
  if (path == NULL)
    {
      dyno_toast_say (GTK_WIDGET (self),
                      _ ("The model is not on this machine. Copy the file to this machine first."));
      return;
    }
  dyno_model_list_add (self, path);
}

void
dyno_model_list_show_served (DynoModelList *self, const char *const *specs)
{
  g_return_if_fail (DYNO_IS_MODEL_LIST (self));
  g_return_if_fail (specs != NULL);

  /* Ticked models stay in the list, because their server may be started again. */
  DynoModelRow *row;
  for (int i = 0; (row = get_row (self, i)) != NULL;)
    if (dyno_model_get_served_name (dyno_model_row_get_spec (row)) != NULL &&
        !dyno_model_row_get_selected (row) && !g_strv_contains (specs, dyno_model_row_get_spec (row)))
      gtk_list_box_remove (self->list_box, GTK_WIDGET (row));
    else
      i++;

  for (; *specs != NULL; specs++)
    {
      g_autoptr (DynoModel) model = dyno_model_load (*specs, NULL);

      if (find_row (self, *specs) == NULL)
        insert_row (self, dyno_model_row_new (model));
    }
  fill_rows (self);
}

gboolean
dyno_model_list_get_loading (DynoModelList *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_LIST (self), FALSE);
  return self->loading;
}
