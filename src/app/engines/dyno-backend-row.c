/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-engines-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-engine-name.h"
#include "dyno-engine.h"

struct _DynoBackendRow
{
  AdwExpanderRow parent_instance;

  DynoBackend *backend;
  DynoProbe *found;
  GSettings *settings;
  GCancellable *probing;
  gboolean selectable;
  gboolean preselects;
  gboolean restoring;
  gboolean offers; /* whether it offers to install an engine */
  gboolean folded;
  gboolean has_options; /* whether there are rows for them */
  gboolean asks_again;  /* the settings changed during the probe: probe again afterwards */

  char **wanted;         /* devices of a plan, maybe before any are known; NULL for the preselection */
  char **wanted_options; /* options, likewise, and while there are no rows for them */
  GPtrArray *rows;       /* rows inside the expander */
  GPtrArray *checks;     /* of its devices, if there are several */
  GPtrArray *options;    /* of DynoOptionRow */

  GtkCheckButton *check;
  GtkImage *state_image;
  GtkWidget *spinner;
};

enum
{
  PROP_0,
  PROP_BACKEND,
  PROP_SELECTABLE,
  PROP_SELECTED,
  PROP_AVAILABLE,
  PROP_PROBING,
  N_PROPS
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoBackendRow, dyno_backend_row, ADW_TYPE_EXPANDER_ROW)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* Texts */

static char *
dup_name (DynoBackendRow *self)
{
  return dyno_engine_name_dup_backend (dyno_backend_get_id (self->backend),
                                       dyno_backend_get_name (self->backend));
}

static guint
count_devices (DynoBackendRow *self)
{
  return self->found != NULL ? g_list_model_get_n_items (dyno_probe_get_devices (self->found)) : 0;
}

static char *
describe_device (DynoDevice *device)
{
  DynoDeviceKind kind = dyno_device_get_kind (device);
  const char *const *precisions = dyno_device_get_precisions (device);
  gint64 memory = dyno_device_get_memory (device);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  if (dyno_device_kind_get_label (kind) != NULL)
    g_ptr_array_add (parts, g_strdup (dyno_device_kind_get_label (kind)));
  if (dyno_device_get_address (device) != NULL)
    g_ptr_array_add (parts, g_strdup (dyno_device_get_address (device)));
  if (memory > 0)
    g_ptr_array_add (parts, dyno_format_bytes (memory));
  if (dyno_device_get_driver (device) != NULL)
    g_ptr_array_add (parts, g_strdup (dyno_device_get_driver (device)));
  if (precisions != NULL && *precisions != NULL)
    g_ptr_array_add (parts, g_strjoinv (", ", (char **)precisions));
  if (*dyno_device_get_models (device) != NULL)
    g_ptr_array_add (parts, g_strjoinv (", ", (char **)dyno_device_get_models (device)));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}

static char *
describe_available (DynoBackendRow *self)
{
  const char *runtime = dyno_probe_get_runtime (self->found);
  guint n_devices = count_devices (self);
  g_autoptr (DynoDevice) device =
      n_devices == 1 ? g_list_model_get_item (dyno_probe_get_devices (self->found), 0) : NULL;
  g_autofree char *devices = NULL;

  /* Users who read only this line must not mistake a software adapter for a graphics card. */
  if (device == NULL)
    devices = g_strdup_printf (ngettext ("%u device", "%u devices", n_devices), n_devices);
  else if (!dyno_device_kind_is_hardware (dyno_device_get_kind (device)))
    devices = g_strdup_printf ("%s · %s", dyno_device_get_name (device),
                               dyno_device_kind_get_label (dyno_device_get_kind (device)));
  else
    devices = g_strdup (dyno_device_get_name (device));
  return runtime != NULL ? g_strdup_printf ("%s\n%s", runtime, devices) : g_steal_pointer (&devices);
}

static char *
describe_missing (const char *reason, const char *remedy)
{
  if (reason == NULL)
    reason = _ ("It cannot run on this machine.");
  return remedy != NULL ? g_strdup_printf ("%s\n%s", reason, remedy) : g_strdup (reason);
}

