/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-ort-profile.h"
#include "dyno-port.h"
#include "dyno-scratch.h"
#include "dyno-value.h"

/* The inputs of one run. A value reads the memory of the tensor beside it, or is its copy on the device. A carried
 * value has no tensor; nor has one that reads another session's output in place, which records the generation of
 * those outputs. On a device the binding holds the values and the name of the run if it is recorded. */
typedef struct
{
  OrtValue **values;
  DynoTensor **tensors;
  guint *generations;
  gsize n_missing;
  OrtIoBinding *binding;
  OrtRunOptions *run_options;
  gboolean is_bound;
} Slot;

#define NO_SLOT G_MAXUINT

/* The file of a provider's own profile, in the folder of the trace. */
#define PROVIDER_PROFILE "provider.csv"

typedef OrtStatus *(ORT_API_CALL *CountPorts) (const OrtSession *, size_t *);
typedef OrtStatus *(ORT_API_CALL *GetPortName) (const OrtSession *, size_t, OrtAllocator *, char **);
typedef OrtStatus *(ORT_API_CALL *GetPortType) (const OrtSession *, size_t, OrtTypeInfo **);

struct _DynoOrtSession
{
  DynoSession parent_instance;

  /* Read by each run. */
  const OrtApi *api;
  OrtSession *session;
  const char **input_names;
  const char **output_names;
  OrtValue **outputs;
  Slot *slots;
  gsize n_inputs;
  gsize n_outputs;
  guint n_slots;
  guint next_slot;
  gboolean renew_outputs;
  gboolean zeroes_denormals;
  guint generation; /* of the outputs, from 1: while it is the same, they keep their place and their shapes */

  /* On a device: the transfer, and the slot whose binding holds the outputs of the last run. */
  DynoOrtTransfer *transfer;
  guint unfetched;
  gboolean records_graph;
  gboolean returns_early;
  guint n_graphs;
  DynoTransferTimes times;
  gboolean has_fetched;

  gboolean keeps_outputs;
  char *provider;
  const char *computes_in;
  DynoOrtSession *owner; /* (nullable): the session that a lane shares */
  DynoOrtRuntime *runtime;
  char *path;
  char *profile_folder;
  DynoOrtReadProfile read_profile;
  GPtrArray *profile_values;
  GArray *stages;
  DynoPort *input_ports;
  DynoPort *output_ports;
  OrtMemoryInfo *memory_info;
  OrtAllocator *allocator;
};

G_DEFINE_FINAL_TYPE (DynoOrtSession, dyno_ort_session, DYNO_TYPE_SESSION)

static gboolean
check (DynoOrtSession *self, OrtStatus *status, GError **error)
{
  return dyno_ort_error_check (self->runtime, self->path, status, error);
}

static void
release_outputs (DynoOrtSession *self)
{
  for (gsize i = 0; i < self->n_outputs; i++)
    g_clear_pointer (&self->outputs[i], self->api->ReleaseValue);
}

static void
clear_input (DynoOrtSession *self, Slot *slot, gsize index)
{
  g_clear_pointer (&slot->values[index], self->api->ReleaseValue);
  g_clear_pointer (&slot->tensors[index], dyno_tensor_unref);
}

static void
count_missing (DynoOrtSession *self, Slot *slot)
{
  slot->n_missing = 0;
  for (gsize i = 0; i < self->n_inputs; i++)
    slot->n_missing += slot->values[i] == NULL;
}

static void
put_input (DynoOrtSession *self, Slot *slot, gsize index, OrtValue *value, DynoTensor *tensor)
{
  clear_input (self, slot, index);
  slot->values[index] = value;
  slot->tensors[index] = tensor;
  slot->generations[index] = 0;
  count_missing (self, slot);
}

static gboolean
find_input (DynoOrtSession *self, const char *name, gsize *index, GError **error)
{
  return dyno_port_find_input (self->input_ports, self->n_inputs, name, self->path, index, error);
}

/* The value uses the memory of the tensor. */
static OrtValue *
create_numbers (DynoOrtSession *self, DynoTensor *tensor, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  OrtValue *value = NULL;

  return check (self,
                self->api->CreateTensorWithDataAsOrtValue (
                    self->memory_info, dyno_tensor_get_data (tensor), dyno_tensor_get_size (tensor),
                    shape->dims, shape->rank, (ONNXTensorElementDataType)shape->type, &value),
                error)
             ? value
             : NULL;
}

/* Strings are copied, and stay in the host's memory. */
static OrtValue *
create_tensor (DynoOrtSession *self, DynoTensor *tensor, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (tensor);
  OrtAllocator *allocator = NULL;
  OrtValue *value = NULL;

  if (dyno_tensor_get_texts (tensor) == NULL)
    return create_numbers (self, tensor, error);
  if (check (self, self->api->GetAllocatorWithDefaultOptions (&allocator), error) &&
      check (self,
             self->api->CreateTensorAsOrtValue (allocator, shape->dims, shape->rank,
                                                ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &value),
             error) &&
      check (self,
             self->api->FillStringTensor (value, dyno_tensor_get_texts (tensor),
                                          (gsize)dyno_shape_count (shape)),
             error))
    return value;
  g_clear_pointer (&value, self->api->ReleaseValue);
  return NULL;
}

/* The sequence holds copies of its values. */
static OrtValue *
create_sequence (DynoOrtSession *self, GPtrArray *items, GError **error)
{
  g_autofree OrtValue **values = g_new0 (OrtValue *, items->len + 1);
  OrtValue *sequence = NULL;
  guint n = 0;

  while (n < items->len && (values[n] = create_tensor (self, items->pdata[n], error)) != NULL)
    n++;
  if (n == items->len)
    check (self, self->api->CreateValue ((const OrtValue *const *)values, n, ONNX_TYPE_SEQUENCE, &sequence),
           error);
  for (guint i = 0; i < n; i++)
    self->api->ReleaseValue (values[i]);
  return sequence;
}

