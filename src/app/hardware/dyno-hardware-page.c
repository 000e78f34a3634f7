/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-engines-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-diagnostic.h"
#include "dyno-ort.h"
#include "dyno-sandbox.h"

struct _DynoHardwarePage
{
  DynoPage parent_instance;

  GCancellable *loading;
  gboolean loaded;

  GtkStack *stack;
  GtkScrolledWindow *switcher_window;
  GtkStack *section_stack;
  GtkWidget *sandbox_banner;
  GtkLabel *sandbox_label;
  AdwStatusPage *error_page;
  DynoMachineFactsList *facts_list;
  GtkLabel *topology_label;
  DynoTopologyView *topology_view;
  GtkListBox *findings_list;
  DynoBackendGroup *backend_group;
  GtkListBox *runtimes_list;
  DynoCeilingsView *ceilings_view;
  DynoNoiseFloorRow *noise_floor_row;
};

enum
{
  PROP_0,
  PROP_LOADING,
  N_PROPS
};

/* The findings of a thread. */
typedef struct
{
  DynoMachine *machine;
  GPtrArray *findings;
  DynoTopologyNode *topology;
  GListModel *runtimes;
} Survey;

G_DEFINE_FINAL_TYPE (DynoHardwarePage, dyno_hardware_page, DYNO_TYPE_PAGE)

static GParamSpec *properties[N_PROPS];

static void
survey_free (Survey *survey)
{
  g_clear_object (&survey->machine);
  g_clear_object (&survey->runtimes);
  g_clear_pointer (&survey->findings, g_ptr_array_unref);
  g_clear_pointer (&survey->topology, dyno_topology_node_unref);
  g_free (survey);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Survey, survey_free)

static void
append_row (GtkListBox *list_box,
            const char *icon_name,
            const char *css_class,
            const char *title,
            const char *subtitle)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle",
                                 subtitle != NULL ? subtitle : "", "title-lines", 0, NULL);
  GtkWidget *image = g_object_new (GTK_TYPE_IMAGE, "icon-name", icon_name, "accessible-role",
                                   GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  gtk_widget_add_css_class (image, css_class);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), image);
  gtk_list_box_append (list_box, row);
}

static void
append_finding (DynoHardwarePage *self, DynoDiagnostic *finding)
{
  const char *message = dyno_diagnostic_get_message (finding);

  /* The message of a result is about the time before the measurement. */
  if (g_str_equal (dyno_diagnostic_get_code (finding), "machine-load"))
    message = _ ("Other programs keep the CPU busy. Close them before you measure.");
  switch (dyno_diagnostic_get_severity (finding))
    {
    case DYNO_SEVERITY_INFO:
      append_row (self->findings_list, "dialog-information-symbolic", "accent", message, NULL);
      break;
    case DYNO_SEVERITY_WARNING:
      append_row (self->findings_list, "dialog-warning-symbolic", "warning", message, NULL);
      break;
    case DYNO_SEVERITY_ERROR:
    default:
      append_row (self->findings_list, "dialog-error-symbolic", "error", message, NULL);
    }
}

static void
show_survey (DynoHardwarePage *self, Survey *survey)
{
  g_autofree char *description = dyno_topology_node_describe (survey->topology);

  dyno_machine_facts_list_set_machine (self->facts_list, survey->machine);
  dyno_topology_view_set_node (self->topology_view, survey->topology);
  gtk_label_set_label (self->topology_label, description);
  dyno_list_box_clear (self->findings_list);
  for (guint i = 0; i < survey->findings->len; i++)
    append_finding (self, g_ptr_array_index (survey->findings, i));
  if (survey->findings->len == 0)
    append_row (self->findings_list, "emblem-ok-symbolic", "success", _ ("Ready to measure"),
                _ ("Nothing was found that would make results doubtful."));
  dyno_list_box_clear (self->runtimes_list);
  for (guint i = 0; i < g_list_model_get_n_items (survey->runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (survey->runtimes, i);

      g_autofree char *title = NULL;
      g_autofree char *providers = NULL;
      g_autofree char *subtitle = NULL;
      if (!dyno_ort_runtime_is_usable (runtime))
        {
          subtitle = g_strdup_printf ("%s\n%s", dyno_ort_runtime_get_path (runtime),
                                      dyno_ort_runtime_get_problem (runtime));
          append_row (self->runtimes_list, "action-unavailable-symbolic", "dim-label", _ ("ONNX Runtime"),
                      subtitle);
          continue;
        }
      /* Translators: %s is a version, such as 1.22.0 */
      title = g_strdup_printf (_ ("ONNX Runtime %s"), dyno_ort_runtime_get_version (runtime));
      providers = g_strjoinv (", ", (char **)dyno_ort_runtime_get_providers (runtime));
      subtitle = g_strdup_printf ("%s\n%s", dyno_ort_runtime_get_path (runtime), providers);
      append_row (self->runtimes_list, "emblem-ok-symbolic", "success", title, subtitle);
    }
  if (g_list_model_get_n_items (survey->runtimes) == 0)
    append_row (self->runtimes_list, "dialog-information-symbolic", "accent", _ ("No Runtime Found"),
                dyno_ort_library_get_remedy ());
  gtk_stack_set_visible_child_name (self->stack, "content");
}

static void
load_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (Survey) survey = g_new0 (Survey, 1);
  g_autoptr (DynoTopology) topology = NULL;
  GError *error = NULL;

  survey->machine = dyno_machine_snapshot (&error);
  if (survey->machine != NULL)
    topology = dyno_topology_load_with_devices (&error);
  if (topology == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  survey->topology = dyno_topology_node_new_from_topology (topology);
  survey->findings = dyno_machine_lint (survey->machine, TRUE);
  survey->runtimes = dyno_ort_library_list_found ();
  for (guint i = 0; i < g_list_model_get_n_items (survey->runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (survey->runtimes, i);

      dyno_engine_library_inspect (DYNO_ENGINE_LIBRARY (runtime), NULL);
    }
  g_task_return_pointer (task, g_steal_pointer (&survey), (GDestroyNotify)survey_free);
}

static void
load_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoHardwarePage *self = DYNO_HARDWARE_PAGE (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (Survey) survey = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *description = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "hardware.refresh", TRUE);
  if (survey != NULL)
    show_survey (self, survey);
  else
    {
      description = g_markup_escape_text (error->message, -1);
      adw_status_page_set_description (self->error_page, description);
      gtk_stack_set_visible_child_name (self->stack, "error");
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
load (DynoHardwarePage *self)
{
  if (self->loading != NULL)
    return;
  self->loading = g_cancellable_new ();
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "hardware.refresh", FALSE);
  dyno_thread_task_run (self, self->loading, load_thread, NULL, NULL, load_cb);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
refresh_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHardwarePage *self = DYNO_HARDWARE_PAGE (widget);

  dyno_backend_group_probe (self->backend_group, DYNO_PROBER_FRESH);
  load (self);
}

static void
compatibility_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  GtkWidget *window = dyno_compatibility_window_new (dyno_page_get_session (DYNO_PAGE (widget)));

  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (widget)));
  gtk_window_present (GTK_WINDOW (window));
}