static void
set_state (DynoBackendRow *self, const char *icon_name, const char *css_class, const char *label)
{
  gtk_image_set_from_icon_name (self->state_image, icon_name);
  gtk_widget_set_css_classes (GTK_WIDGET (self->state_image), (const char *[]){ css_class, NULL });
  dyno_tooltip_set (GTK_WIDGET (self->state_image), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->state_image), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

/* Rows inside the expander */

static void
emit_changed (DynoBackendRow *self)
{
  if (!self->restoring)
    g_signal_emit (self, signals[CHANGED], 0);
}

static const char *
get_device_id (GtkCheckButton *check)
{
  return g_object_get_data (G_OBJECT (check), "device");
}

static gboolean
has_device (DynoBackendRow *self)
{
  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      return TRUE;
  return self->checks->len == 0;
}

/* The backend is ticked with its first device and unticked with its last. */
static void
device_toggled_cb (DynoBackendRow *self)
{
  if (self->restoring)
    return;
  self->restoring = TRUE;
  gtk_check_button_set_active (self->check, has_device (self));
  self->restoring = FALSE;
  self->preselects = FALSE;
  emit_changed (self);
}

static void
add_row (DynoBackendRow *self, GtkWidget *row)
{
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_ptr_array_add (self->rows, row);
}

static void
add_devices (DynoBackendRow *self)
{
  GListModel *devices = dyno_probe_get_devices (self->found);
  guint n_devices = g_list_model_get_n_items (devices);

  for (guint i = 0; i < n_devices; i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);
      g_autofree char *description = describe_device (device);
      GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                                     dyno_device_get_name (device), "subtitle", description, NULL);

      if (self->selectable && n_devices > 1)
        {
          GtkWidget *check = gtk_check_button_new ();

          gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
          gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                          dyno_device_get_name (device), -1);
          g_object_set_data_full (G_OBJECT (check), "device", g_strdup (dyno_device_get_id (device)), g_free);
          g_signal_connect_object (check, "toggled", G_CALLBACK (device_toggled_cb), self, G_CONNECT_SWAPPED);
          adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
          adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
          g_ptr_array_add (self->checks, check);
        }
      add_row (self, row);
    }
}

/* The first hardware device: software devices are never preselected. */
static int
find_preselected (DynoBackendRow *self)
{
  for (guint i = 0; i < count_devices (self); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (dyno_probe_get_devices (self->found), i);

      if (dyno_device_kind_is_hardware (dyno_device_get_kind (device)))
        return (int)i;
    }
  return -1;
}

static void
check_wanted (DynoBackendRow *self)
{
  int fallback = self->wanted == NULL ? MAX (find_preselected (self), 0) : 0;
  gboolean any = FALSE;

  self->restoring = TRUE;
  for (guint i = 0; i < self->checks->len; i++)
    {
      GtkCheckButton *check = self->checks->pdata[i];
      gboolean wanted =
          self->wanted != NULL && g_strv_contains ((const char *const *)self->wanted, get_device_id (check));

      gtk_check_button_set_active (check, wanted);
      any = any || wanted;
    }
  if (!any && self->checks->len > 0)
    gtk_check_button_set_active (self->checks->pdata[fallback], TRUE);
  self->restoring = FALSE;
}

static char **
find_values (const char *const *alternatives, const char *name)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *prefix = g_strconcat (name, "=", NULL);

  for (; *alternatives != NULL; alternatives++)
    {
      g_auto (GStrv) settings = g_strsplit (*alternatives, ",", -1);

      for (char **setting = settings; *setting != NULL; setting++)
        {
          const char *value = *setting + strlen (prefix);

          if (g_str_has_prefix (*setting, prefix) &&
              !g_ptr_array_find_with_equal_func (values, value, g_str_equal, NULL))
            g_ptr_array_add (values, g_strdup (value));
        }
    }
  g_ptr_array_add (values, NULL);
  return g_strdupv ((char **)values->pdata);
}

