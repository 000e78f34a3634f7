/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-linked-model.h"
#include "dyno-openvino-private.h"
#include "dyno-port.h"
#include "dyno-scratch.h"
#include "dyno-tensor-info.h"

/* The inputs of one run, bound to a request. A value reads the memory of the tensor beside it; a value that was
 * carried, or handed over by another session, has no tensor. */
typedef struct
{
  OvInferRequest *request;
  OvInferRequest *twin; /* (nullable): alternates with it if outputs become inputs of the same slot */
  OvTensor **values;
  DynoTensor **tensors;
  gboolean *is_carried;
  gsize n_missing;
  gboolean is_tried;
} Slot;

typedef OvStatus (*GetPort) (const OvCompiledModel *, gsize, OvPort **);
typedef OvStatus (*GetNamedPort) (const OvCompiledModel *, const char *, OvPort **);

struct _DynoOvSession
{
  DynoSession parent_instance;

  /* Read by each run. */
  OvStatus (*infer) (OvInferRequest *);
  Slot *slots;
  guint n_slots;
  guint n_requests; /* of one step, each with its own slot */
  guint next_slot;
  OvInferRequest *last_request; /* the first of the last step */
  gboolean has_carried;
  DynoOvProfile *profile;

  const OvApi *api;
  DynoOvLibrary *library;
  OvCompiledModel *compiled;
  DynoOvSession *owner; /* (nullable): the session whose compiled model a lane shares */
  char *path;
  char *provider;
  DynoPort *inputs;
  gsize n_inputs;
  GPtrArray *left_out; /* (nullable): names of inputs whose values change nothing, which OpenVINO removed */
  DynoPort *outputs;
  gsize n_outputs;
  gboolean hides_errors;
  gboolean *carried; /* outputs of the last run that were carried on */
  guint last_slot;
  GArray *stages;
};

G_DEFINE_FINAL_TYPE (DynoOvSession, dyno_ov_session, DYNO_TYPE_SESSION)

static gboolean
check (DynoOvSession *self, OvStatus status, GError **error)
{
  return dyno_ov_error_check (dyno_ov_library_get_api (self->library), self->path, status, error);
}

static void
clear_input (DynoOvSession *self, Slot *slot, gsize index)
{
  g_clear_pointer (&slot->values[index], self->api->tensor_free);
  g_clear_pointer (&slot->tensors[index], dyno_tensor_unref);
}

static void
count_missing (DynoOvSession *self, Slot *slot)
{
  slot->n_missing = 0;
  for (gsize i = 0; i < self->n_inputs; i++)
    slot->n_missing += slot->values[i] == NULL;
}

/* Takes the value, and the tensor whose memory it reads, even when it fails. */
static gboolean
put_input (DynoOvSession *self, Slot *slot, gsize index, OvTensor *value, DynoTensor *tensor, GError **error)
{
  OvStatus status = self->api->infer_request_set_input_tensor_by_index (slot->request, index, value);

  clear_input (self, slot, index);
  slot->values[index] = value;
  slot->tensors[index] = tensor;
  slot->is_carried[index] = FALSE;
  count_missing (self, slot);
  return check (self, status, error);
}

static gboolean
put_tensor (DynoOvSession *self, Slot *slot, DynoTensor *tensor, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  OvShape native = { shape->rank, (gint64 *)shape->dims };
  OvTensor *value = NULL;
  OvStatus status;
  guint element = 0;
  gsize index;

  if (!dyno_port_find_input (self->inputs, self->n_inputs, dyno_tensor_get_name (tensor), self->path, &index,
                             error))
    return FALSE;
  dyno_ov_library_get_element (self->library, shape->type, &element);
  status =
      dyno_tensor_get_size (tensor) == 0
          ? self->api->tensor_create (element, native, &value)
          : self->api->tensor_create_from_host_ptr (element, native, dyno_tensor_get_data (tensor), &value);
  return check (self, status, error) && put_input (self, slot, index, value, dyno_tensor_ref (tensor), error);
}

