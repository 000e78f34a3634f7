/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-backend.h"
#include "dyno-engine-name.h"
#include "dyno-model-description.h"
#include "dyno-session.h"

#define N_NUMBERS 4

G_DECLARE_FINAL_TYPE (DynoNewcomerSession, dyno_newcomer_session, DYNO, NEWCOMER_SESSION, DynoSession)
G_DECLARE_FINAL_TYPE (DynoNewcomerBackend, dyno_newcomer_backend, DYNO, NEWCOMER_BACKEND, DynoBackend)

struct _DynoNewcomerSession
{
  DynoSession parent_instance;

  double numbers[N_NUMBERS];
};

struct _DynoNewcomerBackend
{
  DynoBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoNewcomerSession, dyno_newcomer_session, DYNO_TYPE_SESSION)
G_DEFINE_FINAL_TYPE (DynoNewcomerBackend, dyno_newcomer_backend, DYNO_TYPE_BACKEND)

static gboolean
dyno_newcomer_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  for (guint i = 0; i < N_NUMBERS; i++)
    DYNO_NEWCOMER_SESSION (session)->numbers[i] = dyno_tensor_get_number (tensors->pdata[0], i);
  return TRUE;
}

static gboolean
dyno_newcomer_session_run (DynoSession *session, GError **error)
{
  return TRUE;
}

static GPtrArray *
dyno_newcomer_session_get_outputs (DynoSession *session, GError **error)
{
  const DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 1, { N_NUMBERS } };
  GPtrArray *outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  DynoTensor *tensor = dyno_tensor_new ("doubled", &shape);

  for (guint i = 0; i < N_NUMBERS; i++)
    dyno_tensor_set_number (tensor, i, 2 * DYNO_NEWCOMER_SESSION (session)->numbers[i]);
  g_ptr_array_add (outputs, tensor);
  return outputs;
}

static GPtrArray *
dyno_newcomer_session_end_profile (DynoSession *session, GError **error)
{
  dyno_session_set_not_recording (error);
  return NULL;
}

static void
dyno_newcomer_session_class_init (DynoNewcomerSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  session_class->set_inputs = dyno_newcomer_session_set_inputs;
  session_class->run = dyno_newcomer_session_run;
  session_class->get_outputs = dyno_newcomer_session_get_outputs;
  session_class->end_profile = dyno_newcomer_session_end_profile;
}

static void
dyno_newcomer_session_init (DynoNewcomerSession *self)
{
}

static DynoModelDescription *
describe (const char *path, GError **error)
{
  static const char *const names[] = { "numbers", "doubled" };
  DynoModelDescription *description = dyno_model_description_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      DynoTensorInfo *info = dyno_tensor_info_new (names[i], DYNO_DATA_TYPE_FLOAT);

      dyno_tensor_info_add_size (info, N_NUMBERS);
      g_ptr_array_add (i == 0 ? description->inputs : description->outputs, info);
    }
  description->architecture = g_strdup ("fresh");
  description->weight_mix = g_strdup ("");
  return description;
}

static const DynoEngineFormat format = {
  .family = { "fresh", N_ ("Fresh file"), N_ ("Fresh Files") },
  .name = "Fresh",
  .suffix = "fresh",
  .magic = "FRESH",
  .backend = "newcomer",
  .answer = N_ ("that of the newcomer"),
  .outputs = "the outputs of the newcomer",
  .describe = describe,
};

static const DynoEngineName engine_name = {
  "newcomer", "Newcomer Engine", "Chair", { { "chair", "Chair" } }
};

static const DynoEnginePath paths[] = {
  { "newcomer", "DYNO_NEWCOMER", N_ ("Newcomer Library") },
  { NULL },
};

static DynoProbe *
dyno_newcomer_backend_probe (DynoBackend *backend, GCancellable *cancellable)
{
  g_autofree char *path = dyno_engine_path_dup ("DYNO_NEWCOMER");
  DynoProbe *probe;

  if (path != NULL)
    return dyno_probe_new_unsupported (path, NULL);
  probe = dyno_probe_new_available ("Newcomer 1.0");
  dyno_probe_take_device (probe, dyno_device_new_processor ("chair", NULL));
  return probe;
}

static DynoSession *
dyno_newcomer_backend_open (DynoBackend *backend,
                            const char *path,
                            const DynoSessionOptions *options,
                            GError **error)
{
  return g_object_new (dyno_newcomer_session_get_type (), NULL);
}

static void
dyno_newcomer_backend_class_init (DynoNewcomerBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);

  dyno_engine_name_add (&engine_name);
  backend_class->id = "newcomer";
  backend_class->name = N_ ("Newcomer");
  backend_class->description = N_ ("An engine of somebody else.");
  backend_class->format = dyno_engine_format_add (&format);
  backend_class->paths = paths;
  backend_class->probe = dyno_newcomer_backend_probe;
  backend_class->open = dyno_newcomer_backend_open;
}

static void
dyno_newcomer_backend_init (DynoNewcomerBackend *self)
{
}
