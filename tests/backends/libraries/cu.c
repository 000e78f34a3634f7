/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of NVIDIA's driver as far as Dyno asks it for streams. The handle of a stream is 4096 less its priority. A
 * stream of another device, in no context, or outside of the range of priorities is refused, as the real one does.
 * DYNO_FAKE_CUDA is `flat` for a device without priorities, `deaf` for one that is not there, else empty. */
#include <glib.h>

#define SUCCESS         0
#define INVALID_VALUE   1
#define NOT_INITIALIZED 3
#define INVALID_CONTEXT 201
#define UNKNOWN         999

#define GREATEST     -5
#define NON_BLOCKING 1

static gboolean is_initialized;
static int context_of_device;
static gboolean is_current;

int cuInit (unsigned int flags);
int cuDeviceGet (int *device, int ordinal);
int cuDevicePrimaryCtxRetain (gpointer *context, int device);
int cuCtxPushCurrent_v2 (gpointer context);
int cuCtxPopCurrent_v2 (gpointer *context);
int cuCtxGetStreamPriorityRange (int *least, int *greatest);
int cuStreamCreateWithPriority (gpointer *stream, unsigned int flags, int priority);

int
cuInit (unsigned int flags)
{
  is_initialized = flags == 0 && !g_str_equal (g_getenv ("DYNO_FAKE_CUDA"), "deaf");
  return is_initialized ? SUCCESS : UNKNOWN;
}

int
cuDeviceGet (int *device, int ordinal)
{
  if (!is_initialized)
    return NOT_INITIALIZED;
  *device = ordinal;
  return ordinal == 0 ? SUCCESS : INVALID_VALUE;
}

int
cuDevicePrimaryCtxRetain (gpointer *context, int device)
{
  *context = &context_of_device;
  return is_initialized ? SUCCESS : NOT_INITIALIZED;
}

int
cuCtxPushCurrent_v2 (gpointer context)
{
  is_current = context == &context_of_device;
  return is_current ? SUCCESS : INVALID_CONTEXT;
}

int
cuCtxPopCurrent_v2 (gpointer *context)
{
  if (!is_current)
    return INVALID_CONTEXT;
  *context = &context_of_device;
  is_current = FALSE;
  return SUCCESS;
}

int
cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  *least = 0;
  *greatest = g_str_equal (g_getenv ("DYNO_FAKE_CUDA"), "flat") ? 0 : GREATEST;
  return is_current ? SUCCESS : INVALID_CONTEXT;
}

int
cuStreamCreateWithPriority (gpointer *stream, unsigned int flags, int priority)
{
  if (!is_current)
    return INVALID_CONTEXT;
  if (flags != NON_BLOCKING || priority > 0 || priority < GREATEST)
    return INVALID_VALUE;
  *stream = GSIZE_TO_POINTER ((gsize)(4096 - priority));
  return SUCCESS;
}