static gboolean
create_request (DynoOvSession *self, OvInferRequest **request, GError **error)
{
  return check (self, self->api->compiled_model_create_infer_request (self->compiled, request), error);
}

static gboolean
dyno_ov_session_set_inputs (DynoSession *session, guint slot_index, GPtrArray *tensors, GError **error)
{
  DynoOvSession *self = DYNO_OV_SESSION (session);
  g_autoptr (GPtrArray) used = g_ptr_array_new ();

  g_return_val_if_fail (slot_index <= self->n_slots, FALSE);

  for (guint i = 0; i < tensors->len; i++)
    if (!g_ptr_array_find_with_equal_func (self->left_out, dyno_tensor_get_name (tensors->pdata[i]),
                                           g_str_equal, NULL))
      g_ptr_array_add (used, tensors->pdata[i]);
  if (!dyno_port_check_tensors (self->inputs, self->n_inputs, used, self->path, error))
    return FALSE;
  if (slot_index == self->n_slots)
    {
      Slot slot = { 0 };

      if (!create_request (self, &slot.request, error))
        return FALSE;
      slot.values = g_new0 (OvTensor *, self->n_inputs);
      slot.tensors = g_new0 (DynoTensor *, self->n_inputs);
      slot.is_carried = g_new0 (gboolean, self->n_inputs);
      slot.is_tried = !self->hides_errors;
      count_missing (self, &slot);
      self->slots = g_renew (Slot, self->slots, ++self->n_slots);
      self->slots[slot_index] = slot;
    }
  for (guint i = 0; i < used->len; i++)
    if (!put_tensor (self, &self->slots[slot_index], used->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
fail_without_inputs (DynoOvSession *self, guint slot, GError **error)
{
  gsize missing = 0;

  while (self->n_slots > 0 && self->slots[slot].values[missing] != NULL)
    missing++;
  return dyno_port_fail_without_value (self->n_inputs > 0 ? self->inputs[missing].name : "", self->path,
                                       error);
}

static gboolean
record_or_fail (DynoOvSession *self, OvStatus status, GError **error)
{
  if (status == OV_STATUS_OK && self->profile != NULL)
    status = dyno_ov_profile_record (self->profile, self->last_request);
  return check (self, status, error);
}

/* With one thread the processor's plug-in hides errors of a direct call and leaves the outputs empty; waiting for a
 * request reports them. That costs tens of microseconds, so only each slot's first run does it. */
static OvStatus
try_slot (DynoOvSession *self, Slot *slot)
{
  OvStatus status = self->api->infer_request_start_async (slot->request);

  if (status == OV_STATUS_OK)
    status = self->api->infer_request_wait (slot->request);
  slot->is_tried = status == OV_STATUS_OK;
  return status;
}

static guint
find_slot (DynoOvSession *self, guint first, guint request)
{
  return (first + request) % self->n_slots;
}

/* The timed region for steps of several requests, from the first start to the end of the last. */
static gboolean
run_together (DynoOvSession *self, GError **error)
{
  OvStatus status;

  if (G_UNLIKELY (self->n_slots < self->n_requests))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("A step of “%s” runs %u requests, each with its own inputs, but got inputs for %u."),
                   self->path, self->n_requests, self->n_slots);
      return FALSE;
    }
  for (guint i = 0; i < self->n_requests; i++)
    if (G_UNLIKELY (self->slots[find_slot (self, self->next_slot, i)].n_missing > 0))
      return fail_without_inputs (self, find_slot (self, self->next_slot, i), error);
  /* Waits for all started requests, so that none goes on after an error. */
  status = OV_STATUS_OK;
  guint n_started = 0;

  while (n_started < self->n_requests && status == OV_STATUS_OK)
    {
      status = self->api->infer_request_start_async (
          self->slots[find_slot (self, self->next_slot, n_started)].request);
      n_started += status == OV_STATUS_OK;
    }
  for (guint i = 0; i < n_started; i++)
    {
      OvStatus end =
          self->api->infer_request_wait (self->slots[find_slot (self, self->next_slot, i)].request);

      status = status == OV_STATUS_OK ? end : status;
    }
  self->last_request = self->slots[self->next_slot].request;
  self->last_slot = self->next_slot;
  self->next_slot = find_slot (self, self->next_slot, self->n_requests);
  return G_LIKELY (status == OV_STATUS_OK) || check (self, status, error);
}

/* The timed region: unchecked casts, and no call except the engine's. */
static gboolean
dyno_ov_session_run (DynoSession *session, GError **error)
{
  DynoOvSession *self = (DynoOvSession *)session;
  Slot *slot = &self->slots[self->next_slot];
  OvStatus status;

  if (self->n_requests > 1)
    return run_together (self, error);
  if (G_UNLIKELY (self->n_slots == 0 || slot->n_missing > 0))
    return fail_without_inputs (self, self->next_slot, error);
  status = G_LIKELY (slot->is_tried) ? self->infer (slot->request) : try_slot (self, slot);
  self->last_request = slot->request;
  self->last_slot = self->next_slot;
  self->has_carried = FALSE;
  if (++self->next_slot == self->n_slots)
    self->next_slot = 0;
  return G_LIKELY (status == OV_STATUS_OK && self->profile == NULL) || record_or_fail (self, status, error);
}

/* The C interface has no shape for a tensor without dimensions, but reports one element. */
static gboolean
read_shape (DynoOvSession *self, const OvTensor *tensor, DynoShape *shape, GError **error)
{
  OvShape native = { 0 };
  gsize n_elements = 0;
  OvStatus status = self->api->tensor_get_shape (tensor, &native);

  if (status == OV_STATUS_INVALID_C_PARAM &&
      self->api->tensor_get_size (tensor, &n_elements) == OV_STATUS_OK && n_elements == 1)
    return TRUE;
  if (!check (self, status, error))
    return FALSE;
  shape->rank = (guint)native.rank;
  for (guint i = 0; i < MIN (shape->rank, DYNO_SHAPE_MAX_RANK); i++)
    shape->dims[i] = native.dims[i];
  self->api->shape_free (&native);
  if (shape->rank <= DYNO_SHAPE_MAX_RANK)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("“%s” has a tensor of %u dimensions; Dyno handles %d."), self->path, shape->rank,
               DYNO_SHAPE_MAX_RANK);
  return FALSE;
}