/* ONNX Runtime takes the type of a sequence from its first tensor, and has no value for an absent one. */
static gboolean
put_tensor (DynoOrtSession *self, Slot *slot, DynoTensor *tensor, GError **error)
{
  GPtrArray *items = dyno_tensor_get_items (tensor);
  OrtValue *value;
  gsize index;

  if (!find_input (self, dyno_tensor_get_name (tensor), &index, error))
    return FALSE;
  if (dyno_tensor_get_shape (tensor)->type == DYNO_DATA_TYPE_OPTIONAL || (items != NULL && items->len == 0))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("ONNX Runtime’s interface for C cannot make the value of the input “%s” of “%s”, which "
                      "is an empty sequence or absent. Give it a value that is there."),
                   dyno_tensor_get_name (tensor), self->path);
      return FALSE;
    }
  value = items != NULL ? create_sequence (self, items, error) : create_tensor (self, tensor, error);
  if (self->transfer != NULL && value != NULL && items == NULL && dyno_tensor_get_texts (tensor) == NULL &&
      !check (self, dyno_ort_transfer_upload (self->transfer, index, &value), error))
    g_clear_pointer (&value, self->api->ReleaseValue);
  if (value != NULL)
    put_input (self, slot, index, value, dyno_tensor_ref (tensor));
  return value != NULL;
}

/* The next run can overwrite outputs if they have the same shapes in every slot. */
static void
plan_outputs (DynoOrtSession *self)
{
  self->keeps_outputs = TRUE;
  for (guint i = 0; i < self->n_slots; i++)
    for (gsize k = 0; k < self->n_inputs && self->keeps_outputs; k++)
      {
        const Slot *a = &self->slots[0], *b = &self->slots[i];
        const DynoShape *one = a->tensors[k] != NULL ? dyno_tensor_get_shape (a->tensors[k]) : NULL;
        const DynoShape *other = b->tensors[k] != NULL ? dyno_tensor_get_shape (b->tensors[k]) : NULL;

        if (a->generations[k] == 0 || a->generations[k] != b->generations[k])
          self->keeps_outputs = one != NULL && other != NULL && one->rank == other->rank &&
                                memcmp (one->dims, other->dims, one->rank * sizeof one->dims[0]) == 0;
      }
  self->renew_outputs = TRUE;
}

static gboolean
dyno_ort_session_set_inputs (DynoSession *session, guint slot_index, GPtrArray *tensors, GError **error)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  Slot *slot;

  g_return_val_if_fail (slot_index <= self->n_slots, FALSE);

  if (!dyno_port_check_tensors (self->input_ports, self->n_inputs, tensors, self->path, error))
    return FALSE;
  if (slot_index == self->n_slots)
    {
      self->slots = g_renew (Slot, self->slots, ++self->n_slots);
      self->slots[slot_index] = (Slot){ 0 };
      self->slots[slot_index].values = g_new0 (OrtValue *, self->n_inputs);
      self->slots[slot_index].tensors = g_new0 (DynoTensor *, self->n_inputs);
      self->slots[slot_index].generations = g_new0 (guint, self->n_inputs);
      count_missing (self, &self->slots[slot_index]);
    }
  slot = &self->slots[slot_index];
  self->times.to_device_ns = -dyno_clock_now_ns ();
  for (guint i = 0; i < tensors->len; i++)
    if (!put_tensor (self, slot, tensors->pdata[i], error))
      return FALSE;
  if (self->transfer != NULL && !check (self, dyno_ort_transfer_finish (self->transfer), error))
    return FALSE;
  self->times.to_device_ns += dyno_clock_now_ns ();
  plan_outputs (self);
  return TRUE;
}

static void
renew_outputs (DynoOrtSession *self)
{
  release_outputs (self);
  for (guint i = 0; self->transfer != NULL && i < self->n_slots; i++)
    if (self->slots[i].is_bound)
      {
        self->api->ClearBoundInputs (self->slots[i].binding);
        self->api->ClearBoundOutputs (self->slots[i].binding);
        g_clear_pointer (&self->slots[i].run_options, self->api->ReleaseRunOptions);
        self->slots[i].is_bound = FALSE;
      }
  self->unfetched = NO_SLOT;
  self->renew_outputs = !self->keeps_outputs;
  self->generation++;
}

/* Takes the outputs of the last run out of its binding. */
static OrtStatus *
fetch_outputs (DynoOrtSession *self)
{
  OrtAllocator *allocator = NULL;
  OrtValue **values = NULL;
  gsize n_values = 0;
  OrtStatus *status;

  if (self->unfetched == NO_SLOT)
    return NULL;
  release_outputs (self);
  status = self->api->GetAllocatorWithDefaultOptions (&allocator);
  if (status == NULL)
    status =
        self->api->GetBoundOutputValues (self->slots[self->unfetched].binding, allocator, &values, &n_values);
  for (gsize i = 0; status == NULL && i < n_values; i++)
    self->outputs[i] = values[i];
  if (status == NULL && values != NULL)
    status = self->api->AllocatorFree (allocator, values);
  self->unfetched = NO_SLOT;
  return status;
}

/* All slots write the same outputs if they can. */
static OrtStatus *
bind_slot (DynoOrtSession *self, Slot *slot)
{
  OrtStatus *status = fetch_outputs (self);

  if (status == NULL && slot->binding == NULL)
    status = self->api->CreateIoBinding (self->session, &slot->binding);
  slot->is_bound = status == NULL;
  /* A recording replays with its original memory, so each binding has its own. */
  if (status == NULL && self->records_graph)
    {
      g_autofree char *name = g_strdup_printf ("%u", ++self->n_graphs);

      status = self->api->CreateRunOptions (&slot->run_options);
      if (status == NULL)
        status = self->api->AddRunConfigEntry (slot->run_options, "gpu_graph_id", name);
    }
  for (gsize i = 0; status == NULL && i < self->n_inputs; i++)
    status = self->api->BindInput (slot->binding, self->input_names[i], slot->values[i]);
  for (gsize i = 0; status == NULL && i < self->n_outputs; i++)
    status = self->keeps_outputs && self->outputs[i] != NULL
                 ? self->api->BindOutput (slot->binding, self->output_names[i], self->outputs[i])
                 : self->api->BindOutputToDevice (slot->binding, self->output_names[i],
                                                  dyno_ort_transfer_get_output_memory (self->transfer, i));
  return status;
}

