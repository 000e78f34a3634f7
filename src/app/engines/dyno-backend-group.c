/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-engines-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-engine-name.h"
#include "dyno-model.h"
#include "dyno-paths.h"

struct _DynoBackendGroup
{
  AdwBin parent_instance;

  gboolean selectable;
  DynoPlan *wanted;
  GPtrArray *rows; /* in the order of the registry */
  GFileMonitor *runtimes;
  GCancellable *recalling;
  gboolean is_stale; /* an engine came or went while backends were probed */
  gboolean is_held;  /* no row may move */
  gboolean has_unfolded;

  GtkListBox *list_box;
  AdwExpanderRow *unavailable_row;
};

enum
{
  PROP_0,
  PROP_SELECTABLE,
  N_PROPS
};

enum
{
  CHANGED,
  UPDATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoBackendGroup, dyno_backend_group, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* A backend counts as available until its probe has answered. */
static void
fold_rows (DynoBackendGroup *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      DynoBackendRow *row = g_ptr_array_index (self->rows, i);

      dyno_backend_row_set_folded (row, dyno_backend_row_get_probe (row) != NULL &&
                                            !dyno_backend_row_get_available (row));
    }
}

/* Orders available rows first, then the row that folds the unavailable ones, then the unavailable ones. */
static guint
get_rank (DynoBackendGroup *self, GtkListBoxRow *row)
{
  guint index, n_rows = self->rows->len;

  if (GTK_WIDGET (row) == GTK_WIDGET (self->unavailable_row) || !g_ptr_array_find (self->rows, row, &index))
    return n_rows;
  return dyno_backend_row_get_folded (DYNO_BACKEND_ROW (row)) ? n_rows + 1 + index : index;
}

static gboolean
any_is_available (DynoBackendGroup *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (dyno_backend_row_get_available (self->rows->pdata[i]))
      return TRUE;
  return FALSE;
}

static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer user_data)
{
  guint first = get_rank (user_data, a);
  guint second = get_rank (user_data, b);

  return (first > second) - (first < second);
}

/* Rows move once all backends have answered, and never under the pointer. */
static void
update_rows (DynoBackendGroup *self)
{
  gboolean expanded = adw_expander_row_get_expanded (self->unavailable_row);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (!self->is_held && !dyno_backend_group_get_probing (self))
    fold_rows (self);
  for (guint i = 0; i < self->rows->len; i++)
    {
      DynoBackendRow *row = g_ptr_array_index (self->rows, i);
      gboolean folded = dyno_backend_row_get_folded (row);

      if (folded)
        {
          DynoBackend *backend = dyno_backend_row_get_backend (row);

          g_ptr_array_add (names, dyno_engine_name_dup_backend (dyno_backend_get_id (backend),
                                                                dyno_backend_get_name (backend)));
        }
      gtk_widget_set_visible (GTK_WIDGET (row), !folded || expanded);
    }

  guint n = names->len;
  g_autofree char *title = g_strdup_printf (_ ("Unavailable (%u)"), n);
  g_autofree char *subtitle = NULL;
  g_ptr_array_add (names, NULL);
  subtitle = g_strjoinv (" · ", (char **)names->pdata);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->unavailable_row), title);
  /* The rows below name them when it is expanded. */
  adw_expander_row_set_subtitle (self->unavailable_row, expanded ? "" : subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self->unavailable_row), n > 0);

  gtk_list_box_invalidate_sort (self->list_box);
}

static void
changed_cb (DynoBackendGroup *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
probe_again_cb (gpointer user_data)
{
  DynoBackendGroup *self = user_data;

  if (self->is_stale && !dyno_backend_group_get_probing (self))
    {
      self->is_stale = FALSE;
      dyno_backend_group_probe (self, DYNO_PROBER_NONE);
    }
  return G_SOURCE_REMOVE;
}

static void
probing_changed_cb (DynoBackendGroup *self)
{
  update_rows (self);
  /* The rows say what an engine needs, and offer to install it. Whoever folds them again has seen that. */
  if (!self->is_held && !self->has_unfolded && !dyno_backend_group_get_probing (self) &&
      !any_is_available (self))
    {
      self->has_unfolded = TRUE;
      adw_expander_row_set_expanded (self->unavailable_row, TRUE);
    }
  g_signal_emit (self, signals[UPDATED], 0);
  if (self->is_stale)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, probe_again_cb, g_object_ref (self), g_object_unref);
}