static void
show_options (DynoBackendRow *self, const char *const *alternatives)
{
  self->restoring = TRUE;
  for (guint i = 0; i < self->options->len; i++)
    {
      g_auto (GStrv) values = find_values (alternatives, dyno_option_row_get_name (self->options->pdata[i]));

      dyno_option_row_set_values (self->options->pdata[i], (const char *const *)values);
    }
  self->restoring = FALSE;
}

/* Returns whether a plan chooses an option of this backend. */
static gboolean
wants_options (DynoBackendRow *self)
{
  const DynoBackendOption *option = dyno_backend_get_options (self->backend);

  for (; option != NULL && option->name != NULL; option++)
    {
      g_auto (GStrv) values = find_values ((const char *const *)self->wanted_options, option->name);

      if (*values != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Their rows are most of what a backend has, so they wait until it is expanded or a plan names one. */
static void
add_options (DynoBackendRow *self)
{
  const DynoBackendOption *option;

  if (self->has_options || !dyno_backend_row_get_available (self))
    return;
  self->has_options = TRUE;
  for (option = dyno_backend_get_options (self->backend); option != NULL && option->name != NULL; option++)
    {
      GtkWidget *row;

      if (!self->selectable)
        {
          g_autofree char *values = dyno_backend_option_dup_possible (option);
          g_autofree char *text = g_strdup_printf ("%s\n%s", _ (option->summary), values);

          add_row (self, g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", option->name,
                                       "subtitle", text, NULL));
          continue;
        }
      row = dyno_option_row_new (self->backend, option);
      g_signal_connect_object (row, "changed", G_CALLBACK (emit_changed), self, G_CONNECT_SWAPPED);
      g_ptr_array_add (self->options, row);
      add_row (self, row);
    }
  show_options (self, (const char *const *)self->wanted_options);
}

static void
expanded_cb (DynoBackendRow *self)
{
  if (!self->restoring && adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)))
    add_options (self);
}

/* Pages with rows watch the folder into which the window installs. */
static void
install_activated_cb (DynoBackendRow *self)
{
  g_autoptr (GPtrArray) missing = dyno_engine_find_missing (dyno_backend_get_id (self->backend));
  GtkWidget *window = dyno_engine_window_new (missing);

  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))));
  gtk_window_present (GTK_WINDOW (window));
}

/* Offers to install the missing engines of the backend. */
static void
add_offer (DynoBackendRow *self)
{
  g_autoptr (GPtrArray) missing = dyno_engine_find_missing (dyno_backend_get_id (self->backend));
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *subtitle = NULL;
  GtkWidget *row;

  self->offers = missing->len > 0;
  if (!self->offers)
    return;
  for (guint i = 0; i < missing->len; i++)
    {
      const DynoEngine *engine = missing->pdata[i];
      g_autofree char *title = dyno_engine_dup_title (engine);
      g_autofree char *size = dyno_format_bytes ((gint64)engine->size);
      g_autofree char *line = g_strdup_printf ("%s · %s · %s", title, size, engine->license);

      g_strv_builder_add (lines, line);
    }
  all = g_strv_builder_end (lines);
  subtitle = g_strjoinv ("\n", all);
  row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", _ ("Install Engine…"), "subtitle",
                      subtitle, "activatable", TRUE, NULL);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_signal_connect_object (row, "activated", G_CALLBACK (install_activated_cb), self, G_CONNECT_SWAPPED);
  add_row (self, row);
}