/* Whether this thread counts denormal numbers as zero. */
static _Thread_local gboolean zeroes_denormals;

/* ONNX Runtime tells its own threads of each session, but the thread that asks for steps only once in a process. */
static void
zero_denormals (gboolean zeroes)
{
  zeroes_denormals = zeroes;
#if defined(__SSE2__)
  const guint flush_to_zero = 0x8000, denormals_are_zero = 0x40, both = flush_to_zero | denormals_are_zero;

  _mm_setcsr (zeroes ? _mm_getcsr () | both : _mm_getcsr () & ~both);
#elif defined(__aarch64__)
  const guint64 flush_to_zero = 1 << 24;
  guint64 control;

  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control = zeroes ? control | flush_to_zero : control & ~flush_to_zero;
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}

static inline OrtStatus *
run_slot (DynoOrtSession *self, Slot *slot)
{
  if (self->transfer != NULL)
    {
      OrtStatus *status = G_LIKELY (slot->is_bound) ? NULL : bind_slot (self, slot);

      if (G_LIKELY (status == NULL))
        status = self->api->RunWithBinding (self->session, slot->run_options, slot->binding);
      if (G_LIKELY (status == NULL))
        status = dyno_ort_transfer_wait (self->transfer, slot->binding);
      self->unfetched = (guint)(slot - self->slots);
      return status;
    }
  return self->api->Run (self->session, NULL, self->input_names, (const OrtValue *const *)slot->values,
                         self->n_inputs, self->output_names, self->n_outputs, self->outputs);
}

/* An output whose shape depends on the data may not fit the memory of the previous run. */
static gboolean
run_again_or_fail (DynoOrtSession *self, Slot *slot, OrtStatus *status, GError **error)
{
  if (self->keeps_outputs && (self->outputs[0] != NULL || self->unfetched != NO_SLOT))
    {
      self->api->ReleaseStatus (status);
      self->keeps_outputs = FALSE;
      renew_outputs (self);
      status = run_slot (self, slot);
    }
  return check (self, status, error);
}

/* The timed region: unchecked casts, and no call except the engine's. */
static gboolean
dyno_ort_session_run (DynoSession *session, GError **error)
{
  DynoOrtSession *self = (DynoOrtSession *)session;
  Slot *slot = &self->slots[self->next_slot];
  OrtStatus *status;

  if (G_UNLIKELY (self->n_slots == 0 || slot->n_missing > 0))
    {
      gsize missing = 0;

      while (self->n_slots > 0 && self->slots[self->next_slot].values[missing] != NULL)
        missing++;
      return dyno_port_fail_without_value (self->n_inputs > 0 ? self->input_names[missing] : "", self->path,
                                           error);
    }
  if (G_UNLIKELY (self->renew_outputs))
    renew_outputs (self);
  if (G_UNLIKELY (self->zeroes_denormals != zeroes_denormals))
    zero_denormals (self->zeroes_denormals);
  status = run_slot (self, slot);
  if (++self->next_slot == self->n_slots)
    self->next_slot = 0;
  return G_LIKELY (status == NULL) || run_again_or_fail (self, slot, status, error);
}

static gboolean
read_shape (DynoOrtSession *self, const OrtTensorTypeAndShapeInfo *info, DynoShape *shape, GError **error)
{
  /* ONNX Runtime numbers types as the format does, except for the last ones. */
  static const DynoDataType last[] = { DYNO_DATA_TYPE_UINT2, DYNO_DATA_TYPE_INT2, DYNO_DATA_TYPE_FLOAT8E8M0 };
  const guint first = DYNO_DATA_TYPE_FLOAT4E2M1 + 1;
  ONNXTensorElementDataType type;
  gsize rank;

  if (!check (self, self->api->GetTensorElementType (info, &type), error) ||
      !check (self, self->api->GetDimensionsCount (info, &rank), error))
    return FALSE;
  if (rank > DYNO_SHAPE_MAX_RANK)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” has a tensor of %u dimensions; Dyno handles %d."), self->path, (guint)rank,
                   DYNO_SHAPE_MAX_RANK);
      return FALSE;
    }
  shape->type = (guint)type >= first && (guint)type < first + G_N_ELEMENTS (last) ? last[(guint)type - first]
                                                                                  : (DynoDataType)type;
  shape->rank = rank;
  return check (self, self->api->GetDimensions (info, shape->dims, rank), error);
}

static gboolean
fill_tensor (DynoOrtSession *self, const OrtValue *output, DynoTensor *tensor, GError **error)
{
  const void *data;

  if (dyno_tensor_get_size (tensor) == 0)
    return TRUE;
  if (self->transfer != NULL)
    {
      OrtValue *value = create_numbers (self, tensor, error);
      gint64 start_ns = dyno_clock_now_ns ();
      gboolean ok =
          value != NULL && check (self, dyno_ort_transfer_download (self->transfer, output, value), error);

      self->times.from_device_ns += dyno_clock_now_ns () - start_ns;
      g_clear_pointer (&value, self->api->ReleaseValue);
      return ok;
    }
  if (!check (self, self->api->GetTensorMutableData ((OrtValue *)output, (void **)&data), error))
    return FALSE;
  memcpy (dyno_tensor_get_data (tensor), data, dyno_tensor_get_size (tensor));
  return TRUE;
}

