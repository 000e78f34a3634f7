/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-litert-private.h"
#include "dyno-port.h"
#include "dyno-tensor.h"
#include "dyno-topology.h"

/* GPUs compute in half precision unless they are told otherwise. */
#define GPU_OPTIONS "precision = 2\n"

/* Each slot has buffers of its own for all inputs, so that a run copies nothing. */
typedef struct
{
  LiteRtBuffer **inputs;
  gboolean *is_set;
  gsize n_missing;
} Slot;

struct _DynoLitertSession
{
  DynoSession parent_instance;

  /* Read by each run. */
  const LiteRtApi *api;
  LiteRtCompiledModel *compiled;
  Slot *slots;
  guint n_slots;
  guint next_slot;
  gsize n_inputs;
  gsize n_outputs;
  LiteRtBuffer **outputs; /* NULL until the sizes of the inputs are known */
  gboolean waits;         /* whether a run must wait for an accelerator */
  DynoLitertProfile *profile;
  GPtrArray *profile_values; /* NULL until a profile ended */

  char *path;
  const LiteRtTarget *target;
  LiteRtFile *file;
  DynoLitertSession *owner; /* (nullable): the session whose file a lane shares */
  guint threads;
  const char *kernels;
  gboolean lists_graph; /* whether its profile is the graph of the file, for the shapes */
  DynoPort *inputs;     /* as the file declares them */
  DynoPort *results;
  LiteRtTensorType *input_types; /* as they are now, in each slot */
  LiteRtTensorType *output_types;
};

G_DEFINE_FINAL_TYPE (DynoLitertSession, dyno_litert_session, DYNO_TYPE_SESSION)

static const char *const kernels[] = { "xnnpack", "builtin", "reference", NULL };

static const DynoBackendOption all_options[] = {
  { "kernels",
    N_ ("Which kernels run the operators: those of XNNPACK where it has any, LiteRT’s own, or its slow ones "
        "for reference."),
    kernels },
  { NULL },
};

const DynoBackendOption *
dyno_litert_session_get_options (void)
{
  return all_options;
}

static void
clear_buffers (DynoLitertSession *self, LiteRtBuffer **buffers, gsize n)
{
  for (gsize i = 0; buffers != NULL && i < n; i++)
    if (buffers[i] != NULL)
      self->api->LiteRtDestroyTensorBuffer (buffers[i]);
  g_free (buffers);
}

static void
dyno_litert_session_finalize (GObject *object)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (object);

  for (guint i = 0; i < self->n_slots; i++)
    {
      clear_buffers (self, self->slots[i].inputs, self->n_inputs);
      g_free (self->slots[i].is_set);
    }
  g_free (self->slots);
  clear_buffers (self, self->outputs, self->n_outputs);
  g_clear_pointer (&self->profile, dyno_litert_profile_free);
  g_clear_pointer (&self->profile_values, g_ptr_array_unref);
  if (self->compiled != NULL)
    self->api->LiteRtDestroyCompiledModel (self->compiled);
  if (self->owner == NULL)
    g_clear_pointer (&self->file, dyno_litert_file_free);
  g_clear_object (&self->owner);
  dyno_port_free_array (self->inputs, self->n_inputs);
  dyno_port_free_array (self->results, self->n_outputs);
  g_free (self->input_types);
  g_free (self->output_types);
  g_free (self->path);

  G_OBJECT_CLASS (dyno_litert_session_parent_class)->finalize (object);
}

/* Takes @sentence. */
static gboolean
check (DynoLitertSession *self, LiteRtStatus status, char *sentence, GError **error)
{
  char *messages = NULL;
  gboolean is_good;

  if (status != LITERT_OK && self->compiled != NULL)
    self->api->LiteRtCompiledModelGetErrorMessages (self->compiled, &messages);
  is_good = dyno_litert_check (status, sentence, messages, error);
  free (messages);
  return is_good;
}

static gboolean
check_run (DynoLitertSession *self, LiteRtStatus status, GError **error)
{
  return status == LITERT_OK ||
         check (self, status, g_strdup_printf (_ ("LiteRT failed to run “%s”."), self->path), error);
}

