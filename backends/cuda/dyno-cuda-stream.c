/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-cuda-private.h"
#include "dyno-error.h"
#include "dyno-system-file.h"

/* The library of NVIDIA's driver, declared as in its documentation, as far as Dyno calls it. Its streams are those of
 * CUDA's runtime as well, of whichever version. */
#define CUDA_SUCCESS  0
#define NON_BLOCKING  1
#define FIRST_VISIBLE 0

static struct
{
  int (*init) (unsigned int flags);
  int (*get_device) (int *device, int ordinal);
  int (*retain_context) (gpointer *context, int device);
  int (*push_context) (gpointer context);
  int (*pop_context) (gpointer *context);
  int (*get_range) (int *least, int *greatest);
  int (*create_stream) (gpointer *stream, unsigned int flags, int priority);
} cuda;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&cuda.init, { "cuInit" }, TRUE },
  { (gpointer *)&cuda.get_device, { "cuDeviceGet" }, TRUE },
  { (gpointer *)&cuda.retain_context, { "cuDevicePrimaryCtxRetain" }, TRUE },
  { (gpointer *)&cuda.push_context, { "cuCtxPushCurrent_v2" }, TRUE },
  { (gpointer *)&cuda.pop_context, { "cuCtxPopCurrent_v2" }, TRUE },
  { (gpointer *)&cuda.get_range, { "cuCtxGetStreamPriorityRange" }, TRUE },
  { (gpointer *)&cuda.create_stream, { "cuStreamCreateWithPriority" }, TRUE },
};

static const char *const names[] = { "libcuda.so.1", "libcuda.so", NULL };

const char *const dyno_cuda_stream_priorities[] = { "low", "middle", "high", NULL };

gpointer
dyno_cuda_stream_new (const char *priority, GError **error)
{
  int device, least = 0, greatest = 0, place = 0, code;
  gpointer context, stream = NULL;

  while (!g_str_equal (dyno_cuda_stream_priorities[place], priority))
    place++;
  if (!dyno_vendor_library_load (names, functions, G_N_ELEMENTS (functions)))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("The library “%s” of NVIDIA’s driver, which makes streams with a priority, is missing "
                      "or too old. Leave out the option “stream-priority”, or install a newer driver."),
                   *names);
      return NULL;
    }
  code = cuda.init (0);
  if (code == CUDA_SUCCESS)
    code = cuda.get_device (&device, FIRST_VISIBLE);
  /* ONNX Runtime computes in the primary context too. */
  if (code == CUDA_SUCCESS)
    code = cuda.retain_context (&context, device);
  if (code == CUDA_SUCCESS)
    code = cuda.push_context (context);
  if (code == CUDA_SUCCESS)
    {
      code = cuda.get_range (&least, &greatest);
      /* A more urgent stream has a lower number. */
      if (code == CUDA_SUCCESS && least != greatest)
        code = cuda.create_stream (&stream, NON_BLOCKING, least + (greatest - least) * place / 2);
      cuda.pop_context (&context);
    }
  if (code != CUDA_SUCCESS)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("NVIDIA’s driver could not make a stream with a priority (CUDA error %d). Leave out the "
                    "option “stream-priority”."),
                 code);
  else if (stream == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                         _ ("The device has no priorities of streams. Leave out the option "
                            "“stream-priority”."));
  return stream;
}