static DynoTensor *
copy_tensor (DynoOvSession *self, const OvTensor *value, const DynoPort *port, GError **error)
{
  DynoShape shape = { .type = port->shape.type };
  DynoTensor *tensor;
  void *data = NULL;

  if (!read_shape (self, value, &shape, error))
    return NULL;
  tensor = dyno_tensor_new (port->name, &shape);
  if (dyno_tensor_get_size (tensor) == 0)
    return tensor;
  if (!check (self, self->api->tensor_data (value, &data), error))
    {
      dyno_tensor_unref (tensor);
      return NULL;
    }
  memcpy (dyno_tensor_get_data (tensor), data, dyno_tensor_get_size (tensor));
  return tensor;
}

static OvTensor *
get_output (DynoOvSession *self, const OvInferRequest *request, gsize index, GError **error)
{
  OvTensor *value = NULL;

  if (!check (self, self->api->infer_request_get_output_tensor_by_index (request, index, &value), error))
    return NULL;
  return value;
}

static gboolean
has_output (DynoOvSession *self, gsize index)
{
  return self->last_request != NULL && !(self->has_carried && self->carried[index]);
}

static GPtrArray *
copy_outputs (DynoOvSession *self, const OvInferRequest *request, GError **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (gsize i = 0; i < self->n_outputs; i++)
    {
      OvTensor *value;
      DynoTensor *tensor;

      if (!has_output (self, i) || self->outputs[i].shape.type == DYNO_DATA_TYPE_UNDEFINED)
        continue;
      value = get_output (self, request, i, error);
      if (value == NULL)
        return NULL;
      tensor = copy_tensor (self, value, &self->outputs[i], error);
      self->api->tensor_free (value);
      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (tensors, tensor);
    }
  return g_steal_pointer (&tensors);
}