static void
fill_rows (DynoBackendRow *self)
{
  const DynoBackendOption *option = dyno_backend_get_options (self->backend);
  gboolean has_options = option != NULL && option->name != NULL && dyno_backend_row_get_available (self);
  gboolean expanded = adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)) && !self->offers;

  if (self->options->len > 0)
    {
      char **chosen = dyno_backend_row_dup_options (self);

      g_strfreev (self->wanted_options);
      self->wanted_options = chosen;
    }
  dyno_expander_row_cut (ADW_EXPANDER_ROW (self), self->rows, 0);
  g_ptr_array_set_size (self->checks, 0);
  g_ptr_array_set_size (self->options, 0);
  self->offers = FALSE;
  self->has_options = FALSE;
  if (!dyno_backend_row_get_available (self))
    add_offer (self);
  else
    {
      add_devices (self);

      /* Missing devices are listed as well, because people look for them here. */
      GListModel *devices = dyno_probe_get_missing_devices (self->found);
      for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
        {
          g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);
          g_autofree char *subtitle =
              describe_missing (dyno_device_get_reason (device), dyno_device_get_remedy (device));
          GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                                         dyno_device_get_name (device), "subtitle", subtitle, NULL);
          GtkWidget *image = g_object_new (GTK_TYPE_IMAGE, "icon-name", "action-unavailable-symbolic",
                                           "tooltip-text", _ ("Not available"), NULL);

          gtk_widget_add_css_class (image, "dim-label");
          adw_action_row_add_prefix (ADW_ACTION_ROW (row), image);
          add_row (self, row);
        }
    }
  check_wanted (self);
  if (expanded || wants_options (self))
    add_options (self);
  /* A row that may be expanded again expands by itself. */
  self->restoring = TRUE;
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (self), self->rows->len > 0 || has_options);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (self),
                                 (expanded || (self->offers && self->folded)) && self->rows->len > 0);
  self->restoring = FALSE;
}

/* Probing */

/* A row that cannot be chosen shows its state instead of a check box. Before it is found, nobody can leave a box empty
 * that the answer will tick. */
static void
show_prefix (DynoBackendRow *self, gboolean available)
{
  gboolean can_choose = self->selectable && available;

  gtk_widget_set_sensitive (GTK_WIDGET (self->check), self->found != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->check), can_choose);
  gtk_widget_set_visible (GTK_WIDGET (self->state_image), !can_choose);
}

/* In the form, a row that is not folded always has two lines, so that no answer moves the rows below it. */
static void
show_subtitle (DynoBackendRow *self)
{
  g_autofree char *subtitle = NULL;

  if (self->found == NULL)
    subtitle = g_strconcat (_ ("Detecting…"), "\n", NULL);
  else if (dyno_backend_row_get_available (self))
    subtitle = describe_available (self);
  else if (self->folded || !self->selectable)
    subtitle = describe_missing (dyno_probe_get_reason (self->found), dyno_probe_get_remedy (self->found));
  else
    subtitle = g_strconcat (_ ("Not available"), "\n", NULL);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), subtitle);
}

static void
show_found (DynoBackendRow *self, DynoProbe *probe)
{
  g_autoptr (JsonNode) before = self->found != NULL ? dyno_probe_to_json (self->found) : NULL;
  g_autoptr (JsonNode) now = dyno_probe_to_json (probe);

  /* An unchanged answer must neither close the row nor move the focus. */
  if (before != NULL && json_node_equal (before, now))
    return;
  g_set_object (&self->found, probe);
  /* The first choice holds until a plan or the user decides otherwise. */
  if (self->preselects)
    {
      self->restoring = TRUE;
      gtk_check_button_set_active (self->check, count_devices (self) == 0 || find_preselected (self) >= 0);
      self->restoring = FALSE;
    }

  gboolean available = dyno_backend_row_get_available (self);
  show_subtitle (self);
  if (available)
    set_state (self, "emblem-ok-symbolic", "success", _ ("Available"));
  else if (dyno_probe_get_state (self->found) == DYNO_PROBE_DEFERRED)
    set_state (self, "content-loading-symbolic", "dim-label", _ ("Not available yet"));
  else
    set_state (self, "action-unavailable-symbolic", "dim-label", _ ("Not available"));
  show_prefix (self, available);
  fill_rows (self);

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
}

static void
probe_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBackendRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = dyno_prober_probe_finish (DYNO_PROBER (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->probing);
  gtk_widget_set_visible (self->spinner, FALSE);
  if (probe == NULL)
    probe = dyno_probe_new_unsupported (error->message, NULL);
  show_found (self, probe);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBING]);
  if (self->asks_again)
    {
      self->asks_again = FALSE;
      dyno_backend_row_probe (self, DYNO_PROBER_FRESH);
    }
}