/* Anyone may have installed or removed an engine. A name that ends in “.part” is an unfinished download. */
static void
runtimes_changed_cb (DynoBackendGroup *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (g_str_has_suffix (name, ".part"))
    return;
  self->is_stale = TRUE;
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, probe_again_cb, g_object_ref (self), g_object_unref);
}

static void
select_wanted (DynoBackendGroup *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      DynoBackendRow *row = g_ptr_array_index (self->rows, i);

      dyno_backend_row_select_entries (row, dyno_plan_get_backends (self->wanted));
      dyno_backend_row_set_options (row, dyno_plan_get_options (self->wanted));
    }
  g_clear_object (&self->wanted);
}

static void
clear_probe (gpointer probe)
{
  g_clear_object (&probe);
}

static void
recall_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  GPtrArray *probes = g_ptr_array_new_with_free_func (clear_probe);

  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

      g_ptr_array_add (probes, dyno_prober_recall (dyno_prober_get_default (), backend));
    }
  g_task_return_pointer (task, probes, (GDestroyNotify)g_ptr_array_unref);
}

static void
recall_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoBackendGroup *self = DYNO_BACKEND_GROUP (object);
  g_autoptr (GPtrArray) probes = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GListModel) backends = dyno_backend_list ();

  if (probes == NULL)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      DynoBackendRow *row = dyno_backend_row_new (backend, self->selectable, probes->pdata[i]);

      g_ptr_array_add (self->rows, row);
      gtk_list_box_append (self->list_box, GTK_WIDGET (row));
      g_signal_connect_object (row, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "notify::probing", G_CALLBACK (probing_changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  fold_rows (self);
  if (self->wanted != NULL)
    select_wanted (self);

  g_autofree char *path = dyno_paths_build (DYNO_PATH_RUNTIMES, NULL, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  self->runtimes = g_file_monitor_directory (folder, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->runtimes != NULL)
    g_signal_connect_object (self->runtimes, "changed", G_CALLBACK (runtimes_changed_cb), self,
                             G_CONNECT_SWAPPED);

  probing_changed_cb (self);
}

/* Shows the last known probes until the new ones arrive. */
static void
after_frame_cb (GtkWidget *widget)
{
  DynoBackendGroup *self = DYNO_BACKEND_GROUP (widget);

  self->recalling = g_cancellable_new ();
  dyno_thread_task_run (self, self->recalling, recall_thread, NULL, NULL, recall_cb);
}

static void
dyno_backend_group_dispose (GObject *object)
{
  DynoBackendGroup *self = DYNO_BACKEND_GROUP (object);

  if (self->recalling != NULL)
    g_cancellable_cancel (self->recalling);
  g_clear_object (&self->recalling);
  g_clear_object (&self->wanted);
  g_clear_object (&self->runtimes);
  g_ptr_array_set_size (self->rows, 0);

  G_OBJECT_CLASS (dyno_backend_group_parent_class)->dispose (object);
}

static void
dyno_backend_group_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_BACKEND_GROUP (object)->rows);

  G_OBJECT_CLASS (dyno_backend_group_parent_class)->finalize (object);
}