static GPtrArray *
dyno_ov_session_get_outputs (DynoSession *session, GError **error)
{
  DynoOvSession *self = DYNO_OV_SESSION (session);

  return copy_outputs (self, self->last_request, error);
}

static GPtrArray *
dyno_ov_session_get_request_outputs (DynoSession *session, guint request, GError **error)
{
  DynoOvSession *self = DYNO_OV_SESSION (session);

  if (request == 0)
    return copy_outputs (self, self->last_request, error);
  return copy_outputs (self, self->slots[find_slot (self, self->last_slot, request)].request, error);
}

static guint
dyno_ov_session_get_requests (DynoSession *session)
{
  return DYNO_OV_SESSION (session)->n_requests;
}

static gboolean
begin_carrying (DynoOvSession *self, GError **error)
{
  Slot *used = &self->slots[self->last_slot], *slot = &self->slots[self->next_slot];
  OvInferRequest *rested;

  if (self->has_carried)
    return TRUE;
  self->has_carried = TRUE;
  memset (self->carried, 0, self->n_outputs * sizeof (gboolean));
  /* A value that was carried into the slot of the last run is used up. */
  for (gsize i = 0; i < self->n_inputs; i++)
    if (used->is_carried[i])
      clear_input (self, used, i);
  count_missing (self, used);
  if (slot != used)
    return TRUE;

  /* A request must not write its outputs over its own inputs, so another one takes over with the same inputs. */
  rested = slot->twin;
  if (rested == NULL && !create_request (self, &rested, error))
    return FALSE;
  slot->twin = slot->request;
  slot->request = rested;
  for (gsize i = 0; i < self->n_inputs; i++)
    if (slot->values[i] != NULL &&
        !check (self, self->api->infer_request_set_input_tensor_by_index (slot->request, i, slot->values[i]),
                error))
      return FALSE;
  return TRUE;
}

/* An empty output means that OpenVINO hid an error from the caller. */
static OvTensor *
get_filled_output (DynoOvSession *self, gsize index, GError **error)
{
  OvTensor *value = get_output (self, self->last_request, index, error);
  gsize n_elements = 0;

  if (value == NULL || self->api->tensor_get_size (value, &n_elements) != OV_STATUS_OK || n_elements > 0)
    return value;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, _ ("The output “%s” of “%s” came back empty."),
               self->outputs[index].name, self->path);
  self->api->tensor_free (value);
  return NULL;
}

static gboolean
dyno_ov_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  DynoOvSession *self = DYNO_OV_SESSION (session);
  OvTensor *value;
  gsize from, to;

  if (!dyno_port_find_output (self->outputs, self->n_outputs, output, self->path, &from, error) ||
      !dyno_port_find_input (self->inputs, self->n_inputs, input, self->path, &to, error))
    return FALSE;
  if (self->n_requests > 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("The output “%s” of “%s” cannot be passed on while %u requests run at once. Choose one "
                      "request."),
                   output, self->path, self->n_requests);
      return FALSE;
    }
  if (!has_output (self, from))
    return dyno_port_fail_to_carry (output, self->path, error);
  if (!begin_carrying (self, error))
    return FALSE;
  value = get_filled_output (self, from, error);
  self->carried[from] = TRUE;
  if (value == NULL || !put_input (self, &self->slots[self->next_slot], to, value, NULL, error))
    return FALSE;
  self->slots[self->next_slot].is_carried[to] = TRUE;
  return TRUE;
}

