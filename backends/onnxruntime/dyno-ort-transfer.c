/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-onnxruntime-private.h"

/* This version introduced copies between memories. */
#define NEEDED_API_VERSION 23

struct _DynoOrtTransfer
{
  const OrtApi *api;
  const OrtEnv *env;
  const OrtMemoryInfo **inputs;
  const OrtMemoryInfo **outputs;
  OrtAllocator *allocator;
  gboolean returns_early;

  /* One number on each side: copying it back ends only after all earlier work of the device. */
  OrtValue *mark_on_device;
  OrtValue *mark_on_host;
};

#if ORT_API_VERSION >= NEEDED_API_VERSION
static gboolean
is_on_device (DynoOrtTransfer *self, const OrtMemoryInfo *memory)
{
  OrtMemoryInfoDeviceType type;

  self->api->MemoryInfoGetDeviceType (memory, &type);
  return type != OrtMemoryInfoDeviceType_CPU;
}

static const OrtMemoryInfo *
find_device (DynoOrtTransfer *self, const OrtMemoryInfo **memories, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (is_on_device (self, memories[i]))
      return memories[i];
  return NULL;
}

static OrtStatus *
copy (DynoOrtTransfer *self, const OrtValue *from, OrtValue *to)
{
  return self->api->CopyTensors (self->env, &from, &to, NULL, 1);
}

/* Tries whether a number that is sent to the device comes back. */
static OrtStatus *
try_copies (DynoOrtTransfer *self)
{
  static const int64_t dims[] = { 1 };
  OrtAllocator *host;
  float *number;
  OrtStatus *status = self->api->GetAllocatorWithDefaultOptions (&host);

  if (status == NULL)
    status = self->api->CreateTensorAsOrtValue (host, dims, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
                                                &self->mark_on_host);
  if (status == NULL)
    status = self->api->CreateTensorAsOrtValue (self->allocator, dims, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
                                                &self->mark_on_device);
  if (status == NULL)
    status = self->api->GetTensorMutableData (self->mark_on_host, (void **)&number);
  if (status != NULL)
    return status;
  *number = 1;
  status = copy (self, self->mark_on_host, self->mark_on_device);
  *number = 0;
  if (status == NULL)
    status = copy (self, self->mark_on_device, self->mark_on_host);
  if (status == NULL && (int)*number != 1)
    status = self->api->CreateStatus (ORT_FAIL, "what was copied to the device did not come back");
  return status;
}

static OrtStatus *
find_memories (DynoOrtTransfer *self, OrtSession *session, gsize n_inputs, gsize n_outputs)
{
  OrtStatus *status = NULL;
  const OrtMemoryInfo *device;

  if (n_inputs > 0)
    status = self->api->SessionGetMemoryInfoForInputs (session, self->inputs, n_inputs);
  if (status == NULL && n_outputs > 0)
    status = self->api->SessionGetMemoryInfoForOutputs (session, self->outputs, n_outputs);
  if (status != NULL)
    return status;
  device = find_device (self, self->inputs, n_inputs);
  if (device == NULL)
    device = find_device (self, self->outputs, n_outputs);
  if (device == NULL)
    return self->api->CreateStatus (ORT_FAIL, "all inputs and outputs lie in host memory");
  return self->api->CreateAllocator (session, device, &self->allocator);
}

DynoOrtTransfer *
dyno_ort_transfer_new (
    DynoOrtRuntime *runtime, OrtSession *session, gsize n_inputs, gsize n_outputs, gboolean returns_early)
{
  g_autoptr (DynoOrtTransfer) self = NULL;
  OrtStatus *status;

  if (dyno_ort_runtime_get_api_version (runtime) < NEEDED_API_VERSION)
    return NULL;
  self = g_new0 (DynoOrtTransfer, 1);
  self->api = dyno_ort_runtime_get_api (runtime);
  self->env = dyno_ort_runtime_get_env (runtime, NULL);
  self->inputs = g_new0 (const OrtMemoryInfo *, n_inputs);
  self->outputs = g_new0 (const OrtMemoryInfo *, n_outputs);
  self->returns_early = returns_early;
  status = find_memories (self, session, n_inputs, n_outputs);
  if (status == NULL)
    status = try_copies (self);
  if (status == NULL)
    return g_steal_pointer (&self);
  g_debug ("Inputs and outputs stay in host memory: %s", self->api->GetErrorMessage (status));
  self->api->ReleaseStatus (status);
  return NULL;
}