static gboolean
create_buffer (DynoLitertSession *self, gboolean is_input, gsize index, LiteRtBuffer **buffer, GError **error)
{
  const LiteRtTensorType *type = is_input ? &self->input_types[index] : &self->output_types[index];
  LiteRtRequirements *needs = NULL;
  LiteRtStatus status = (is_input ? self->api->LiteRtGetCompiledModelInputBufferRequirements
                                  : self->api->LiteRtGetCompiledModelOutputBufferRequirements) (
      self->compiled, 0, index, &needs);

  if (*buffer != NULL)
    self->api->LiteRtDestroyTensorBuffer (*buffer);
  *buffer = NULL;
  if (status == LITERT_OK)
    status = self->api->LiteRtCreateManagedTensorBufferFromRequirements (self->file->environment, type, needs,
                                                                         buffer);
  return status == LITERT_OK ||
         check (self, status,
                g_strdup_printf (_ ("LiteRT has no memory for “%s” of “%s”."),
                                 (is_input ? self->inputs : self->results)[index].name, self->path),
                error);
}

/* Free dimensions are those of the first inputs; all slots share them, because another size means another plan. */
static gboolean
resize (DynoLitertSession *self, guint slot, gsize index, DynoTensor *tensor, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  LiteRtLayout *layout = &self->input_types[index].layout;
  int dims[LITERT_MAX_RANK] = { 0 };
  gboolean is_same = layout->rank == shape->rank;

  for (guint axis = 0; is_same && axis < shape->rank; axis++)
    is_same = layout->dims[axis] == shape->dims[axis];
  if (is_same)
    return TRUE;
  if (slot > 0 || self->n_slots > 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("LiteRT runs “%s” with one size of its inputs at a time."), self->path);
      return FALSE;
    }
  layout->rank = shape->rank & 0x7f;
  for (guint axis = 0; axis < shape->rank; axis++)
    dims[axis] = layout->dims[axis] = (gint32)MIN (shape->dims[axis], G_MAXINT32);
  clear_buffers (self, self->outputs, self->n_outputs);
  self->outputs = NULL;
  return check_run (
      self, self->api->LiteRtCompiledModelResizeInputTensor (self->compiled, 0, index, dims, shape->rank),
      error);
}

/* Buffers made before an input changed its size are too small or too large. */
static gboolean
fill (DynoLitertSession *self, Slot *slot, gsize index, DynoTensor *tensor, GError **error)
{
  gsize size = 0;
  void *memory = NULL;
  LiteRtStatus status;

  if (slot->inputs[index] != NULL)
    self->api->LiteRtGetTensorBufferPackedSize (slot->inputs[index], &size);
  if (size != dyno_tensor_get_size (tensor) &&
      !create_buffer (self, TRUE, index, &slot->inputs[index], error))
    return FALSE;
  status = self->api->LiteRtGetTensorBufferPackedSize (slot->inputs[index], &size);
  if (status == LITERT_OK && size == dyno_tensor_get_size (tensor))
    status = self->api->LiteRtLockTensorBuffer (slot->inputs[index], &memory, LITERT_LOCK_WRITE);
  if (memory == NULL)
    return check (self, status != LITERT_OK ? status : LITERT_UNSUPPORTED,
                  g_strdup_printf (_ ("LiteRT does not take “%s” of “%s” as it is laid out."),
                                   self->inputs[index].name, self->path),
                  error);
  memcpy (memory, dyno_tensor_get_data (tensor), size);
  if (!slot->is_set[index])
    slot->n_missing--;
  slot->is_set[index] = TRUE;
  return check_run (self, self->api->LiteRtUnlockTensorBuffer (slot->inputs[index]), error);
}