static void
check_toggled_cb (DynoBackendRow *self)
{
  if (gtk_check_button_get_active (self->check) && !has_device (self))
    check_wanted (self);
  self->preselects = self->preselects && self->restoring;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
  emit_changed (self);
}

static gboolean
probe_again_cb (gpointer user_data)
{
  DynoBackendRow *self = user_data;

  if (self->backend != NULL)
    dyno_backend_row_probe (self, DYNO_PROBER_FRESH);
  return G_SOURCE_REMOVE;
}

/* Probe later: the handler that passes the path to the engine's library may run after this one. */
static void
engine_setting_changed_cb (DynoBackendRow *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, probe_again_cb, g_object_ref (self), g_object_unref);
}

static void
dyno_backend_row_constructed (GObject *object)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);
  g_autofree char *name = dup_name (self);

  G_OBJECT_CLASS (dyno_backend_row_parent_class)->constructed (object);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), dyno_backend_get_description (self->backend));
  show_prefix (self, TRUE);
  show_subtitle (self);
  self->settings = g_settings_new (APP_ID);
  g_signal_connect_object (self->settings, "changed::" DYNO_ENGINE_PATHS_KEY,
                           G_CALLBACK (engine_setting_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
dyno_backend_row_dispose (GObject *object)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);

  if (self->probing != NULL)
    g_cancellable_cancel (self->probing);
  g_clear_object (&self->probing);
  g_clear_object (&self->backend);
  g_clear_object (&self->found);
  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_BACKEND_ROW);

  G_OBJECT_CLASS (dyno_backend_row_parent_class)->dispose (object);
}

static void
dyno_backend_row_finalize (GObject *object)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);

  g_strfreev (self->wanted);
  g_strfreev (self->wanted_options);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->checks);
  g_ptr_array_unref (self->options);

  G_OBJECT_CLASS (dyno_backend_row_parent_class)->finalize (object);
}

static void
dyno_backend_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);

  switch (prop_id)
    {
    case PROP_BACKEND:
      g_value_set_object (value, self->backend);
      break;
    case PROP_SELECTABLE:
      g_value_set_boolean (value, self->selectable);
      break;
    case PROP_SELECTED:
      g_value_set_boolean (value, dyno_backend_row_get_selected (self));
      break;
    case PROP_AVAILABLE:
      g_value_set_boolean (value, dyno_backend_row_get_available (self));
      break;
    case PROP_PROBING:
      g_value_set_boolean (value, self->probing != NULL);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_backend_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);

  switch (prop_id)
    {
    case PROP_BACKEND:
      self->backend = g_value_dup_object (value);
      break;
    case PROP_SELECTABLE:
      self->selectable = g_value_get_boolean (value);
      break;
    case PROP_SELECTED:
      dyno_backend_row_set_selected (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_backend_row_class_init (DynoBackendRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags construct = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = dyno_backend_row_constructed;
  object_class->dispose = dyno_backend_row_dispose;
  object_class->finalize = dyno_backend_row_finalize;
  object_class->get_property = dyno_backend_row_get_property;
  object_class->set_property = dyno_backend_row_set_property;

  properties[PROP_BACKEND] = g_param_spec_object ("backend", NULL, NULL, DYNO_TYPE_BACKEND, construct);
  properties[PROP_SELECTABLE] = g_param_spec_boolean ("selectable", NULL, NULL, FALSE, construct);
  properties[PROP_SELECTED] = g_param_spec_boolean (
      "selected", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_AVAILABLE] =
      g_param_spec_boolean ("available", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_PROBING] =
      g_param_spec_boolean ("probing", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-backend-row.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoBackendRow, check);
  gtk_widget_class_bind_template_child (widget_class, DynoBackendRow, state_image);
  gtk_widget_class_bind_template_child (widget_class, DynoBackendRow, spinner);
  gtk_widget_class_bind_template_callback (widget_class, check_toggled_cb);
}

static void
dyno_backend_row_init (DynoBackendRow *self)
{
  self->wanted_options = g_new0 (char *, 1);
  self->preselects = TRUE;
  self->rows = g_ptr_array_new ();
  self->checks = g_ptr_array_new ();
  self->options = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "notify::expanded", G_CALLBACK (expanded_cb), NULL);
}

DynoBackendRow *
dyno_backend_row_new (DynoBackend *backend, gboolean selectable, DynoProbe *last)
{
  DynoBackendRow *self;

  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);

  self = g_object_new (DYNO_TYPE_BACKEND_ROW, "backend", backend, "selectable", selectable, NULL);
  if (last != NULL)
    show_found (self, last);
  dyno_backend_row_probe (self, DYNO_PROBER_NONE);
  return self;
}