static DynoTensor *
copy_tensor (DynoOrtSession *self, const OrtValue *value, const char *name, GError **error)
{
  OrtTensorTypeAndShapeInfo *info = NULL;
  DynoShape shape = { 0 };
  g_autoptr (DynoTensor) tensor = NULL;
  gboolean ok;

  if (!check (self, self->api->GetTensorTypeAndShape (value, &info), error))
    return NULL;
  ok = read_shape (self, info, &shape, error);
  self->api->ReleaseTensorTypeAndShapeInfo (info);
  if (!ok)
    return NULL;
  if (shape.type == DYNO_DATA_TYPE_STRING)
    {
      /* The texts are stored one after another. */
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      gsize count = (gsize)dyno_shape_count (&shape), length = 0;
      g_autofree gsize *starts = g_new0 (gsize, count + 1);
      g_autofree char *texts = NULL;

      if (!check (self, self->api->GetStringTensorDataLength (value, &length), error))
        return NULL;
      texts = g_malloc (length + 1);
      if (!check (self, self->api->GetStringTensorContent (value, texts, length, starts, count), error))
        return NULL;
      starts[count] = length;
      for (gsize i = 0; i < count; i++)
        {
          g_autofree char *text = g_utf8_make_valid (texts + starts[i], (gssize)(starts[i + 1] - starts[i]));

          g_strv_builder_add (builder, text);
        }
      return dyno_tensor_new_texts (name, &shape, g_strv_builder_end (builder));
    }
  tensor = dyno_tensor_new (name, &shape);
  return fill_tensor (self, value, tensor, error) ? g_steal_pointer (&tensor) : NULL;
}

static DynoTensor *
copy_output (DynoOrtSession *self, gsize index, GError **error)
{
  const DynoShape absent = { DYNO_DATA_TYPE_OPTIONAL, 0, { 0 } };
  const OrtValue *value = self->outputs[index];
  enum ONNXType type = ONNX_TYPE_UNKNOWN;
  int has_value = 1;

  if (self->output_ports[index].is_tensor)
    return copy_tensor (self, value, self->output_names[index], error);
  if (!check (self, self->api->HasValue (value, &has_value), error))
    return NULL;
  if (has_value == 0)
    return dyno_tensor_new (self->output_names[index], &absent);
  if (!check (self, self->api->GetValueType (value, &type), error))
    return NULL;
  if (type != ONNX_TYPE_SEQUENCE)
    return copy_tensor (self, value, self->output_names[index], error);

  const char *name = self->output_names[index];
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  OrtAllocator *allocator = NULL;
  gsize n = 0;

  if (!check (self, self->api->GetValueCount (value, &n), error) ||
      !check (self, self->api->GetAllocatorWithDefaultOptions (&allocator), error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *of_item = g_strdup_printf ("%s[%" G_GSIZE_FORMAT "]", name, i);
      OrtValue *element = NULL;
      DynoTensor *item;

      if (!check (self, self->api->GetValue (value, (int)i, allocator, &element), error))
        return NULL;
      item = copy_tensor (self, element, of_item, error);
      self->api->ReleaseValue (element);
      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  return dyno_tensor_new_sequence (name, g_steal_pointer (&items));
}

static GPtrArray *
dyno_ort_session_get_outputs (DynoSession *session, GError **error)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  if (!check (self, fetch_outputs (self), error))
    return NULL;
  self->times.from_device_ns = 0;
  for (gsize i = 0; i < self->n_outputs; i++)
    {
      const DynoPort *port = &self->output_ports[i];
      DynoTensor *tensor;

      if (self->outputs[i] == NULL || port->shape.type == DYNO_DATA_TYPE_UNDEFINED)
        continue;
      tensor = copy_output (self, i, error);
      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (tensors, tensor);
    }
  self->has_fetched = TRUE;
  return g_steal_pointer (&tensors);
}

static gboolean
dyno_ort_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  gsize from, to;

  if (!dyno_port_find_output (self->output_ports, self->n_outputs, output, self->path, &from, error) ||
      !find_input (self, input, &to, error) || !check (self, fetch_outputs (self), error))
    return FALSE;
  if (self->outputs[from] == NULL)
    return dyno_port_fail_to_carry (output, self->path, error);

  /* A value that was carried into the slot of the last run is used up. */
  Slot *used = &self->slots[(self->next_slot + self->n_slots - 1) % self->n_slots];

  if (used->tensors[to] == NULL)
    {
      clear_input (self, used, to);
      count_missing (self, used);
    }

  put_input (self, &self->slots[self->next_slot], to, g_steal_pointer (&self->outputs[from]), NULL);
  plan_outputs (self);
  return TRUE;
}

/* An earlier value of the slot stays valid for as long as outputs are overwritten in place. */
static gboolean
share (DynoOrtSession *self, const char *name, DynoOrtSession *to, Slot *slot, GError **error)
{
  gsize from, index;
  OrtValue *view;

  if (!dyno_port_find_output (self->output_ports, self->n_outputs, name, self->path, &from, error) ||
      !find_input (to, name, &index, error))
    return FALSE;
  if (self->keeps_outputs && slot->generations[index] == self->generation)
    return TRUE;
  if (self->outputs[from] == NULL)
    return dyno_port_fail_to_carry (name, self->path, error);

  OrtValue *output = self->outputs[from];
  OrtTensorTypeAndShapeInfo *info = NULL;
  const OrtMemoryInfo *memory = NULL;
  DynoShape shape = { 0 };
  void *data = NULL;
  gboolean is_read;
  if (!check (self, self->api->GetTensorTypeAndShape (output, &info), error))
    return FALSE;
  is_read = read_shape (self, info, &shape, error);
  self->api->ReleaseTensorTypeAndShapeInfo (info);
  if (!is_read || !check (self, self->api->GetTensorMutableData (output, &data), error) ||
      !check (self, self->api->GetTensorMemoryInfo (output, &memory), error) ||
      !check (self,
              self->api->CreateTensorWithDataAsOrtValue (memory, data, (gsize)dyno_shape_bytes (&shape),
                                                         shape.dims, shape.rank,
                                                         (ONNXTensorElementDataType)shape.type, &view),
              error))
    return FALSE;

  put_input (to, slot, index, view, NULL);
  slot->generations[index] = self->keeps_outputs ? self->generation : 0;
  plan_outputs (to);
  return TRUE;
}

