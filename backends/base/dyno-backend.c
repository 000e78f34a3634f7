/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-backend-registry.h"
#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-manifest.h"
#include "dyno-plugins.h"
#include "dyno-shared-list.h"
#include "dyno-trial.h"

enum
{
  PROP_0,
  PROP_ID,
  PROP_NAME,
  PROP_DESCRIPTION,
  N_PROPS
};

G_DEFINE_ABSTRACT_TYPE (DynoBackend, dyno_backend, G_TYPE_OBJECT)

/* A token attends to itself and another. */
#define LEAST_WINDOW 2

static const char *const attentions[] = { "decomposed", "fused", NULL };

/* These options belong to the model, whatever the engine. */
static const DynoBackendOption common_options[] = {
  { "attention",
    N_ ("Attention as products and a softmax, or fused into one operator of ONNX Runtime’s, for which the "
        "engine chooses the kernel: flash attention or another."),
    attentions },
  { "window",
    N_ ("Tokens that the layers with a sliding window attend to, in place of the number in the model’s "
        "config."),
    NULL, LEAST_WINDOW },
  { NULL },
};

static const DynoBackendOption library_options[] = {
  { DYNO_BACKEND_LIBRARY, N_ ("The library of the engine that runs the case, in place of the usual one."),
    .is_path = TRUE },
  { NULL },
};

const char *const dyno_backend_optimisations[] = { "all", "extended", "basic", "none", NULL };

static GParamSpec *properties[N_PROPS];

static gboolean
dyno_backend_real_is_present (DynoBackend *self)
{
  return TRUE;
}

static gboolean
dyno_backend_real_start (DynoBackend *self, GError **error)
{
  return TRUE;
}

static void
dyno_backend_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoBackend *self = DYNO_BACKEND (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, dyno_backend_get_id (self));
      break;
    case PROP_NAME:
      g_value_set_string (value, dyno_backend_get_name (self));
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, dyno_backend_get_description (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_backend_class_init (DynoBackendClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = dyno_backend_get_property;
  klass->options = common_options;
  klass->probe_seconds = 20;
  klass->is_present = dyno_backend_real_is_present;
  klass->start = dyno_backend_real_start;

  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_backend_init (DynoBackend *self)
{
}

static guint
count_options (const DynoBackendOption *options)
{
  guint n = 0;

  while (options != NULL && options[n].name != NULL)
    n++;
  return n;
}

void
dyno_backend_class_add_options (DynoBackendClass *self, const DynoBackendOption *options)
{
  guint n_own = count_options (options);
  guint n_inherited = count_options (self->options);
  DynoBackendOption *all = g_new0 (DynoBackendOption, n_own + n_inherited + 1); /* classes live forever */
  const DynoBackendClass *parent = g_type_class_peek_parent (self);

  memcpy (all, options, n_own * sizeof *all);
  if (n_inherited > 0)
    memcpy (all + n_own, self->options, n_inherited * sizeof *all);
  if (self->options != parent->options)
    g_free ((gpointer)self->options);
  self->options = all;
}

void
dyno_backend_class_take_library (DynoBackendClass *self, const char *variable)
{
  self->library = variable;
  dyno_backend_class_add_options (self, library_options);
}

const char *
dyno_backend_get_id (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  return DYNO_BACKEND_GET_CLASS (self)->id;
}

const char *
dyno_backend_get_name (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  return _ (DYNO_BACKEND_GET_CLASS (self)->name);
}

const char *
dyno_backend_get_description (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  return _ (DYNO_BACKEND_GET_CLASS (self)->description);
}

const DynoBackendOption *
dyno_backend_get_options (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  return DYNO_BACKEND_GET_CLASS (self)->options;
}

char *
dyno_backend_option_dup_possible (const DynoBackendOption *option)
{
  if (option->values != NULL)
    return g_strjoinv (", ", (char **)option->values);
  if (option->is_path)
    return g_strdup (_ ("the full path of a file"));
  if (option->most == 0 && option->least == 0)
    return g_strdup (_ ("a whole number"));
  if (option->most == 0)
    return g_strdup_printf (_ ("a whole number from %u"), option->least);
  return g_strdup_printf (_ ("a whole number from %u to %u"), option->least, option->most);
}

gboolean
dyno_backend_check_precision (DynoBackend *self, const char *precision, GError **error)
{
  if (precision == NULL || g_strv_contains (dyno_trial_list (), precision))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("There is no precision “%s” that the backend “%s” could compute in."), precision,
               dyno_backend_get_id (self));
  return FALSE;
}

gboolean
dyno_backend_fail_without_device (DynoBackend *self, const char *device, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The backend “%s” has no device “%s”."),
               dyno_backend_get_id (self), device);
  return FALSE;
}