static gboolean
dyno_litert_session_set_inputs (DynoSession *session, guint index, GPtrArray *tensors, GError **error)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (session);
  g_autofree gsize *places = g_new0 (gsize, MAX (tensors->len, 1));

  g_return_val_if_fail (index <= self->n_slots, FALSE);

  if (!dyno_port_check_tensors (self->inputs, self->n_inputs, tensors, self->path, error))
    return FALSE;
  for (guint i = 0; i < tensors->len; i++)
    if (!dyno_port_find_input (self->inputs, self->n_inputs, dyno_tensor_get_name (tensors->pdata[i]),
                               self->path, &places[i], error) ||
        !resize (self, index, places[i], tensors->pdata[i], error))
      return FALSE;
  if (self->outputs == NULL)
    {
      /* The sizes of results follow from those of the inputs. */
      g_autofree LiteRtLayout *layouts = g_new0 (LiteRtLayout, MAX (self->n_outputs, 1));
      LiteRtStatus status = self->api->LiteRtGetCompiledModelOutputTensorLayouts (
          self->compiled, 0, self->n_outputs, layouts, true);

      if (!check_run (self, status, error))
        return FALSE;
      self->outputs = g_new0 (LiteRtBuffer *, MAX (self->n_outputs, 1));
      for (gsize i = 0; i < self->n_outputs; i++)
        {
          self->output_types[i].layout = layouts[i];
          if (!create_buffer (self, FALSE, i, &self->outputs[i], error))
            return FALSE;
        }
    }
  if (index == self->n_slots)
    {
      self->slots = g_renew (Slot, self->slots, ++self->n_slots);
      self->slots[index] = (Slot){ g_new0 (LiteRtBuffer *, MAX (self->n_inputs, 1)),
                                   g_new0 (gboolean, MAX (self->n_inputs, 1)), self->n_inputs };
    }
  for (guint i = 0; i < tensors->len; i++)
    if (!fill (self, &self->slots[index], places[i], tensors->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
dyno_litert_session_run (DynoSession *session, GError **error)
{
  DynoLitertSession *self = (DynoLitertSession *)session;
  const Slot *slot = self->n_slots > 0 ? &self->slots[self->next_slot] : NULL;
  gsize missing = 0;
  void *memory = NULL;
  LiteRtStatus status;

  if (slot == NULL || slot->n_missing > 0)
    {
      while (slot != NULL && slot->is_set[missing])
        missing++;
      return dyno_port_fail_without_value (self->n_inputs > 0 ? self->inputs[missing].name : "", self->path,
                                           error);
    }
  status = self->api->LiteRtRunCompiledModel (self->compiled, 0, self->n_inputs, slot->inputs,
                                              self->n_outputs, self->outputs);
  self->next_slot = (self->next_slot + 1) % self->n_slots;
  /* An accelerator may still be at work. It does its work in order, so an output that can be read ends all of it. */
  if (status == LITERT_OK && self->waits && self->n_outputs > 0)
    status = self->api->LiteRtLockTensorBuffer (self->outputs[0], &memory, LITERT_LOCK_READ);
  if (memory != NULL)
    self->api->LiteRtUnlockTensorBuffer (self->outputs[0]);
  if (status == LITERT_OK && self->profile != NULL)
    status = dyno_litert_profile_record (self->profile);
  return status == LITERT_OK || check_run (self, status, error);
}

static DynoTensor *
copy_output (DynoLitertSession *self, gsize index, GError **error)
{
  const LiteRtLayout *layout = &self->output_types[index].layout;
  DynoShape shape = { self->results[index].shape.type, MIN (layout->rank, LITERT_MAX_RANK), { 0 } };
  g_autoptr (DynoTensor) tensor = NULL;
  gsize size = 0;
  void *memory = NULL;

  for (guint axis = 0; axis < shape.rank; axis++)
    shape.dims[axis] = MAX (layout->dims[axis], 0);
  tensor = dyno_tensor_new (self->results[index].name, &shape);
  if (self->outputs == NULL ||
      self->api->LiteRtGetTensorBufferPackedSize (self->outputs[index], &size) != LITERT_OK ||
      size != dyno_tensor_get_size (tensor) ||
      self->api->LiteRtLockTensorBuffer (self->outputs[index], &memory, LITERT_LOCK_READ) != LITERT_OK)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, _ ("LiteRT gave no usable “%s” of “%s”."),
                   self->results[index].name, self->path);
      return NULL;
    }
  memcpy (dyno_tensor_get_data (tensor), memory, size);
  self->api->LiteRtUnlockTensorBuffer (self->outputs[index]);
  return g_steal_pointer (&tensor);
}

static GPtrArray *
dyno_litert_session_get_outputs (DynoSession *session, GError **error)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (session);
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (gsize i = 0; i < self->n_outputs; i++)
    {
      DynoTensor *tensor = copy_output (self, i, error);

      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (outputs, tensor);
    }
  return g_steal_pointer (&outputs);
}

static gboolean
dyno_litert_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (session);

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("The output “%s” of “%s” cannot be passed on: Dyno measures single steps on LiteRT."),
               output, self->path);
  return FALSE;
}