static void
dyno_hardware_page_map (GtkWidget *widget)
{
  DynoHardwarePage *self = DYNO_HARDWARE_PAGE (widget);

  GTK_WIDGET_CLASS (dyno_hardware_page_parent_class)->map (widget);

  if (self->loaded)
    return;
  self->loaded = TRUE;
  dyno_ceilings_view_set_session (self->ceilings_view, dyno_page_get_session (DYNO_PAGE (self)));
  dyno_noise_floor_row_set_session (self->noise_floor_row, dyno_page_get_session (DYNO_PAGE (self)));
  load (self);
}

static void
dyno_hardware_page_dispose (GObject *object)
{
  DynoHardwarePage *self = DYNO_HARDWARE_PAGE (object);

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_HARDWARE_PAGE);

  G_OBJECT_CLASS (dyno_hardware_page_parent_class)->dispose (object);
}

static void
dyno_hardware_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoHardwarePage *self = DYNO_HARDWARE_PAGE (object);

  switch (prop_id)
    {
    case PROP_LOADING:
      g_value_set_boolean (value, self->loading != NULL);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_hardware_page_class_init (DynoHardwarePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_hardware_page_dispose;
  object_class->get_property = dyno_hardware_page_get_property;
  widget_class->map = dyno_hardware_page_map;

  properties[PROP_LOADING] =
      g_param_spec_boolean ("loading", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_BACKEND_GROUP);
  g_type_ensure (DYNO_TYPE_CEILINGS_VIEW);
  g_type_ensure (DYNO_TYPE_MACHINE_FACTS_LIST);
  g_type_ensure (DYNO_TYPE_NOISE_FLOOR_ROW);
  g_type_ensure (DYNO_TYPE_SENSORS_VIEW);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  g_type_ensure (DYNO_TYPE_TOPOLOGY_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-hardware-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, switcher_window);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, section_stack);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, sandbox_banner);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, sandbox_label);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, error_page);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, facts_list);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, topology_label);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, topology_view);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, findings_list);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, backend_group);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, runtimes_list);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, ceilings_view);
  gtk_widget_class_bind_template_child (widget_class, DynoHardwarePage, noise_floor_row);
  gtk_widget_class_install_action (widget_class, "hardware.refresh", NULL, refresh_action);
  gtk_widget_class_install_action (widget_class, "hardware.compatibility", NULL, compatibility_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F5, 0, "hardware.refresh", NULL);
}

static void
dyno_hardware_page_init (DynoHardwarePage *self)
{
  const char *note = dyno_sandbox_get_note ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_scrolled_window_set_child (self->switcher_window,
                                 dyno_compat_switcher_new (self->section_stack, _ ("Sections")));
  gtk_widget_set_visible (self->sandbox_banner, note != NULL);
  gtk_label_set_label (self->sandbox_label, note != NULL ? note : "");
}

gboolean
dyno_hardware_page_get_loading (DynoHardwarePage *self)
{
  g_return_val_if_fail (DYNO_IS_HARDWARE_PAGE (self), FALSE);
  return self->loading != NULL;
}

const DynoPageInfo dyno_hardware_page_info = { "hardware",   N_ ("_Hardware"), "dyno-hardware-symbolic",
                                               "<Control>4", "backends.html",  dyno_hardware_page_get_type };