gboolean
dyno_backend_check_option (DynoBackend *self, const char *name, const char *value, GError **error)
{
  const DynoBackendOption *option = dyno_backend_get_options (self);
  g_autofree char *possible = NULL;
  gboolean fits;
  guint64 number;

  g_return_val_if_fail (DYNO_IS_BACKEND (self), FALSE);

  while (option != NULL && option->name != NULL && !g_str_equal (option->name, name))
    option++;
  if (option == NULL || option->name == NULL)
    {
      const DynoBackendOption *known = dyno_backend_get_options (self);
      g_autoptr (GString) text = g_string_new (NULL);

      for (; known != NULL && known->name != NULL; known++)
        g_string_append_printf (text, "%s“%s”", text->len > 0 ? ", " : "", known->name);
      if (text->len == 0)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("The backend “%s” has no options of its own, so “%s” must be left out."),
                     dyno_backend_get_id (self), name);
      else
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("The backend “%s” has no option “%s”. It has: %s."), dyno_backend_get_id (self), name,
                     text->str);
      return FALSE;
    }
  if (option->is_path)
    fits = g_path_is_absolute (value);
  else if (option->values != NULL)
    fits = g_strv_contains (option->values, value);
  else
    fits = g_ascii_string_to_unsigned (value, 10, option->least, option->most > 0 ? option->most : G_MAXUINT,
                                       &number, NULL);
  if (fits)
    return TRUE;
  possible = dyno_backend_option_dup_possible (option);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The option “%s” of the backend “%s” cannot be “%s”. It can be: %s."), name,
               dyno_backend_get_id (self), value, possible);
  return FALSE;
}

guint
dyno_backend_get_probe_seconds (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), 0);
  return DYNO_BACKEND_GET_CLASS (self)->probe_seconds;
}

const DynoEnginePath *
dyno_backend_get_paths (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  return DYNO_BACKEND_GET_CLASS (self)->paths;
}

const char *
dyno_backend_get_library_variable (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  return DYNO_BACKEND_GET_CLASS (self)->library;
}

char *
dyno_backend_dup_fingerprint (DynoBackend *self)
{
  DynoBackendClass *klass;

  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);

  klass = DYNO_BACKEND_GET_CLASS (self);
  return klass->fingerprint != NULL ? klass->fingerprint (self) : NULL;
}

const char *
dyno_backend_get_runs_alone (DynoBackend *self)
{
  const char *reason;

  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);

  reason = DYNO_BACKEND_GET_CLASS (self)->runs_alone;
  return reason != NULL ? _ (reason) : NULL;
}

gboolean
dyno_backend_wants_set_uid (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), FALSE);
  return DYNO_BACKEND_GET_CLASS (self)->wants_set_uid;
}

char *
dyno_backend_check_model (DynoBackend *self, const DynoModelNeeds *needs)
{
  DynoBackendClass *klass;

  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  g_return_val_if_fail (needs != NULL, NULL);

  klass = DYNO_BACKEND_GET_CLASS (self);
  return klass->check_model != NULL ? klass->check_model (self, needs) : NULL;
}

DynoProbe *
dyno_backend_probe (DynoBackend *self, GCancellable *cancellable)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);

  return DYNO_BACKEND_GET_CLASS (self)->probe (self, cancellable);
}

const char *
dyno_backend_choose_device (DynoBackend *self, DynoProbe *probe, const char *id)
{
  DynoDevice *first;

  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  g_return_val_if_fail (DYNO_IS_PROBE (probe), NULL);

  if (id != NULL && *id != '\0')
    return id;
  if (DYNO_BACKEND_GET_CLASS (self)->default_device != NULL)
    return DYNO_BACKEND_GET_CLASS (self)->default_device;
  first = dyno_probe_find_device (probe, NULL);
  return first != NULL ? dyno_device_get_id (first) : NULL;
}

DynoDevice *
dyno_backend_find_device (DynoBackend *self, DynoProbe *probe, const char *id)
{
  const char *chosen = dyno_backend_choose_device (self, probe, id);

  DynoDevice *device = chosen != NULL ? dyno_probe_find_device (probe, chosen) : NULL;

  return device == NULL && chosen != NULL && dyno_backend_serves (self)
             ? DYNO_BACKEND_GET_CLASS (self)->name_device (self, chosen)
             : device;
}