DynoBackend *
dyno_backend_row_get_backend (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);
  return self->backend;
}

DynoProbe *
dyno_backend_row_get_probe (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);
  return self->found;
}

gboolean
dyno_backend_row_get_available (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);
  return self->found != NULL && dyno_probe_get_state (self->found) == DYNO_PROBE_AVAILABLE;
}

gboolean
dyno_backend_row_get_probing (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);
  return self->probing != NULL;
}

gboolean
dyno_backend_row_get_selected (DynoBackendRow *self)
{
  gboolean is_candidate;

  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);

  is_candidate = self->found == NULL ? !self->preselects : dyno_backend_row_get_available (self);
  return is_candidate && gtk_check_button_get_active (self->check);
}

void
dyno_backend_row_set_selected (DynoBackendRow *self, gboolean selected)
{
  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));
  gtk_check_button_set_active (self->check, selected);
}

void
dyno_backend_row_set_folded (DynoBackendRow *self, gboolean folded)
{
  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));

  if (self->folded == folded)
    return;
  self->folded = folded;
  show_subtitle (self);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (self), folded && self->offers);
}

gboolean
dyno_backend_row_get_folded (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);
  return self->folded;
}

void
dyno_backend_row_probe (DynoBackendRow *self, DynoProberFlags flags)
{
  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));

  if (self->probing != NULL)
    {
      self->asks_again |= (flags & DYNO_PROBER_FRESH) != 0;
      return;
    }
  self->probing = g_cancellable_new ();
  if (self->found == NULL || (flags & DYNO_PROBER_FRESH) != 0)
    gtk_widget_set_visible (self->spinner, TRUE);
  dyno_prober_probe_async (dyno_prober_get_default (), self->backend, flags, self->probing, probe_cb,
                           g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBING]);
}

/* If no device is ticked, the first one is used. Before the devices are known, those of a plan count as
 * chosen. */
static char **
dup_chosen_devices (DynoBackendRow *self)
{
  g_autoptr (GStrvBuilder) devices = g_strv_builder_new ();
  gboolean only_first = TRUE;

  if (self->found == NULL)
    return self->wanted != NULL ? g_strdupv (self->wanted) : g_strv_builder_end (devices);
  for (guint i = 0; i < self->checks->len; i++)
    only_first = only_first && gtk_check_button_get_active (self->checks->pdata[i]) == (i == 0);
  for (guint i = 0; i < self->checks->len && !only_first; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      g_strv_builder_add (devices, get_device_id (self->checks->pdata[i]));
  return g_strv_builder_end (devices);
}

char **
dyno_backend_row_dup_entries (DynoBackendRow *self)
{
  g_autoptr (GStrvBuilder) entries = g_strv_builder_new ();
  g_auto (GStrv) devices = NULL;
  const char *id;

  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);

  if (!dyno_backend_row_get_selected (self))
    return g_strv_builder_end (entries);
  id = dyno_backend_get_id (self->backend);
  devices = dup_chosen_devices (self);
  if (*devices == NULL)
    g_strv_builder_add (entries, id);
  for (char **device = devices; *device != NULL; device++)
    {
      g_autofree char *entry = dyno_engine_name_dup_spec (id, *device);

      g_strv_builder_add (entries, entry);
    }
  return g_strv_builder_end (entries);
}

