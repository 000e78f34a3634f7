/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bare-loop.h"
#include "dyno-clock.h"
#include "dyno-ort-api.h"
#include "dyno-tensor.h"

#define MAX_PORTS 16

struct _BareLoop
{
  const OrtApi *api;
  OrtSession *session;
  OrtMemoryInfo *memory_info;
  char *input_names[MAX_PORTS];
  char *output_names[MAX_PORTS];
  gsize n_inputs;
  gsize n_outputs;
  OrtValue *(*slots)[MAX_PORTS];
  OrtValue *outputs[MAX_PORTS];
  guint n_slots;
  guint next_slot;
};

static void
check (BareLoop *self, OrtStatus *status)
{
  if (status != NULL)
    g_error ("%s", self->api->GetErrorMessage (status));
}

/* The options that Dyno sets, in the same way. */
static void
open_session (BareLoop *self, DynoOrtRuntime *runtime, const char *onnx_path, guint threads)
{
  OrtSessionOptions *options = NULL;

  check (self, self->api->CreateSessionOptions (&options));
  check (self, self->api->SetIntraOpNumThreads (options, (int)threads));
  check (self, self->api->SetSessionExecutionMode (options, ORT_SEQUENTIAL));
  check (self, self->api->SetSessionGraphOptimizationLevel (options, ORT_ENABLE_ALL));
  check (self, self->api->SetSessionLogSeverityLevel (options, ORT_LOGGING_LEVEL_ERROR));
  check (self, self->api->CreateSession (dyno_ort_runtime_get_env (runtime, NULL), onnx_path, options,
                                         &self->session));
  self->api->ReleaseSessionOptions (options);
}

static void
read_ports (BareLoop *self)
{
  OrtAllocator *allocator = NULL;

  check (self, self->api->GetAllocatorWithDefaultOptions (&allocator));
  check (self, self->api->SessionGetInputCount (self->session, &self->n_inputs));
  check (self, self->api->SessionGetOutputCount (self->session, &self->n_outputs));
  g_assert_cmpuint (MAX (self->n_inputs, self->n_outputs), <=, MAX_PORTS);
  for (gsize i = 0; i < self->n_inputs; i++)
    check (self, self->api->SessionGetInputName (self->session, i, allocator, &self->input_names[i]));
  for (gsize i = 0; i < self->n_outputs; i++)
    check (self, self->api->SessionGetOutputName (self->session, i, allocator, &self->output_names[i]));
}

static gsize
find_input (BareLoop *self, const char *name)
{
  for (gsize i = 0; i < self->n_inputs; i++)
    if (g_str_equal (self->input_names[i], name))
      return i;
  g_error ("There is no input “%s”.", name);
}

static void
fill_slot (BareLoop *self, OrtValue **slot, GPtrArray *tensors)
{
  for (guint i = 0; i < tensors->len; i++)
    {
      DynoTensor *tensor = tensors->pdata[i];
      const DynoShape *shape = dyno_tensor_get_shape (tensor);

      check (self, self->api->CreateTensorWithDataAsOrtValue (
                       self->memory_info, dyno_tensor_get_data (tensor), dyno_tensor_get_size (tensor),
                       shape->dims, shape->rank, (ONNXTensorElementDataType)shape->type,
                       &slot[find_input (self, dyno_tensor_get_name (tensor))]));
    }
}

/* @slots, of GPtrArray of DynoTensor, must live as long as the loop. */
BareLoop *
bare_loop_new (DynoOrtRuntime *runtime, const char *onnx_path, guint threads, GPtrArray *slots)
{
  BareLoop *self = g_new0 (BareLoop, 1);

  self->api = dyno_ort_runtime_get_api (runtime);
  open_session (self, runtime, onnx_path, threads);
  read_ports (self);
  check (self, self->api->CreateCpuMemoryInfo (OrtArenaAllocator, OrtMemTypeDefault, &self->memory_info));
  self->n_slots = slots->len;
  self->slots = g_malloc0_n (slots->len, sizeof *self->slots);
  for (guint i = 0; i < slots->len; i++)
    fill_slot (self, self->slots[i], slots->pdata[i]);
  return self;
}

static void
free_names (BareLoop *self, char **names, gsize n_names)
{
  OrtAllocator *allocator = NULL;

  check (self, self->api->GetAllocatorWithDefaultOptions (&allocator));
  for (gsize i = 0; i < n_names; i++)
    check (self, self->api->AllocatorFree (allocator, names[i]));
}

void
bare_loop_free (BareLoop *self)
{
  for (guint i = 0; i < self->n_slots; i++)
    for (gsize k = 0; k < self->n_inputs; k++)
      self->api->ReleaseValue (self->slots[i][k]);
  for (gsize i = 0; i < self->n_outputs; i++)
    self->api->ReleaseValue (self->outputs[i]);
  free_names (self, self->input_names, self->n_inputs);
  free_names (self, self->output_names, self->n_outputs);
  self->api->ReleaseMemoryInfo (self->memory_info);
  self->api->ReleaseSession (self->session);
  g_free (self->slots);
  g_free (self);
}

void
bare_loop_run (BareLoop *self, DynoSamples *samples, guint n_steps)
{
  for (guint i = 0; i < n_steps; i++)
    {
      OrtValue *const *slot = self->slots[self->next_slot];
      gint64 start = dyno_clock_now_ns ();
      OrtStatus *status = self->api->Run (
          self->session, NULL, (const char *const *)self->input_names, (const OrtValue *const *)slot,
          self->n_inputs, (const char *const *)self->output_names, self->n_outputs, self->outputs);

      dyno_samples_record (samples, start, dyno_clock_now_ns ());
      check (self, status);
      self->next_slot = (self->next_slot + 1) % self->n_slots;
    }
}
