/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "dyno-error.h"
#include "dyno-ort.h"
#include "dyno-ort-backend.h"
#include "dyno-precision-trial.h"
#include "dyno-system-file.h"

#define DEVICE_ID  "cpu"
#define HUGE_PAGES "kernel/mm/transparent_hugepage/enabled"

/* More blocks for each thread than any loop is worth. */
#define MAX_BLOCK_BASE 1000

/* The processor, through ONNX Runtime's own kernels. */
G_DECLARE_FINAL_TYPE (DynoCpuBackend, dyno_cpu_backend, DYNO, CPU_BACKEND, DynoOrtBackend)

struct _DynoCpuBackend
{
  DynoOrtBackend parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoCpuBackend, dyno_cpu_backend, DYNO_TYPE_ORT_BACKEND)

static const char *const on_off[] = { "on", "off", NULL };
static const char *const denormals[] = { "kept", "zero", NULL };
static const char *const pages[] = { "default", "on", "off", NULL };

static const DynoBackendOption options[] = {
  { "arena", N_ ("Keep the memory of finished operators for the next ones."), on_off },
  { "memory-pattern", N_ ("Plan the memory of all operators from the first step of the same sizes."),
    on_off },
  { "prepacking", N_ ("Rearrange weights for the kernels when the model is loaded; takes memory."), on_off },
  { "denormals",
    N_ ("Keep numbers below the normal range of floats, or count them as zero, which can be faster."),
    denormals },
  { "spinning", N_ ("Let waiting threads spin for a while before they sleep."), on_off },
  { "dynamic-block-base",
    N_ ("Split loops into shrinking blocks, the first 1 ÷ (threads × this number) of a loop; 0 for equal "
        "ones (0)."),
    NULL, 0, MAX_BLOCK_BASE },
  { "huge-pages", N_ ("Ask the kernel for transparent huge pages, forbid them, or leave it to the system."),
    pages },
  { NULL },
};

static gboolean
dyno_cpu_backend_configure (DynoOrtBackend *backend,
                            DynoOrtRuntime *runtime,
                            const DynoSessionOptions *session_options,
                            DynoOrtTarget *target,
                            GError **error)
{
  const char *told = dyno_session_options_get (session_options, "huge-pages");
  g_autofree char *modes = dyno_system_file_dup_text (DYNO_PATH_SYSFS, HUGE_PAGES);

  /* A process that is to ask for them was started so. */
  if (g_strcmp0 (told, "on") == 0 && (modes == NULL || strstr (modes, "[never]") != NULL))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("The kernel gives no transparent huge pages. Write “madvise” into "
                              "“/sys/kernel/mm/transparent_hugepage/enabled” as the superuser, or leave out "
                              "the option “huge-pages=on”."));
      return FALSE;
    }
#ifdef PR_SET_THP_DISABLE
  if (g_strcmp0 (told, "off") != 0 || prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0)
    return TRUE;
#else
  if (g_strcmp0 (told, "off") != 0)
    return TRUE;
  errno = ENOSYS;
#endif
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("Transparent huge pages cannot be forbidden to a process here: %s. Leave out the option "
                  "“huge-pages=off”."),
               g_strerror (errno));
  return FALSE;
}

static gboolean
dyno_cpu_backend_has_device (DynoOrtBackend *backend, const char *id)
{
  return g_str_equal (id, DEVICE_ID);
}

static DynoProbe *
dyno_cpu_backend_probe_devices (DynoOrtBackend *backend, DynoOrtRuntime *runtime)
{
  g_auto (GStrv) precisions = dyno_precision_trial_run (DYNO_BACKEND (backend), DEVICE_ID);
  DynoProbe *probe = dyno_ort_backend_new_probe (backend, runtime);

  dyno_probe_take_device (probe, dyno_device_new_processor (DEVICE_ID, (const char *const *)precisions));
  return probe;
}

static const DynoEnginePath paths[] = {
  { "onnxruntime", DYNO_ORT_VARIABLE, N_ ("ONNX Runtime Library") },
  { NULL },
};

static void
dyno_cpu_backend_class_init (DynoCpuBackendClass *klass)
{
  DynoBackendClass *backend_class = DYNO_BACKEND_CLASS (klass);
  DynoOrtBackendClass *ort_class = DYNO_ORT_BACKEND_CLASS (klass);

  backend_class->id = "cpu";
  backend_class->paths = paths;
  backend_class->name = N_ ("CPU");
  backend_class->description = N_ ("The CPU, through ONNX Runtime.");
  dyno_backend_class_add_options (backend_class, options);
  ort_class->provider = DYNO_ORT_PROVIDER_CPU;
  ort_class->probe_devices = dyno_cpu_backend_probe_devices;
  ort_class->has_device = dyno_cpu_backend_has_device;
  ort_class->configure = dyno_cpu_backend_configure;
}

static void
dyno_cpu_backend_init (DynoCpuBackend *self)
{
}