/* Returns the device of an entry, empty for the first one; NULL if the entry names another backend. */
static const char *
get_entry_device (DynoBackendRow *self, const char *entry)
{
  const char *id = dyno_backend_get_id (self->backend);
  gsize length = strlen (id);

  if (!g_str_has_prefix (entry, id) || (entry[length] != '\0' && entry[length] != ':'))
    return NULL;
  return entry[length] == ':' ? entry + length + 1 : "";
}

void
dyno_backend_row_select_entries (DynoBackendRow *self, const char *const *entries)
{
  g_autoptr (GStrvBuilder) devices = g_strv_builder_new ();
  gboolean named = FALSE;

  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));
  g_return_if_fail (entries != NULL);

  for (; *entries != NULL; entries++)
    {
      const char *device = get_entry_device (self, *entries);

      named = named || device != NULL;
      if (device != NULL && *device != '\0')
        g_strv_builder_add (devices, device);
    }
  g_strfreev (self->wanted);
  self->wanted = g_strv_builder_end (devices);
  check_wanted (self);
  self->preselects = FALSE;
  self->restoring = TRUE;
  dyno_backend_row_set_selected (self, named);
  self->restoring = FALSE;
}

char *
dyno_backend_row_dup_missing (DynoBackendRow *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);

  name = dup_name (self);
  if (self->found == NULL || !gtk_check_button_get_active (self->check))
    return NULL;
  if (!dyno_backend_row_get_available (self))
    return g_strdup_printf (_ ("%s is not available here: %s"), name,
                            dyno_probe_get_reason (self->found) != NULL
                                ? dyno_probe_get_reason (self->found)
                                : _ ("It cannot run on this machine."));
  for (char **device = self->wanted; device != NULL && *device != NULL; device++)
    if (dyno_probe_find_device (self->found, *device) == NULL)
      {
        DynoDevice *missing = dyno_probe_find_missing_device (self->found, *device);

        return missing != NULL ? g_strdup_printf (_ ("%s has no device “%s” here: %s"), name, *device,
                                                  dyno_device_get_reason (missing))
                               : g_strdup_printf (_ ("%s has no device “%s” here."), name, *device);
      }
  return NULL;
}

char **
dyno_backend_row_dup_options (DynoBackendRow *self)
{
  const char *usual[] = { "", NULL };
  g_auto (GStrv) alternatives = g_strdupv ((char **)usual);

  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);

  for (guint i = 0; i < self->options->len; i++)
    {
      g_auto (GStrv) values = dyno_option_row_dup_values (self->options->pdata[i]);
      char **product;

      if (*values == NULL)
        continue;

      /* Combines each alternative so far with each value of one more option. */
      g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
      for (char **alternative = alternatives; *alternative != NULL; alternative++)
        for (char **value = values; *value != NULL; value++)
          {
            const char *comma = **alternative != '\0' ? "," : "";
            g_autofree char *text = g_strdup_printf (
                "%s%s%s=%s", *alternative, comma, dyno_option_row_get_name (self->options->pdata[i]), *value);

            g_strv_builder_add (all, text);
          }
      product = g_strv_builder_end (all);

      g_strfreev (alternatives);
      alternatives = product;
    }
  if (*alternatives[0] == '\0')
    return g_new0 (char *, 1);
  return g_steal_pointer (&alternatives);
}

void
dyno_backend_row_set_options (DynoBackendRow *self, const char *const *alternatives)
{
  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));
  g_return_if_fail (alternatives != NULL);

  g_strfreev (self->wanted_options);
  self->wanted_options = g_strdupv ((char **)alternatives);
  if (wants_options (self))
    add_options (self);
  show_options (self, alternatives);
}

const char *
dyno_backend_row_get_problem (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);

  for (guint i = 0; i < self->options->len; i++)
    if (dyno_option_row_get_problem (self->options->pdata[i]) != NULL)
      return dyno_option_row_get_problem (self->options->pdata[i]);
  return NULL;
}