static gboolean
dyno_ort_session_hand_over (
    DynoSession *session, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  DynoOrtSession *taker = DYNO_ORT_SESSION (to);

  g_return_val_if_fail (slot < taker->n_slots, FALSE);

  if (!check (self, fetch_outputs (self), error))
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    if (!share (self, names[i], taker, &taker->slots[slot], error))
      return FALSE;
  return TRUE;
}

static void
remove_profile (DynoOrtSession *self)
{
  dyno_scratch_remove (self->profile_folder);
  g_clear_pointer (&self->profile_folder, g_free);
}

static char *
stop_profiling (DynoOrtSession *self, GError **error)
{
  OrtAllocator *allocator = NULL;
  char *from_runtime = NULL;
  char *file;

  if (!check (self, self->api->GetAllocatorWithDefaultOptions (&allocator), error) ||
      !check (self, self->api->SessionEndProfiling (self->session, allocator, &from_runtime), error))
    return NULL;
  file = g_strdup (from_runtime);
  check (self, self->api->AllocatorFree (allocator, from_runtime), NULL);
  return file;
}

static GPtrArray *
read_profile (DynoOrtSession *self, const char *trace, GError **error)
{
  g_autoptr (GPtrArray) nodes = dyno_ort_profile_parse (trace, error);
  g_autofree char *path = g_build_filename (self->profile_folder, PROVIDER_PROFILE, NULL);

  if (nodes == NULL)
    return NULL;
  g_clear_pointer (&self->profile_values, g_ptr_array_unref);
  self->profile_values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  if (self->read_profile != NULL && !self->read_profile (path, nodes, self->profile_values, error))
    return NULL;
  return g_steal_pointer (&nodes);
}

static GPtrArray *
dyno_ort_session_end_profile (DynoSession *session, GError **error)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  g_autofree char *file = NULL;
  GPtrArray *nodes = NULL;

  if (self->profile_folder == NULL)
    {
      dyno_session_set_not_recording (error);
      return NULL;
    }
  file = stop_profiling (self, error);
  if (file != NULL)
    nodes = read_profile (self, file, error);
  remove_profile (self);
  return nodes;
}

static GPtrArray *
dyno_ort_session_get_profile_values (DynoSession *session)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);

  return self->profile_values != NULL ? g_ptr_array_ref (self->profile_values) : NULL;
}

#if ORT_API_VERSION >= 23
static gint64
get_number (DynoOrtSession *self, const OrtKeyValuePairs *pairs, const char *key)
{
  const char *text = self->api->GetKeyValue (pairs, key);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : -1;
}

static OrtAllocator *
get_allocator (DynoOrtSession *self)
{
  if (dyno_ort_runtime_get_api_version (self->runtime) < 23)
    return NULL;
  if (self->transfer != NULL)
    return dyno_ort_transfer_get_allocator (self->transfer);
  if (self->allocator == NULL)
    check (self, self->api->CreateAllocator (self->session, self->memory_info, &self->allocator), NULL);
  return self->allocator;
}

/* An allocator that keeps no statistics returns zeros, though the session uses memory. */
static gboolean
dyno_ort_session_get_allocator_stats (DynoSession *session, DynoAllocatorStats *stats)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  OrtKeyValuePairs *pairs = NULL;
  DynoAllocatorStats read;
  OrtAllocator *allocator = get_allocator (self);

  if (allocator == NULL || !check (self, self->api->AllocatorGetStats (allocator, &pairs), NULL))
    return FALSE;
  read.in_use = get_number (self, pairs, "InUse");
  read.held = get_number (self, pairs, "TotalAllocated");
  read.peak = get_number (self, pairs, "MaxInUse");
  self->api->ReleaseKeyValuePairs (pairs);
  if (read.in_use < 0 || read.held < 0 || read.peak <= 0)
    return FALSE;
  *stats = read;
  return TRUE;
}
#endif

static const char *
dyno_ort_session_get_provider (DynoSession *session)
{
  return DYNO_ORT_SESSION (session)->provider;
}

/* Returns the times of the inputs set last and the outputs fetched last. */
static gboolean
dyno_ort_session_get_transfer_times (DynoSession *session, DynoTransferTimes *times)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);

  if (self->transfer == NULL || !self->has_fetched)
    return FALSE;
  *times = self->times;
  return TRUE;
}

static GHashTable *
dyno_ort_session_read_settings (DynoSession *session)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);
  GHashTable *settings;

  if (self->computes_in == NULL)
    return NULL;
  settings = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_hash_table_insert (settings, (gpointer) "inference-precision", g_strdup (self->computes_in));
  return settings;
}

static GArray *
dyno_ort_session_get_load_stages (DynoSession *session)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (session);

  return self->stages != NULL ? g_array_ref (self->stages) : NULL;
}