static GPtrArray *
dyno_litert_session_end_profile (DynoSession *session, GError **error)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (session);
  gint64 batch_size =
      self->n_inputs > 0 && self->input_types[0].layout.rank > 0 ? self->input_types[0].layout.dims[0] : 1;
  DynoValue *delegated = NULL;
  bool took_all = false;
  GPtrArray *nodes;

  if (self->lists_graph)
    return dyno_litert_graph_list_nodes (self->file, self->file->graph, batch_size,
                                         self->waits ? self->target->provider : NULL);
  if (self->profile == NULL)
    {
      dyno_session_set_not_recording (error);
      return NULL;
    }
  nodes = dyno_litert_profile_sum_up (self->profile);
  g_clear_pointer (&self->profile_values, g_ptr_array_unref);
  self->profile_values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  if (g_str_equal (self->kernels, kernels[0]) &&
      self->api->LiteRtCompiledModelIsFullyAccelerated (self->compiled, &took_all) == LITERT_OK)
    delegated =
        dyno_litert_profile_count_delegated (self->profile, self->file, DYNO_LITERT_XNNPACK, took_all);
  if (delegated != NULL)
    g_ptr_array_add (self->profile_values, delegated);
  g_clear_pointer (&self->profile, dyno_litert_profile_free);
  return nodes;
}

static GPtrArray *
dyno_litert_session_get_profile_values (DynoSession *session)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (session);

  return self->profile_values != NULL ? g_ptr_array_ref (self->profile_values) : NULL;
}

static const char *
dyno_litert_session_get_provider (DynoSession *session)
{
  return DYNO_LITERT_SESSION (session)->target->provider;
}

/* XNNPACK and the operators’ own kernels take their options as text. Takes @text. */
static LiteRtStatus
add_options (const LiteRtApi *api, LiteRtOptions *options, const char *id, char *text)
{
  LiteRtOpaqueOptions *added = NULL;
  LiteRtStatus status = api->LiteRtCreateOpaqueOptions (id, text, g_free, &added);

  return status == LITERT_OK ? api->LiteRtAddOpaqueOptions (options, added) : status;
}

static gboolean
compile (DynoLitertSession *self, gboolean profiles, GError **error)
{
  static const char *const modes[] = { "delegate", "builtin", "reference" };
  const LiteRtApi *api = self->api;
  const char *mode = modes[0];
  LiteRtOptions *options = NULL;
  LiteRtStatus status = api->LiteRtCreateOptions (&options);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (kernels[i], self->kernels))
      mode = modes[i];
  if (status == LITERT_OK)
    status = api->LiteRtSetOptionsHardwareAccelerators (options, self->target->accelerator);
  if (status == LITERT_OK)
    status = add_options (api, options, "xnnpack",
                          g_strdup_printf ("kernel_mode = \"%s\"\nnum_threads = %u\n", mode, self->threads));
  if (status == LITERT_OK && self->target->accelerator == LITERT_ACCELERATOR_GPU)
    status = add_options (api, options, "gpu_options", g_strdup (GPU_OPTIONS));
  if (status == LITERT_OK)
    status = add_options (
        api, options, "runtime_options_string",
        g_strdup_printf ("enable_profiling = %s\nerror_reporter_mode = 2\n", profiles ? "true" : "false"));
  if (status == LITERT_OK)
    status =
        api->LiteRtCreateCompiledModel (self->file->environment, self->file->model, options, &self->compiled);
  if (options != NULL)
    api->LiteRtDestroyOptions (options);
  return status == LITERT_OK ||
         check (self, status,
                self->waits
                    ? g_strdup_printf (_ ("LiteRT cannot run all of “%s” on the device. Measure it on the "
                                          "CPU, with the backend “litert”."),
                                       self->path)
                    : g_strdup_printf (_ ("LiteRT cannot prepare “%s” for the processor."), self->path),
                error);
}

