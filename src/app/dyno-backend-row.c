/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-backend-row"

#include "config.h"

#include <glib/gi18n.h>

#include "dyno-backend-row.h"

struct _DynoBackendRow
{
  AdwActionRow parent_instance;

  DynoBackend *backend;
  GSettings *settings;
  GCancellable *probing;
  gboolean selectable;
  gboolean available;

  GtkCheckButton *check;
  GtkImage *state_image;
  GtkSpinner *spinner;
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

G_DEFINE_FINAL_TYPE (DynoBackendRow, dyno_backend_row, ADW_TYPE_ACTION_ROW)

static GParamSpec *properties[N_PROPS];

static char *
describe_device (DynoDevice *device)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  gint64 memory = dyno_device_get_memory (device);

  g_ptr_array_add (parts, g_strdup (dyno_device_get_name (device)));
  if (memory > 0)
    g_ptr_array_add (parts, g_format_size ((guint64)memory));
  if (dyno_device_get_driver (device) != NULL)
    g_ptr_array_add (parts, g_strdup (dyno_device_get_driver (device)));
  if (dyno_device_get_precisions (device) != NULL && *dyno_device_get_precisions (device) != NULL)
    g_ptr_array_add (parts, g_strjoinv (", ", (char **)dyno_device_get_precisions (device)));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}

static char *
describe_available (DynoProbe *probe)
{
  GListModel *devices = dyno_probe_get_devices (probe);
  GString *text = g_string_new (dyno_probe_get_runtime (probe));

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);
      g_autofree char *description = describe_device (device);

      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", description);
    }
  return g_string_free (text, FALSE);
}

static char *
describe_missing (DynoProbe *probe)
{
  const char *reason = dyno_probe_get_reason (probe);
  const char *remedy = dyno_probe_get_remedy (probe);

  if (reason == NULL)
    reason = _ ("It cannot run on this machine.");
  return remedy != NULL ? g_strdup_printf ("%s\n%s", reason, remedy) : g_strdup (reason);
}

static void
set_state (DynoBackendRow *self, const char *icon_name, const char *css_class, const char *label)
{
  gtk_image_set_from_icon_name (self->state_image, icon_name);
  gtk_widget_set_css_classes (GTK_WIDGET (self->state_image), (const char *[]){ css_class, NULL });
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->state_image), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->state_image), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

static void
show_probe (DynoBackendRow *self, DynoProbe *probe)
{
  DynoProbeState state = dyno_probe_get_state (probe);
  g_autofree char *subtitle = NULL;

  self->available = state == DYNO_PROBE_AVAILABLE;
  subtitle = self->available ? describe_available (probe) : describe_missing (probe);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  if (self->available)
    set_state (self, "emblem-ok-symbolic", "success", _ ("Available"));
  else if (state == DYNO_PROBE_DEFERRED)
    set_state (self, "content-loading-symbolic", "dim-label", _ ("Not available yet"));
  else
    set_state (self, "action-unavailable-symbolic", "dim-label", _ ("Not available"));
  /* The row itself stays sensitive: its reason is to be read. */
  gtk_widget_set_sensitive (GTK_WIDGET (self->check), self->available);
}

static void
probe_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBackendRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = dyno_backend_probe_finish (DYNO_BACKEND (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->probing);
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
  if (probe == NULL)
    probe = dyno_probe_new_unsupported (error->message, NULL);
  show_probe (self, probe);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBING]);
}

static void
check_toggled_cb (DynoBackendRow *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
}

static gboolean
probe_again_cb (gpointer user_data)
{
  DynoBackendRow *self = user_data;

  if (self->backend != NULL)
    dyno_backend_row_probe (self);
  return G_SOURCE_REMOVE;
}

/* Not at once: whoever passes the path on to the runtime's library may hear of it later. */
static void
runtime_path_changed_cb (DynoBackendRow *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, probe_again_cb, g_object_ref (self), g_object_unref);
}

static void
dyno_backend_row_constructed (GObject *object)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);
  const char *name = dyno_backend_get_name (self->backend);

  G_OBJECT_CLASS (dyno_backend_row_parent_class)->constructed (object);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), dyno_backend_get_description (self->backend));
  gtk_widget_set_visible (GTK_WIDGET (self->check), self->selectable);
  gtk_widget_set_visible (GTK_WIDGET (self->state_image), !self->selectable);
  if (self->selectable)
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), GTK_WIDGET (self->check));
  self->settings = g_settings_new (APP_ID);
  g_signal_connect_object (self->settings, "changed::runtime-path", G_CALLBACK (runtime_path_changed_cb),
                           self, G_CONNECT_SWAPPED);
  dyno_backend_row_probe (self);
}

static void
dyno_backend_row_dispose (GObject *object)
{
  DynoBackendRow *self = DYNO_BACKEND_ROW (object);

  if (self->probing != NULL)
    g_cancellable_cancel (self->probing);
  g_clear_object (&self->probing);
  g_clear_object (&self->backend);
  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_BACKEND_ROW);

  G_OBJECT_CLASS (dyno_backend_row_parent_class)->dispose (object);
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
      g_value_set_boolean (value, self->available);
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

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-backend-row.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoBackendRow, check);
  gtk_widget_class_bind_template_child (widget_class, DynoBackendRow, state_image);
  gtk_widget_class_bind_template_child (widget_class, DynoBackendRow, spinner);
  gtk_widget_class_bind_template_callback (widget_class, check_toggled_cb);
}

static void
dyno_backend_row_init (DynoBackendRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * dyno_backend_row_new:
 * @backend: a backend
 * @selectable: whether it can be ticked
 *
 * Starts to probe at once, in a thread.
 *
 * Returns: (transfer floating): a new row
 */
DynoBackendRow *
dyno_backend_row_new (DynoBackend *backend, gboolean selectable)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);
  return g_object_new (DYNO_TYPE_BACKEND_ROW, "backend", backend, "selectable", selectable, NULL);
}

DynoBackend *
dyno_backend_row_get_backend (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), NULL);
  return self->backend;
}

gboolean
dyno_backend_row_get_available (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);
  return self->available;
}

gboolean
dyno_backend_row_get_probing (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);
  return self->probing != NULL;
}

/**
 * dyno_backend_row_get_selected:
 * @self: a row
 *
 * Returns: whether it is ticked and can measure
 */
gboolean
dyno_backend_row_get_selected (DynoBackendRow *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND_ROW (self), FALSE);
  return self->available && gtk_check_button_get_active (self->check);
}

void
dyno_backend_row_set_selected (DynoBackendRow *self, gboolean selected)
{
  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));
  gtk_check_button_set_active (self->check, selected);
}

/**
 * dyno_backend_row_probe:
 * @self: a row
 *
 * Asks the backend again; does nothing while an answer is still awaited.
 */
void
dyno_backend_row_probe (DynoBackendRow *self)
{
  g_return_if_fail (DYNO_IS_BACKEND_ROW (self));

  if (self->probing != NULL)
    return;
  self->probing = g_cancellable_new ();
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  gtk_spinner_start (self->spinner);
  dyno_backend_probe_async (self->backend, self->probing, probe_cb, g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBING]);
}