static void
dyno_ort_session_finalize (GObject *object)
{
  DynoOrtSession *self = DYNO_ORT_SESSION (object);

  if (self->profile_folder != NULL)
    {
      if (self->session != NULL)
        g_free (stop_profiling (self, NULL));
      remove_profile (self);
    }
  if (self->outputs != NULL)
    release_outputs (self);
  for (guint i = 0; i < self->n_slots; i++)
    {
      Slot *slot = &self->slots[i];

      for (gsize k = 0; k < self->n_inputs; k++)
        clear_input (self, slot, k);
      g_clear_pointer (&slot->run_options, self->api->ReleaseRunOptions);
      g_clear_pointer (&slot->binding, self->api->ReleaseIoBinding);
      g_free (slot->values);
      g_free (slot->tensors);
      g_free (slot->generations);
    }
  g_clear_pointer (&self->transfer, dyno_ort_transfer_free);
  g_clear_pointer (&self->allocator, self->api->ReleaseAllocator);
  if (self->owner == NULL)
    g_clear_pointer (&self->session, self->api->ReleaseSession);
  g_clear_pointer (&self->memory_info, self->api->ReleaseMemoryInfo);
  g_clear_object (&self->owner);
  dyno_port_free_array (self->input_ports, self->n_inputs);
  dyno_port_free_array (self->output_ports, self->n_outputs);
  g_clear_pointer (&self->stages, g_array_unref);
  g_clear_pointer (&self->profile_values, g_ptr_array_unref);
  g_free (self->slots);
  g_free (self->outputs);
  g_free (self->input_names);
  g_free (self->output_names);
  g_free (self->provider);
  g_free (self->path);

  G_OBJECT_CLASS (dyno_ort_session_parent_class)->finalize (object);
}

static DynoSession *dyno_ort_session_open_lane (DynoSession *session, GError **error);

static void
dyno_ort_session_class_init (DynoOrtSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_ort_session_finalize;
  session_class->takes_all_types = TRUE;
  session_class->set_inputs = dyno_ort_session_set_inputs;
  session_class->run = dyno_ort_session_run;
  session_class->get_outputs = dyno_ort_session_get_outputs;
  session_class->carry = dyno_ort_session_carry;
  session_class->hand_over = dyno_ort_session_hand_over;
  session_class->end_profile = dyno_ort_session_end_profile;
  session_class->get_profile_values = dyno_ort_session_get_profile_values;
#if ORT_API_VERSION >= 23
  session_class->get_allocator_stats = dyno_ort_session_get_allocator_stats;
#endif
  session_class->get_provider = dyno_ort_session_get_provider;
  session_class->read_settings = dyno_ort_session_read_settings;
  session_class->get_load_stages = dyno_ort_session_get_load_stages;
  session_class->get_transfer_times = dyno_ort_session_get_transfer_times;
  session_class->open_lane = dyno_ort_session_open_lane;
}

static void
dyno_ort_session_init (DynoOrtSession *self)
{
  self->unfetched = NO_SLOT;
}