static void
dyno_backend_group_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoBackendGroup *self = DYNO_BACKEND_GROUP (object);

  switch (prop_id)
    {
    case PROP_SELECTABLE:
      g_value_set_boolean (value, self->selectable);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_backend_group_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoBackendGroup *self = DYNO_BACKEND_GROUP (object);

  switch (prop_id)
    {
    case PROP_SELECTABLE:
      self->selectable = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_backend_group_class_init (DynoBackendGroupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_backend_group_dispose;
  object_class->finalize = dyno_backend_group_finalize;
  object_class->get_property = dyno_backend_group_get_property;
  object_class->set_property = dyno_backend_group_set_property;

  properties[PROP_SELECTABLE] = g_param_spec_boolean (
      "selectable", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[UPDATED] = g_signal_new ("updated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_backend_group_init (DynoBackendGroup *self)
{
  GtkWidget *tab_stop = g_object_new (DYNO_TYPE_TAB_STOP, NULL);
  GtkWidget *placeholder =
      g_object_new (GTK_TYPE_LABEL, "label", _ ("Looking for engines…"), "wrap", TRUE, "justify",
                    GTK_JUSTIFY_CENTER, "margin-top", 18, "margin-bottom", 18, NULL);

  self->rows = g_ptr_array_new ();
  self->list_box = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->list_box), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list_box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Engines"), -1);
  self->unavailable_row = g_object_new (ADW_TYPE_EXPANDER_ROW, "use-markup", FALSE, "visible", FALSE, NULL);
  g_signal_connect_object (self->unavailable_row, "notify::expanded", G_CALLBACK (update_rows), self,
                           G_CONNECT_SWAPPED);
  gtk_list_box_append (self->list_box, GTK_WIDGET (self->unavailable_row));
  gtk_widget_add_css_class (placeholder, "dim-label");
  gtk_list_box_set_placeholder (self->list_box, placeholder);
  gtk_list_box_set_sort_func (self->list_box, compare_rows, self, NULL);
  adw_bin_set_child (ADW_BIN (tab_stop), GTK_WIDGET (self->list_box));
  adw_bin_set_child (ADW_BIN (self), tab_stop);
  dyno_after_frame (GTK_WIDGET (self), after_frame_cb);
}

void
dyno_backend_group_probe (DynoBackendGroup *self, DynoProberFlags flags)
{
  g_return_if_fail (DYNO_IS_BACKEND_GROUP (self));

  for (guint i = 0; i < self->rows->len; i++)
    dyno_backend_row_probe (g_ptr_array_index (self->rows, i), flags);
}

gboolean
dyno_backend_group_get_probing (DynoBackendGroup *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), FALSE);

  for (guint i = 0; i < self->rows->len; i++)
    if (dyno_backend_row_get_probing (g_ptr_array_index (self->rows, i)))
      return TRUE;
  return self->rows->len == 0;
}

void
dyno_backend_group_set_held (DynoBackendGroup *self, gboolean held)
{
  g_return_if_fail (DYNO_IS_BACKEND_GROUP (self));

  self->is_held = held;
  if (self->rows->len > 0)
    update_rows (self);
}

void
dyno_backend_group_select (DynoBackendGroup *self, DynoPlan *plan)
{
  g_return_if_fail (DYNO_IS_BACKEND_GROUP (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  g_set_object (&self->wanted, plan);
  if (self->rows->len > 0)
    select_wanted (self);
}

typedef char **(*DupStrings) (DynoBackendRow *row);

/* Collects the strings of all rows without duplicates. */
static char **
collect (DynoBackendGroup *self, DupStrings dup)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->rows->len; i++)
    {
      g_auto (GStrv) strings = dup (g_ptr_array_index (self->rows, i));

      for (char **string = strings; *string != NULL; string++)
        if (!g_ptr_array_find_with_equal_func (all, *string, g_str_equal, NULL))
          g_ptr_array_add (all, g_strdup (*string));
    }
  g_ptr_array_add (all, NULL);
  return g_strdupv ((char **)all->pdata);
}

char **
dyno_backend_group_dup_entries (DynoBackendGroup *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);

  /* A plan that waits for the rows counts as chosen already. */
  if (self->wanted != NULL)
    return g_strdupv ((char **)dyno_plan_get_backends (self->wanted));
  return collect (self, dyno_backend_row_dup_entries);
}

static char **
dup_row_served (DynoBackendRow *row)
{
  DynoProbe *probe = dyno_backend_row_get_probe (row);
  GListModel *devices = probe != NULL ? dyno_probe_get_devices (probe) : NULL;
  g_autoptr (GStrvBuilder) specs = g_strv_builder_new ();

  for (guint i = 0; devices != NULL && i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      for (const char *const *model = dyno_device_get_models (device); *model != NULL; model++)
        {
          g_autofree char *spec = g_strconcat (DYNO_MODEL_SERVED_PREFIX, *model, NULL);

          g_strv_builder_add (specs, spec);
        }
    }
  return g_strv_builder_end (specs);
}

char **
dyno_backend_group_dup_served (DynoBackendGroup *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);
  return collect (self, dup_row_served);
}