OrtStatus *
dyno_ort_transfer_upload (DynoOrtTransfer *self, gsize input, OrtValue **value)
{
  OrtTensorTypeAndShapeInfo *info = NULL;
  ONNXTensorElementDataType type;
  int64_t dims[DYNO_SHAPE_MAX_RANK];
  size_t rank = 0;
  OrtValue *uploaded = NULL;
  OrtStatus *status;

  if (!is_on_device (self, self->inputs[input]))
    return NULL;
  status = self->api->GetTensorTypeAndShape (*value, &info);
  if (status == NULL)
    status = self->api->GetTensorElementType (info, &type);
  if (status == NULL)
    status = self->api->GetDimensionsCount (info, &rank);
  if (status == NULL)
    status = self->api->GetDimensions (info, dims, rank);
  if (status == NULL)
    status = self->api->CreateTensorAsOrtValue (self->allocator, dims, rank, type, &uploaded);
  if (status == NULL)
    status = copy (self, *value, uploaded);
  g_clear_pointer (&info, self->api->ReleaseTensorTypeAndShapeInfo);
  if (status == NULL)
    {
      self->api->ReleaseValue (*value);
      *value = g_steal_pointer (&uploaded);
    }
  g_clear_pointer (&uploaded, self->api->ReleaseValue);
  return status;
}

OrtStatus *
dyno_ort_transfer_download (DynoOrtTransfer *self, const OrtValue *value, OrtValue *copy_of_it)
{
  return copy (self, value, copy_of_it);
}

OrtStatus *
dyno_ort_transfer_finish (DynoOrtTransfer *self)
{
  return self->returns_early ? copy (self, self->mark_on_device, self->mark_on_host) : NULL;
}

OrtStatus *
dyno_ort_transfer_wait (DynoOrtTransfer *self, OrtIoBinding *binding)
{
  OrtStatus *status = self->api->SynchronizeBoundOutputs (binding);

  return status == NULL ? dyno_ort_transfer_finish (self) : status;
}
#else
DynoOrtTransfer *
dyno_ort_transfer_new (
    DynoOrtRuntime *runtime, OrtSession *session, gsize n_inputs, gsize n_outputs, gboolean returns_early)
{
  return NULL;
}

OrtStatus *
dyno_ort_transfer_upload (DynoOrtTransfer *self, gsize input, OrtValue **value)
{
  g_return_val_if_reached (NULL);
}

OrtStatus *
dyno_ort_transfer_download (DynoOrtTransfer *self, const OrtValue *value, OrtValue *copy_of_it)
{
  g_return_val_if_reached (NULL);
}

OrtStatus *
dyno_ort_transfer_finish (DynoOrtTransfer *self)
{
  g_return_val_if_reached (NULL);
}

OrtStatus *
dyno_ort_transfer_wait (DynoOrtTransfer *self, OrtIoBinding *binding)
{
  g_return_val_if_reached (NULL);
}
#endif

const OrtMemoryInfo *
dyno_ort_transfer_get_output_memory (DynoOrtTransfer *self, gsize output)
{
  return self->outputs[output];
}

OrtAllocator *
dyno_ort_transfer_get_allocator (DynoOrtTransfer *self)
{
  return self->allocator;
}

void
dyno_ort_transfer_free (DynoOrtTransfer *self)
{
  g_clear_pointer (&self->mark_on_device, self->api->ReleaseValue);
  g_clear_pointer (&self->mark_on_host, self->api->ReleaseValue);
  g_clear_pointer (&self->allocator, self->api->ReleaseAllocator);
  g_free (self->inputs);
  g_free (self->outputs);
  g_free (self);
}