/* The level is ignored for a graph that must not be rewritten. */
static gboolean
apply_options (DynoOrtSession *self,
               OrtSessionOptions *native,
               const DynoSessionOptions *options,
               GError **error)
{
  static const GraphOptimizationLevel levels[] = { ORT_ENABLE_ALL, ORT_ENABLE_EXTENDED, ORT_ENABLE_BASIC,
                                                   ORT_DISABLE_ALL };
  const OrtApi *api = self->api;
  const char *told = dyno_session_options_get (options, "graph-optimisation");
  guint level = options->optimise ? 0 : G_N_ELEMENTS (levels) - 1;

  while (options->optimise && told != NULL && !g_str_equal (told, dyno_backend_optimisations[level]))
    level++;
  if (!check (self, api->SetSessionGraphOptimizationLevel (native, levels[level]), error))
    return FALSE;
  for (const DynoOrtSetting *setting = dyno_ort_session_settings; setting->option != NULL; setting++)
    {
      const char *entry = dyno_ort_setting_get_entry (setting, options->engine);
      OrtStatus *status;

      if (entry == NULL)
        continue;
      if (g_str_equal (setting->option, "arena"))
        status = api->DisableCpuMemArena (native);
      else if (g_str_equal (setting->option, "memory-pattern"))
        status = api->DisableMemPattern (native);
      else
        status = api->AddSessionConfigEntry (native, setting->key, entry);
      if (!check (self, status, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
configure (DynoOrtSession *self,
           OrtSessionOptions *native,
           DynoOrtTarget *target,
           const DynoSessionOptions *options,
           GError **error)
{
  const OrtApi *api = self->api;
  const char *told = dyno_session_options_get (options, "inter-op-threads");
  int n_at_once = told != NULL ? (int)g_ascii_strtoll (told, NULL, 10) : 1;
  guint threads = options->threads > 0 ? options->threads : g_get_num_processors ();
  g_autofree char *prefix = NULL;
  g_autofree char *of_provider = NULL;

  if (!check (self, api->SetSessionLogSeverityLevel (native, ORT_LOGGING_LEVEL_ERROR), error))
    return FALSE;
  if (options->left_alone)
    return TRUE;
  /* With one thread, operators run one after another, on the thread that asks for the step. */
  if (!check (self, api->SetIntraOpNumThreads (native, threads), error) ||
      !check (self, api->SetSessionExecutionMode (native, n_at_once > 1 ? ORT_PARALLEL : ORT_SEQUENTIAL),
              error) ||
      (n_at_once > 1 && !check (self, api->SetInterOpNumThreads (native, n_at_once), error)) ||
      !apply_options (self, native, options, error))
    return FALSE;
  if ((!options->optimise || options->plain_weights) &&
      !check (self, api->AddSessionConfigEntry (native, "session.disable_prepacking", "1"), error))
    return FALSE;
  if (!options->profile)
    return TRUE;
  self->profile_folder = dyno_scratch_new (error);
  if (self->profile_folder == NULL)
    return FALSE;
  prefix = g_build_filename (self->profile_folder, "trace", NULL);
  of_provider = g_build_filename (self->profile_folder, PROVIDER_PROFILE, NULL);
  if (target->profile_option != NULL)
    dyno_ort_target_set (target, target->profile_option, of_provider);
  /* Without a folder a provider keeps its cache in the current one. */
  if (target->cache_option != NULL)
    dyno_ort_target_set (target, target->cache_option, self->profile_folder);
  return check (self, api->EnableProfiling (native, prefix), error);
}

/* Providers that compile for fixed sizes get them here; a dimension of size zero stays free. */
static gboolean
fix_shapes (DynoOrtSession *self,
            OrtSessionOptions *native,
            const DynoOrtTarget *target,
            const DynoSessionOptions *options,
            GError **error)
{
  const char *asked = dyno_session_options_get (options, "shapes");
  gboolean is_fixed = asked != NULL ? g_str_equal (asked, "fixed") : target->takes_fixed_shapes;
  GHashTableIter iter;
  gpointer name, size;

  if (!is_fixed || options->sizes == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, options->sizes);
  while (g_hash_table_iter_next (&iter, &name, &size))
    if (*(const gint64 *)size > 0 &&
        !check (self, self->api->AddFreeDimensionOverrideByName (native, name, *(const gint64 *)size), error))
      return FALSE;
  return TRUE;
}

/* @context: the file for the compiled model of the provider. */
static gboolean
create_session (DynoOrtSession *self,
                const char *path,
                const char *context,
                DynoOrtTarget *target,
                const DynoSessionOptions *options,
                GError **error)
{
  static const char *const folder_key = "session.model_external_initializers_file_folder_path";
  const OrtApi *api = self->api;
  OrtSessionOptions *native = NULL;
  OrtEnv *env = dyno_ort_runtime_get_env (self->runtime, error);
  g_autofree char *folder = g_path_get_dirname (path);
  gboolean ok;

  if (env == NULL || !check (self, api->CreateSessionOptions (&native), error))
    return FALSE;
  ok = configure (self, native, target, options, error) && fix_shapes (self, native, target, options, error);
  /* The compiled model is one file, so that it can be loaded from any folder. */
  if (ok && context != NULL)
    ok = check (self, api->AddSessionConfigEntry (native, "ep.context_enable", "1"), error) &&
         check (self, api->AddSessionConfigEntry (native, "ep.context_embed_mode", "1"), error) &&
         check (self, api->AddSessionConfigEntry (native, "ep.context_file_path", context), error);
  ok = ok && dyno_ort_provider_append (self->runtime, target, native, error);
  if (ok && options->bytes == NULL)
    ok = check (self, api->CreateSession (env, path, native, &self->session), error);
  else if (ok)
    ok = check (self, api->AddSessionConfigEntry (native, folder_key, folder), error) &&
         check (self,
                api->CreateSessionFromArray (env, g_bytes_get_data (options->bytes, NULL),
                                             g_bytes_get_size (options->bytes), native, &self->session),
                error);
  api->ReleaseSessionOptions (native);
  return ok;
}

static gboolean
create_stage (DynoOrtSession *self,
              const char *name,
              const char *path,
              const char *context,
              DynoOrtTarget *target,
              const DynoSessionOptions *options,
              GError **error)
{
  gint64 began = dyno_clock_now_ns ();

  if (!create_session (self, path, context, target, options, error))
    return FALSE;
  dyno_load_stages_add (self->stages, name, dyno_clock_now_ns () - began);
  return TRUE;
}

/* The second session loads only the provider's compiled model, which includes ONNX Runtime's own rewriting, or the same
 * model with the provider's cache. */
static gboolean
create_twice (DynoOrtSession *self, DynoOrtTarget *target, const DynoSessionOptions *options, GError **error)
{
  g_autofree char *folder = dyno_scratch_new (error);
  g_autofree char *context =
      folder != NULL && target->keeps_context ? g_build_filename (folder, "context.onnx", NULL) : NULL;
  g_autoptr (GDir) dir = NULL;
  gboolean ok;

  if (folder == NULL)
    return FALSE;
  self->stages = dyno_load_stages_new ();
  if (target->cache_option != NULL)
    dyno_ort_target_set (target, target->cache_option, folder);
  ok = create_stage (self, "compile", self->path, context, target, options, error);
  dir = g_dir_open (folder, 0, NULL);
  if (ok && (dir == NULL || g_dir_read_name (dir) == NULL))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("ONNX Runtime’s provider “%s” did not produce a compiled model of “%s”."),
                   self->provider, self->path);
      ok = FALSE;
    }
  if (ok)
    {
      g_clear_pointer (&self->session, self->api->ReleaseSession);
      ok = create_stage (self, "compile_cached", context != NULL ? context : self->path, NULL, target,
                         options, error);
    }
  dyno_scratch_remove (folder);
  return ok;
}

/* Loads the type of a sequence of tensors or an optional value; maps, alone or in a sequence, are left alone. */
static gboolean
load_container (DynoOrtSession *self, DynoPort *port, OrtTypeInfo *info, GError **error)
{
  const OrtSequenceTypeInfo *sequence = NULL;
  OrtTypeInfo *element = NULL;
  enum ONNXType type = ONNX_TYPE_UNKNOWN;

  if (!check (self, self->api->GetOnnxTypeFromTypeInfo (info, &type), error))
    return FALSE;
  if (type == ONNX_TYPE_OPTIONAL)
    port->shape.type = DYNO_DATA_TYPE_OPTIONAL;
  if (type != ONNX_TYPE_SEQUENCE)
    return TRUE;
  if (!check (self, self->api->CastTypeInfoToSequenceTypeInfo (info, &sequence), error) ||
      !check (self, self->api->GetSequenceElementType (sequence, &element), error))
    return FALSE;
  if (check (self, self->api->GetOnnxTypeFromTypeInfo (element, &type), NULL) && type == ONNX_TYPE_TENSOR)
    port->shape.type = DYNO_DATA_TYPE_SEQUENCE;
  self->api->ReleaseTypeInfo (element);
  return TRUE;
}

static gboolean
load_port_shape (DynoOrtSession *self, DynoPort *port, gsize index, GetPortType get_type, GError **error)
{
  const OrtTensorTypeAndShapeInfo *tensor_info = NULL;
  OrtTypeInfo *info = NULL;
  gboolean ok;

  if (!check (self, get_type (self->session, index, &info), error))
    return FALSE;
  ok = check (self, self->api->CastTypeInfoToTensorInfo (info, &tensor_info), error);
  port->is_tensor = ok && tensor_info != NULL;
  if (port->is_tensor)
    ok = read_shape (self, tensor_info, &port->shape, error);
  else
    ok = ok && load_container (self, port, info, error);
  self->api->ReleaseTypeInfo (info);
  return ok;
}

static gboolean
load_ports (DynoOrtSession *self,
            CountPorts count,
            GetPortName get_name,
            GetPortType get_type,
            DynoPort **ports,
            const char ***names,
            gsize *n,
            GError **error)
{
  OrtAllocator *allocator = NULL;

  if (!check (self, self->api->GetAllocatorWithDefaultOptions (&allocator), error) ||
      !check (self, count (self->session, n), error))
    return FALSE;
  *ports = g_new0 (DynoPort, *n);
  *names = g_new0 (const char *, *n);
  for (gsize i = 0; i < *n; i++)
    {
      char *name = NULL;

      if (!check (self, get_name (self->session, i, allocator, &name), error))
        return FALSE;
      (*names)[i] = (*ports)[i].name = g_strdup (name);
      if (!check (self, self->api->AllocatorFree (allocator, name), error) ||
          !load_port_shape (self, &(*ports)[i], i, get_type, error))
        return FALSE;
    }
  return TRUE;
}

/* Prepares the parts that every lane has for itself. */
static gboolean
prepare_runs (DynoOrtSession *self, GError **error)
{
  if (!check (self, self->api->CreateCpuMemoryInfo (OrtArenaAllocator, OrtMemTypeDefault, &self->memory_info),
              error) ||
      !load_ports (self, self->api->SessionGetInputCount, self->api->SessionGetInputName,
                   self->api->SessionGetInputTypeInfo, &self->input_ports, &self->input_names,
                   &self->n_inputs, error) ||
      !load_ports (self, self->api->SessionGetOutputCount, self->api->SessionGetOutputName,
                   self->api->SessionGetOutputTypeInfo, &self->output_ports, &self->output_names,
                   &self->n_outputs, error))
    return FALSE;
  self->outputs = g_new0 (OrtValue *, self->n_outputs);
  if (!g_str_equal (self->provider, DYNO_ORT_PROVIDER_CPU))
    self->transfer = dyno_ort_transfer_new (self->runtime, self->session, self->n_inputs, self->n_outputs,
                                            self->returns_early);
  return TRUE;
}

/* Several threads may call `Run` of one session, but a recorded graph replays with one set of memory. */
static DynoSession *
dyno_ort_session_open_lane (DynoSession *session, GError **error)
{
  DynoOrtSession *owner = DYNO_ORT_SESSION (session);
  g_autoptr (DynoOrtSession) self = NULL;

  if (owner->records_graph)
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          _ ("A recorded graph is played back one step at a time, so clients cannot share its session. Leave "
             "the recording out, or give each client its own (“sessions=own”)."));
      return NULL;
    }
  self = g_object_new (DYNO_TYPE_ORT_SESSION, NULL);
  self->owner = g_object_ref (owner);
  self->runtime = owner->runtime;
  self->api = owner->api;
  self->session = owner->session;
  self->path = g_strdup (owner->path);
  self->provider = g_strdup (owner->provider);
  self->returns_early = owner->returns_early;
  self->zeroes_denormals = owner->zeroes_denormals;
  return prepare_runs (self, error) ? DYNO_SESSION (g_steal_pointer (&self)) : NULL;
}