static gboolean
dyno_ov_session_hand_over (
    DynoSession *session, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  DynoOvSession *self = DYNO_OV_SESSION (session), *taker = DYNO_OV_SESSION (to);

  g_return_val_if_fail (slot < taker->n_slots, FALSE);

  /* The same tensor is an output of one request and an input of another. */
  for (guint i = 0; names[i] != NULL; i++)
    {
      OvTensor *value;
      gsize from, index;

      if (!dyno_port_find_output (self->outputs, self->n_outputs, names[i], self->path, &from, error) ||
          !dyno_port_find_input (taker->inputs, taker->n_inputs, names[i], taker->path, &index, error))
        return FALSE;
      if (!has_output (self, from))
        return dyno_port_fail_to_carry (names[i], self->path, error);
      value = get_filled_output (self, from, error);
      if (value == NULL || !put_input (taker, &taker->slots[slot], index, value, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static GPtrArray *
dyno_ov_session_end_profile (DynoSession *session, GError **error)
{
  DynoOvSession *self = DYNO_OV_SESSION (session);
  g_autoptr (DynoOvProfile) profile = g_steal_pointer (&self->profile);

  if (profile != NULL)
    return dyno_ov_profile_sum_up (profile);
  dyno_session_set_not_recording (error);
  return NULL;
}

static const char *
dyno_ov_session_get_provider (DynoSession *session)
{
  return DYNO_OV_SESSION (session)->provider;
}

static GArray *
dyno_ov_session_get_load_stages (DynoSession *session)
{
  return g_array_ref (DYNO_OV_SESSION (session)->stages);
}

static void
dyno_ov_session_finalize (GObject *object)
{
  DynoOvSession *self = DYNO_OV_SESSION (object);

  for (guint i = 0; i < self->n_slots; i++)
    {
      Slot *slot = &self->slots[i];

      g_clear_pointer (&slot->request, self->api->infer_request_free);
      g_clear_pointer (&slot->twin, self->api->infer_request_free);
      for (gsize k = 0; k < self->n_inputs; k++)
        clear_input (self, slot, k);
      g_free (slot->values);
      g_free (slot->tensors);
      g_free (slot->is_carried);
    }
  if (self->owner == NULL)
    g_clear_pointer (&self->compiled, self->api->compiled_model_free);
  g_clear_object (&self->owner);
  g_clear_pointer (&self->profile, dyno_ov_profile_free);
  dyno_port_free_array (self->inputs, self->n_inputs);
  g_clear_pointer (&self->left_out, g_ptr_array_unref);
  dyno_port_free_array (self->outputs, self->n_outputs);
  g_array_unref (self->stages);
  g_free (self->slots);
  g_free (self->carried);
  g_free (self->path);
  g_free (self->provider);

  G_OBJECT_CLASS (dyno_ov_session_parent_class)->finalize (object);
}

static GHashTable *
dyno_ov_session_read_settings (DynoSession *session)
{
  DynoOvSession *self = DYNO_OV_SESSION (session);

  return dyno_ov_config_read_settings (self->library, self->compiled);
}

static DynoSession *dyno_ov_session_open_lane (DynoSession *session, GError **error);

static void
dyno_ov_session_class_init (DynoOvSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_ov_session_finalize;
  session_class->set_inputs = dyno_ov_session_set_inputs;
  session_class->run = dyno_ov_session_run;
  session_class->get_outputs = dyno_ov_session_get_outputs;
  session_class->carry = dyno_ov_session_carry;
  session_class->hand_over = dyno_ov_session_hand_over;
  session_class->end_profile = dyno_ov_session_end_profile;
  session_class->get_provider = dyno_ov_session_get_provider;
  session_class->get_load_stages = dyno_ov_session_get_load_stages;
  session_class->get_requests = dyno_ov_session_get_requests;
  session_class->get_request_outputs = dyno_ov_session_get_request_outputs;
  session_class->read_settings = dyno_ov_session_read_settings;
  session_class->open_lane = dyno_ov_session_open_lane;
}

static void
dyno_ov_session_init (DynoOvSession *self)
{
  self->stages = dyno_load_stages_new ();
}

/* The call reads as many arguments as their number says, and ignores the others. */
static gboolean
compile (DynoOvSession *self,
         const OvCore *core,
         const OvModel *model,
         const char *device,
         GPtrArray *config,
         const char *stage,
         GError **error)
{
  const char *c[DYNO_OV_CONFIG_MAX] = { NULL };
  gint64 began;
  OvStatus status;

  for (guint i = 0; i < config->len; i++)
    c[i] = config->pdata[i];
  g_clear_pointer (&self->compiled, self->api->compiled_model_free);
  began = dyno_clock_now_ns ();
  status = self->api->core_compile_model (core, model, device, config->len, &self->compiled, c[0], c[1], c[2],
                                          c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12],
                                          c[13], c[14], c[15]);
  dyno_load_stages_add (self->stages, stage, dyno_clock_now_ns () - began);
  return check (self, status, error);
}

static gboolean
compile_twice (DynoOvSession *self,
               const OvCore *core,
               const OvModel *model,
               const char *device,
               const DynoSessionOptions *options,
               GError **error)
{
  g_autofree char *folder = dyno_scratch_new (error);
  g_autoptr (GPtrArray) config = NULL;
  g_autofree char *answer = NULL;
  gboolean ok;

  if (folder == NULL)
    return FALSE;
  config = dyno_ov_config_create (options, device, folder);
  ok = compile (self, core, model, device, config, "compile", error) &&
       compile (self, core, model, device, config, "compile_cached", error);
  answer = ok ? dyno_ov_config_dup_property (self->library, self->compiled, "LOADED_FROM_CACHE") : NULL;
  if (ok && g_strcmp0 (answer, "YES") != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("OpenVINO keeps no compiled models of the device “%s” in a cache."), device);
      ok = FALSE;
    }
  dyno_scratch_remove (folder);
  return ok;
}

static gboolean
load_from (DynoOvSession *self,
           const char *path,
           const DynoSessionOptions *options,
           const char *device,
           GError **error)
{
  OvCore *core = dyno_ov_library_get_core (self->library, error);
  OvModel *model = NULL;
  g_autoptr (GPtrArray) config = NULL;
  OvStatus status;
  gint64 began;
  gboolean ok;

  if (core == NULL)
    return FALSE;
  if (!g_file_test (self->path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("The model “%s” does not exist."), self->path);
      return FALSE;
    }
  began = dyno_clock_now_ns ();
  status = self->api->core_read_model (core, path, NULL, &model);
  dyno_load_stages_add (self->stages, "read", dyno_clock_now_ns () - began);
  if (!dyno_ov_error_check_read (dyno_ov_library_get_api (self->library),
                                 dyno_ov_library_get_version (self->library), self->path, status, error))
    return FALSE;
  config = dyno_ov_config_create (options, device, NULL);
  ok = dyno_ov_config_is_cached (options) && !options->profile
           ? compile_twice (self, core, model, device, options, error)
           : compile (self, core, model, device, config, "compile", error);
  self->api->model_free (model);
  return ok && dyno_ov_config_check (self->library, self->compiled, options, device, error);
}

static gboolean
load_port_shape (DynoOvSession *self, DynoPort *port, const OvPort *native, GError **error)
{
  OvPartialShape shape = { 0 };
  guint element = 0;

  if (!check (self, self->api->port_get_element_type (native, &element), error) ||
      !check (self, self->api->port_get_partial_shape (native, &shape), error))
    return FALSE;
  port->shape.type = dyno_ov_library_get_data_type (self->library, element);
  port->is_tensor = port->shape.type != DYNO_DATA_TYPE_UNDEFINED && shape.rank.min == shape.rank.max &&
                    shape.rank.max <= DYNO_SHAPE_MAX_RANK;
  port->shape.rank = port->is_tensor ? (guint)shape.rank.max : 0;
  for (guint i = 0; i < port->shape.rank; i++)
    port->shape.dims[i] = shape.dims[i].min == shape.dims[i].max ? shape.dims[i].max : -1;
  self->api->partial_shape_free (&shape);
  return TRUE;
}

static gboolean
load_port (DynoOvSession *self, DynoPort *port, gsize index, GetPort get_port, GError **error)
{
  OvPort *native = NULL;
  char *name = NULL;
  gboolean ok;

  if (!check (self, get_port (self->compiled, index, &native), error))
    return FALSE;
  ok = check (self, self->api->port_get_any_name (native, &name), error) &&
       load_port_shape (self, port, native, error);
  port->name = g_strdup (name);
  self->api->free (name);
  self->api->output_const_port_free (native);
  return ok;
}

static gboolean
load_ports (DynoOvSession *self, GError **error)
{
  if (!check (self, self->api->compiled_model_inputs_size (self->compiled, &self->n_inputs), error) ||
      !check (self, self->api->compiled_model_outputs_size (self->compiled, &self->n_outputs), error))
    return FALSE;
  self->inputs = g_new0 (DynoPort, self->n_inputs);
  self->outputs = g_new0 (DynoPort, self->n_outputs);
  self->carried = g_new0 (gboolean, self->n_outputs);
  for (gsize i = 0; i < self->n_inputs; i++)
    if (!load_port (self, &self->inputs[i], i, self->api->compiled_model_input_by_index, error))
      return FALSE;
  for (gsize i = 0; i < self->n_outputs; i++)
    if (!load_port (self, &self->outputs[i], i, self->api->compiled_model_output_by_index, error))
      return FALSE;
  return TRUE;
}

/* Returns the name by which OpenVINO reports a port that also has this name; NULL if no port has it. */
static char *
dup_told_name (DynoOvSession *self, const char *name, GetNamedPort get_port)
{
  OvPort *native = NULL;
  char *told = NULL, *copy = NULL;

  if (get_port (self->compiled, name, &native) != OV_STATUS_OK)
    return NULL;
  if (self->api->port_get_any_name (native, &told) == OV_STATUS_OK)
    {
      copy = g_strdup (told);
      self->api->free (told);
    }
  self->api->output_const_port_free (native);
  return copy;
}

static void
rename_port (DynoPort *port, DynoTensorInfo *info)
{
  g_free (port->name);
  port->name = g_strdup (dyno_tensor_info_get_name (info));
}

/* A port also has the names of operators that OpenVINO left out, such as a Cast to the same type, and OpenVINO
 * reports any one of them. Where it has forgotten the model's own, the order tells. Returns the names that no port
 * has. */
static GPtrArray *
name_ports (DynoOvSession *self, DynoPort *ports, gsize n_ports, GPtrArray *infos, GetNamedPort get_port)
{
  g_autofree gboolean *is_named = g_new0 (gboolean, n_ports);
  g_autoptr (GPtrArray) unmatched = g_ptr_array_new ();
  GPtrArray *left_out = g_ptr_array_new_with_free_func (g_free);
  gsize n_unnamed = n_ports;
  guint next = 0;

  for (guint i = 0; infos != NULL && i < infos->len; i++)
    {
      g_autofree char *told = dup_told_name (self, dyno_tensor_info_get_name (infos->pdata[i]), get_port);
      gsize k = 0;

      while (k < n_ports && (is_named[k] || g_strcmp0 (ports[k].name, told) != 0))
        k++;
      if (k == n_ports)
        {
          g_ptr_array_add (unmatched, infos->pdata[i]);
          continue;
        }
      rename_port (&ports[k], infos->pdata[i]);
      is_named[k] = TRUE;
      n_unnamed--;
    }
  for (gsize k = 0; unmatched->len == n_unnamed && k < n_ports; k++)
    if (!is_named[k])
      rename_port (&ports[k], unmatched->pdata[next++]);
  for (; next < unmatched->len; next++)
    g_ptr_array_add (left_out, g_strdup (dyno_tensor_info_get_name (unmatched->pdata[next])));
  return left_out;
}

/* Takes the names from another session of the same model. */
static void
take_names (DynoPort *ports, const DynoPort *others, gsize n_ports)
{
  for (gsize i = 0; i < n_ports; i++)
    {
      g_free (ports[i].name);
      ports[i].name = g_strdup (others[i].name);
    }
}

static void
find_provider (DynoOvSession *self, const DynoSessionOptions *options, const char *asked)
{
  /* `GPU.1` is a GPU; AUTO reports its choice, with brackets around a device that it uses only at the start. */
  g_autofree char *told = dyno_ov_config_dup_property (self->library, self->compiled, "EXECUTION_DEVICES");
  const char *device = told != NULL && *told != '\0' ? told : asked;
  g_autofree char *kind = g_strndup (device, strcspn (device, "., "));
  g_autofree char *asked_kind = g_strndup (asked, strcspn (asked, "."));
  g_autofree char *provider = g_strdup_printf ("OpenVINO %s", kind);

  if (g_str_equal (asked_kind, "AUTO"))
    self->provider = g_strdup (provider);
  else
    self->provider = g_strdup_printf ("OpenVINO %s", asked_kind);
  if (options->profile)
    self->profile = dyno_ov_profile_new (self->library, provider, g_str_equal (kind, "CPU"));
}

/* Requests of one compiled model run in parallel, as many as it has streams; a lane has its own requests. */
static DynoSession *
dyno_ov_session_open_lane (DynoSession *session, GError **error)
{
  DynoOvSession *owner = DYNO_OV_SESSION (session);
  g_autoptr (DynoOvSession) self = g_object_new (DYNO_TYPE_OV_SESSION, NULL);

  self->owner = g_object_ref (owner);
  self->library = owner->library;
  self->api = owner->api;
  self->infer = owner->infer;
  self->compiled = owner->compiled;
  self->path = g_strdup (owner->path);
  self->provider = g_strdup (owner->provider);
  self->n_requests = owner->n_requests;
  self->hides_errors = owner->hides_errors;
  self->left_out = g_ptr_array_ref (owner->left_out);
  if (!load_ports (self, error))
    return NULL;
  take_names (self->inputs, owner->inputs, self->n_inputs);
  take_names (self->outputs, owner->outputs, self->n_outputs);
  return DYNO_SESSION (g_steal_pointer (&self));
}

DynoSession *
dyno_ov_session_new (DynoOvLibrary *library,
                     const char *onnx_path,
                     const DynoSessionOptions *options,
                     GError **error)
{
  const char *device;
  g_autoptr (DynoOvSession) self = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *model = NULL;
  g_autofree char *threads = NULL;
  gboolean is_loaded;

  g_return_val_if_fail (DYNO_IS_OV_LIBRARY (library), NULL);
  g_return_val_if_fail (onnx_path != NULL, NULL);
  g_return_val_if_fail (options != NULL, NULL);

  device = options->device != NULL ? options->device : DYNO_OV_DEFAULT_DEVICE;
  self = g_object_new (DYNO_TYPE_OV_SESSION, NULL);
  self->library = library;
  self->api = dyno_ov_library_get_api (library);
  self->infer = self->api->infer_request_infer;
  self->path = g_strdup (onnx_path);
  if (!dyno_ov_config_read_requests (options, &self->n_requests, error))
    return NULL;
  model = dyno_linked_model_gather (self->path, options->external_files, &folder, error);
  is_loaded = model != NULL && load_from (self, model, options, device, error);
  if (folder != NULL)
    dyno_scratch_remove (folder);
  if (!is_loaded || !load_ports (self, error))
    return NULL;
  self->left_out = name_ports (self, self->inputs, self->n_inputs, options->inputs,
                               self->api->compiled_model_input_by_name);
  outputs = name_ports (self, self->outputs, self->n_outputs, options->outputs,
                        self->api->compiled_model_output_by_name);
  find_provider (self, options, device);
  threads = dyno_ov_config_dup_property (self->library, self->compiled, "INFERENCE_NUM_THREADS");
  self->hides_errors = g_strcmp0 (threads, "1") == 0;
  return DYNO_SESSION (g_steal_pointer (&self));
}