static gboolean
read_ports (DynoLitertSession *self, GError **error)
{
  const LiteRtApi *api = self->api;
  LiteRtSignature *signature = self->file->signature;

  api->LiteRtGetNumSignatureInputs (signature, &self->n_inputs);
  api->LiteRtGetNumSignatureOutputs (signature, &self->n_outputs);
  self->inputs = g_new0 (DynoPort, MAX (self->n_inputs, 1));
  self->results = g_new0 (DynoPort, MAX (self->n_outputs, 1));
  self->input_types = g_new0 (LiteRtTensorType, MAX (self->n_inputs, 1));
  self->output_types = g_new0 (LiteRtTensorType, MAX (self->n_outputs, 1));
  for (gsize i = 0; i < self->n_inputs + self->n_outputs; i++)
    {
      gboolean is_input = i < self->n_inputs;
      gsize index = is_input ? i : i - self->n_inputs;
      DynoPort *port = is_input ? &self->inputs[index] : &self->results[index];
      const char *name;
      LiteRtTensor *tensor = dyno_litert_file_get_port (self->file, is_input, index, &name);

      port->name = g_strdup (name != NULL ? name : "");
      port->is_tensor = dyno_litert_get_shape (api, tensor, &port->shape);
      if (!port->is_tensor || !dyno_data_type_is_number (port->shape.type))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("“%s” of “%s” is not a tensor of numbers with a shape."), port->name, self->path);
          return FALSE;
        }
      api->LiteRtGetRankedTensorType (tensor,
                                      is_input ? &self->input_types[index] : &self->output_types[index]);
    }
  return TRUE;
}

/* Compiles the file: its own, or that of the owner once more. */
static gboolean
start (DynoLitertSession *self, gboolean profiles, GError **error)
{
  LiteRtProfiler *profiler = NULL;

  if (!read_ports (self, error) || !compile (self, profiles, error))
    return FALSE;
  if (!profiles)
    return TRUE;
  if (!check_run (self, self->api->LiteRtCompiledModelGetProfiler (self->compiled, &profiler), error))
    return FALSE;
  self->profile = dyno_litert_profile_new (self->api, profiler);
  return TRUE;
}

/* Another plan of the same file, with packed weights of its own. */
static DynoSession *
dyno_litert_session_open_lane (DynoSession *session, GError **error)
{
  DynoLitertSession *self = DYNO_LITERT_SESSION (session);
  g_autoptr (DynoLitertSession) lane = g_object_new (DYNO_TYPE_LITERT_SESSION, NULL);

  lane->owner = g_object_ref (self->owner != NULL ? self->owner : self);
  lane->api = self->api;
  lane->path = g_strdup (self->path);
  lane->target = self->target;
  lane->waits = self->waits;
  lane->file = self->file;
  lane->threads = self->threads;
  lane->kernels = self->kernels;
  return start (lane, FALSE, error) ? DYNO_SESSION (g_steal_pointer (&lane)) : NULL;
}

static void
dyno_litert_session_class_init (DynoLitertSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_litert_session_finalize;

  session_class->set_inputs = dyno_litert_session_set_inputs;
  session_class->run = dyno_litert_session_run;
  session_class->get_outputs = dyno_litert_session_get_outputs;
  session_class->carry = dyno_litert_session_carry;
  session_class->end_profile = dyno_litert_session_end_profile;
  session_class->get_profile_values = dyno_litert_session_get_profile_values;
  session_class->get_provider = dyno_litert_session_get_provider;
  session_class->open_lane = dyno_litert_session_open_lane;
}

static void
dyno_litert_session_init (DynoLitertSession *self)
{
}

DynoSession *
dyno_litert_session_new (DynoLitertLibrary *library,
                         const LiteRtTarget *target,
                         const char *path,
                         const DynoSessionOptions *options,
                         GError **error)
{
  g_autoptr (DynoLitertSession) self = g_object_new (DYNO_TYPE_LITERT_SESSION, NULL);
  const char *asked = dyno_session_options_get (options, "kernels");

  self->api = dyno_litert_library_get_api (library);
  self->path = g_strdup (path);
  self->threads = options->threads > 0 ? options->threads : dyno_topology_count_own_cores ();
  self->kernels = g_intern_string (asked != NULL ? asked : kernels[options->optimise ? 0 : 1]);
  self->target = target;
  self->waits = target->accelerator != LITERT_ACCELERATOR_CPU;
  /* Accelerators have no profile. */
  self->lists_graph = options->profile && (!options->optimise || self->waits);
  self->file = dyno_litert_file_open (library, target->accelerator, path, error);
  if (self->file == NULL || !start (self, options->profile && !self->lists_graph, error))
    return NULL;
  return DYNO_SESSION (g_steal_pointer (&self));
}