DynoSession *
dyno_ort_session_new (DynoOrtRuntime *runtime,
                      const char *onnx_path,
                      DynoOrtTarget *target,
                      const DynoSessionOptions *options,
                      GError **error)
{
  g_autoptr (DynoOrtSession) self = NULL;
  gboolean is_loaded;

  g_return_val_if_fail (DYNO_IS_ORT_RUNTIME (runtime), NULL);
  g_return_val_if_fail (onnx_path != NULL, NULL);
  g_return_val_if_fail (target != NULL, NULL);
  g_return_val_if_fail (options != NULL, NULL);

  self = g_object_new (DYNO_TYPE_ORT_SESSION, NULL);
  self->runtime = runtime;
  self->api = dyno_ort_runtime_get_api (runtime);
  self->path = g_strdup (onnx_path);
  self->provider = g_strdup (target->provider);
  self->records_graph = target->records_graph;
  self->computes_in = target->computes_in;
  self->read_profile = target->read_profile;
  self->returns_early = dyno_ort_provider_returns_early (target->provider);
  if (dyno_ort_runtime_get_env (self->runtime, error) == NULL)
    return NULL;
  /* An older provider copies only within a run; its library, registered again, also copies outside it. If that
   * fails, the copies are part of a step. */
  if (target->registers_library)
    {
      const char *provider = target->fallback != NULL ? target->fallback : target->provider;
      g_autofree char *library = dyno_ort_provider_dup_library (self->runtime, provider);
      g_autoptr (GError) problem = NULL;

      if (library != NULL && !dyno_ort_plugins_register (self->runtime, library, &problem))
        g_debug ("%s", problem->message);
    }
  self->zeroes_denormals =
      !options->left_alone && g_strcmp0 (dyno_session_options_get (options, "denormals"), "zero") == 0;
  zero_denormals (self->zeroes_denormals);
  is_loaded = (target->keeps_context || target->cache_option != NULL) && !options->profile
                  ? create_twice (self, target, options, error)
                  : create_session (self, self->path, NULL, target, options, error);
  if (!is_loaded || !prepare_runs (self, error))
    return NULL;
  return DYNO_SESSION (g_steal_pointer (&self));
}