static char **
dup_row_places (DynoBackendRow *row)
{
  const char *id = dyno_backend_get_id (dyno_backend_row_get_backend (row));
  DynoProbe *probe = dyno_backend_row_get_probe (row);
  GListModel *devices = probe != NULL ? dyno_probe_get_devices (probe) : NULL;
  g_autoptr (GStrvBuilder) places = g_strv_builder_new ();

  for (guint i = 0; devices != NULL && i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);
      g_autofree char *place = dyno_engine_name_dup_spec (id, dyno_device_get_id (device));

      g_strv_builder_add (places, place);
    }
  return g_strv_builder_end (places);
}

char **
dyno_backend_group_dup_places (DynoBackendGroup *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);
  return collect (self, dup_row_places);
}

static char **
dup_row_options (DynoBackendRow *row)
{
  return dyno_backend_row_get_selected (row) ? dyno_backend_row_dup_options (row) : g_new0 (char *, 1);
}

char **
dyno_backend_group_dup_options (DynoBackendGroup *self)
{
  const char *defaults[] = { "", NULL };
  g_auto (GStrv) options = NULL;

  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);

  if (self->wanted != NULL)
    return g_strdupv ((char **)dyno_plan_get_options (self->wanted));
  options = collect (self, dup_row_options);
  return *options != NULL ? g_steal_pointer (&options) : g_strdupv ((char **)defaults);
}

const char *
dyno_backend_group_get_problem (DynoBackendGroup *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);

  for (guint i = 0; i < self->rows->len; i++)
    {
      DynoBackendRow *row = g_ptr_array_index (self->rows, i);

      if (dyno_backend_row_get_selected (row) && dyno_backend_row_get_problem (row) != NULL)
        return dyno_backend_row_get_problem (row);
    }
  return NULL;
}

char *
dyno_backend_group_dup_advice (DynoBackendGroup *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);

  if (dyno_backend_group_get_probing (self))
    return g_strdup (_ ("Looking for engines…"));
  return g_strdup (any_is_available (self) ? _ ("Choose an engine")
                                           : _ ("No engine is available; install one under “Engines”"));
}

static gboolean
has_backend (DynoBackendGroup *self, const char *entry)
{
  g_autofree char *id = g_strndup (entry, strcspn (entry, ":"));

  for (guint i = 0; i < self->rows->len; i++)
    if (g_str_equal (dyno_backend_get_id (dyno_backend_row_get_backend (self->rows->pdata[i])), id))
      return TRUE;
  return FALSE;
}

static void
append_line (GString *text, const char *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

char *
dyno_backend_group_dup_missing (DynoBackendGroup *self, DynoPlan *plan)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (DYNO_IS_BACKEND_GROUP (self), NULL);
  g_return_val_if_fail (DYNO_IS_PLAN (plan), NULL);

  for (const char *const *entry = dyno_plan_get_backends (plan); *entry != NULL && self->rows->len > 0;
       entry++)
    if (!has_backend (self, *entry))
      {
        g_autofree char *line = g_strdup_printf (_ ("This version of Dyno has no engine “%s”."), *entry);

        append_line (text, line);
      }
  for (guint i = 0; i < self->rows->len; i++)
    {
      g_autofree char *line = dyno_backend_row_dup_missing (g_ptr_array_index (self->rows, i));

      if (line != NULL)
        append_line (text, line);
    }
  return g_string_free (text, FALSE);
}