gboolean
dyno_backend_serves (DynoBackend *self)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), FALSE);

  return DYNO_BACKEND_GET_CLASS (self)->name_device != NULL;
}

DynoModelFormat
dyno_backend_get_format (DynoBackend *self)
{
  return dyno_backend_serves (self) ? DYNO_MODEL_FORMAT_SERVED : DYNO_BACKEND_GET_CLASS (self)->format;
}

gboolean
dyno_backend_start (DynoBackend *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), FALSE);

  return DYNO_BACKEND_GET_CLASS (self)->start (self, error);
}

static gboolean
quantise_cb (const char *from, const char *to, const char *precision, gpointer data, GError **error)
{
  return DYNO_BACKEND_GET_CLASS (data)->quantise (data, from, to, precision, error);
}

char *
dyno_backend_prepare (DynoBackend *self,
                      DynoModel *model,
                      const DynoModelCalibration *calibration,
                      guint64 seed,
                      GError **error)
{
  g_autofree char *version = NULL;
  DynoModelQuantiser quantiser = { NULL, quantise_cb, self };
  gboolean quantises;

  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  quantises = DYNO_BACKEND_GET_CLASS (self)->quantise != NULL;
  quantiser.version = version = quantises ? dyno_backend_dup_fingerprint (self) : NULL;
  return dyno_model_prepare_with (model, calibration, quantises ? &quantiser : NULL, seed, NULL, error);
}

static DynoSession *
open_stage (gpointer self, const char *onnx_path, const DynoSessionOptions *options, GError **error)
{
  return DYNO_BACKEND_GET_CLASS (self)->open (self, onnx_path, options, error);
}

DynoSession *
dyno_backend_open (DynoBackend *self,
                   const char *onnx_path,
                   const DynoSessionOptions *options,
                   GError **error)
{
  g_return_val_if_fail (DYNO_IS_BACKEND (self), NULL);
  g_return_val_if_fail (onnx_path != NULL, NULL);
  g_return_val_if_fail (options != NULL, NULL);

  if (dyno_manifest_is_path (onnx_path))
    return dyno_staged_session_new (onnx_path, options, open_stage, self, error);
  return open_stage (self, onnx_path, options, error);
}

static void
add_backend (GListModel *list, GType type)
{
  g_autoptr (DynoBackend) backend = g_object_new (type, NULL);

  if (DYNO_BACKEND_GET_CLASS (backend)->is_present (backend))
    dyno_shared_list_append (list, backend);
}

GListModel *
dyno_backend_list (void)
{
  static GListModel *list;

  if (g_once_init_enter (&list))
    {
      GListModel *backends = dyno_shared_list_new (DYNO_TYPE_BACKEND);
      g_autoptr (GArray) plugins = dyno_plugins_list_types (DYNO_TYPE_BACKEND);

      for (guint i = 0; i < plugins->len; i++)
        add_backend (backends, g_array_index (plugins, GType, i));
      for (guint i = 0; backend_types[i] != NULL; i++)
        add_backend (backends, backend_types[i]());
      g_once_init_leave (&list, backends);
    }
  return g_object_ref (list);
}

DynoBackend *
dyno_backend_lookup (const char *id, GError **error)
{
  g_autoptr (GListModel) list = dyno_backend_list ();
  g_autoptr (GString) known = g_string_new (NULL);

  g_return_val_if_fail (id != NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (list, i);

      if (g_str_equal (dyno_backend_get_id (backend), id))
        return backend; /* owned by the list */
      g_string_append_printf (known, "%s“%s”", i > 0 ? ", " : "", dyno_backend_get_id (backend));
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("There is no backend “%s”. Known backends: %s."),
               id, known->str);
  return NULL;
}

DynoBackend *
dyno_backend_lookup_spec (const char *spec, char **device, GError **error)
{
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (spec != NULL, NULL);

  /* A device's id may contain colons, as a PCI address does; a backend's does not. */
  parts = g_strsplit (spec, ":", 2);
  if (parts[0] != NULL && parts[1] != NULL && *parts[1] == '\0')
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” names no device after the colon. Write “%s”, or “%s:” and a device that "
                      "“dyno-cli hardware” lists."),
                   spec, parts[0], parts[0]);
      return NULL;
    }
  if (device != NULL)
    *device = g_strdup (parts[0] != NULL && parts[1] != NULL ? parts[1] : "");
  return dyno_backend_lookup (parts[0] != NULL ? parts[0] : "", error);
}
