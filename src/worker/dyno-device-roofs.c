/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-ceilings.h"
#include "dyno-clock.h"
#include "dyno-disturbance.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-onnx-writer.h"
#include "dyno-precision.h"
#include "dyno-scratch.h"
#include "dyno-worker-private.h"

#define NS_PER_SECOND 1e9

/* Products in a chain, so that the operators before and after them hardly count. */
#define N_PRODUCTS 4

/* Columns of the array that is copied. */
#define N_COLUMNS 4096

#define MIN_REPEATS     5
#define MAX_REPEATS     50
#define MIN_RESOLUTIONS 1000

/* No size may take a larger share of a model's time. */
#define SHARE_OF_A_SIZE 0.3

#define USUAL_PRECISION "fp32"

/* Outputs and inputs with these names stay on the device from step to step in a browser page. */
#define SCALE "past_key_values.copy"
#define COPY  "present.copy"

/**
 * RoofModel:
 * @create: builds the model for a size
 * @count: the FLOPs or bytes of one step with elements of a type
 * @first: the smallest size
 * @growth: from one size to the next
 * @work_growth: how much longer the next size takes
 * @largest_counts: whether the roof is that of the largest size that runs, instead of the fastest
 */
typedef struct
{
  const char *id;
  DynoCeilingKind kind;
  const char *level;
  const char *mix;
  const char *unit;
  const char *method;
  void (*create) (DynoGraph *graph, gint64 size);
  double (*count) (gint64 size, DynoDataType type);
  gint64 first;
  gint64 last;
  gint64 growth;
  double work_growth;
  gboolean largest_counts;
} RoofModel;

typedef struct
{
  DynoBackend *backend;
  const char *device;
  const char *precision;
  const char *folder;
  gboolean brings_back; /* whether every step copies its outputs to the host */
} Bench;

typedef struct
{
  gint64 size;
  DynoCeilingRates rates;
} Rate;

/* The scale is an input, so that nothing can be constant-folded, and a single number, so that there is next
 * to nothing to copy to the device. For the same reason only the mean of each row comes back. */
static void
create_products (DynoGraph *graph, gint64 size)
{
  const gint64 dims[] = { size, size };
  g_autofree char *dimensions = g_strdup_printf ("%" G_GINT64_FORMAT ", 1", size);
  const char *scale = dyno_graph_add_input (graph, SCALE, dyno_graph_get_real_type (graph), "1");
  const char *left = dyno_graph_add_weight (graph, "left", 0, 1, 2, dims);
  const char *right = dyno_graph_add_weight (graph, "right", 0, 1 / sqrt ((double)size), 2, dims);
  const char *product = dyno_graph_add (graph, "Mul", NULL, left, scale, NULL);

  for (guint i = 0; i < N_PRODUCTS; i++)
    product = dyno_graph_add (graph, "MatMul", NULL, product, right, NULL);
  product = dyno_graph_add (graph, "ReduceMean", "axes=[-1] keepdims=1", product, NULL);
  dyno_graph_add_output (graph, "mean", product, dimensions);
}

static double
count_products (gint64 size, DynoDataType type)
{
  return N_PRODUCTS * 2.0 * pow ((double)size, 3);
}

/* The output must have been written, and the scaled input must have been read. */
static void
create_copy (DynoGraph *graph, gint64 size)
{
  const gint64 dims[] = { size, N_COLUMNS };
  g_autofree char *dimensions = g_strdup_printf ("%" G_GINT64_FORMAT ", %d", size, N_COLUMNS);
  const char *scale = dyno_graph_add_input (graph, SCALE, dyno_graph_get_real_type (graph), "1");
  const char *source = dyno_graph_add_weight (graph, "source", 0, 1, 2, dims);

  dyno_graph_add_output (graph, COPY, dyno_graph_add (graph, "Mul", NULL, source, scale, NULL), dimensions);
}

static double
count_copied (gint64 size, DynoDataType type)
{
  return 2.0 * (double)dyno_data_type_get_size (type) * (double)size * N_COLUMNS;
}

static const RoofModel product_model = {
  "gemm",
  DYNO_CEILING_COMPUTE,
  NULL,
  NULL,
  "FLOP/s",
  N_ ("products of square matrices of random numbers through the runtime, the fastest size"),
  create_products,
  count_products,
  256,
  8192,
  2,
  8,
  FALSE,
};

static const RoofModel copy_model = {
  "device-copy",
  DYNO_CEILING_BANDWIDTH,
  "device",
  "copy",
  "B/s",
  N_ ("an array that the runtime reads, scales and writes, the longest that runs; bytes read and written"),
  create_copy,
  count_copied,
  1024,
  65536,
  4,
  4,
  TRUE,
};

static DynoDataType
get_type (const Bench *bench)
{
  return dyno_precision_get_type (dyno_precision_get_stored (bench->precision));
}

static double
count_work (const Bench *bench, const RoofModel *model, gint64 size)
{
  return model->count (size, get_type (bench));
}

static DynoSession *
open_model (const Bench *bench, gboolean profile, GError **error)
{
  g_autofree char *path = g_build_filename (bench->folder, DYNO_ONNX_WRITER_FILE, NULL);
  const DynoSessionOptions options = {
    .device = bench->device,
    .precision = bench->precision,
    .optimise = TRUE,
    .profile = profile,
  };
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (DynoSession) session = dyno_backend_open (bench->backend, path, &options, error);
  DynoDataType type = get_type (bench);
  const DynoShape shape = { type, 1, { 1 } };
  DynoTensor *scale = dyno_tensor_new (SCALE, &shape);

  if (type == DYNO_DATA_TYPE_FLOAT16)
    *(guint16 *)dyno_tensor_get_data (scale) = dyno_float16_from_float (1);
  else if (type == DYNO_DATA_TYPE_BFLOAT16)
    *(guint16 *)dyno_tensor_get_data (scale) = dyno_float16_bfloat_from_float (1);
  else
    *(float *)dyno_tensor_get_data (scale) = 1;
  g_ptr_array_add (inputs, scale);
  if (session == NULL || !dyno_session_set_inputs (session, 0, inputs, error))
    return NULL;
  return g_steal_pointer (&session);
}

/* A runtime that computes the products elsewhere would give the roof of that other device. */
static gboolean
check_place (Bench *bench, GError **error)
{
  g_autoptr (DynoSession) session = open_model (bench, TRUE, error);
  g_autoptr (GPtrArray) nodes = NULL;
  const char *provider;

  if (session == NULL || !dyno_session_run (session, error))
    return FALSE;

  /* In a browser only WebGPU, by either of the runtime's two providers, leaves outputs on the device;
   * everything else copies them within the step. */
  static const char *const keep[] = { "WebGpuExecutionProvider", "JsExecutionProvider", NULL };

  provider = dyno_session_get_provider (session);
  bench->brings_back =
      dyno_session_has_own_clock (session) && (provider == NULL || !g_strv_contains (keep, provider));
  nodes = provider != NULL ? dyno_session_end_profile (session, NULL) : NULL;
  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      const DynoNodeProfile *node = g_ptr_array_index (nodes, i);

      if (strstr (node->op_type, "MatMul") == NULL || g_strcmp0 (node->provider, provider) == 0)
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK,
                   _ ("The runtime multiplies matrices on %s instead of the requested device (%s), so this "
                      "is not a roof of that device."),
                   node->provider != NULL ? node->provider : "?", provider);
      return FALSE;
    }
  return TRUE;
}

/* Returns the time of one step in seconds; 0 with an error. The first run is excluded, because it may
 * compile. */
static double
time_steps (DynoSession *session, DynoStepTimer time, guint n_steps, GError **error)
{
  gint64 start, end;

  if (!time (session, n_steps, &start, &end, error))
    return 0;
  return MAX ((double)(end - start), 1) / (NS_PER_SECOND * n_steps);
}

static gboolean
repeat (DynoSession *session, double work, gint64 until, Rate *rate, GError **error)
{
  double resolution_ns;
  DynoStepTimer time = dyno_step_timer_choose (session);
  DynoCeilingRepeat repeats[MAX_REPEATS];
  double first, step;
  guint n_steps, n = 0;
  int queue;

  first = time_steps (session, time, 1, error);
  step = first > 0 ? time_steps (session, time, 1, error) : 0;
  if (step <= 0)
    return FALSE;
  resolution_ns = dyno_session_has_own_clock (session) ? dyno_session_get_clock_resolution_ns (session)
                                                       : dyno_clock_measure_resolution_ns ();
  n_steps = (guint)ceil (MIN_RESOLUTIONS * resolution_ns / (step * NS_PER_SECOND));
  queue = dyno_disturbance_open_queue ();
  while (step > 0 && n < MAX_REPEATS && (n < MIN_REPEATS || dyno_clock_now_ns () < until))
    {
      gint64 before = dyno_disturbance_read_queue (queue), after;

      step = time_steps (session, time, MAX (n_steps, 1), error);
      after = dyno_disturbance_read_queue (queue);
      repeats[n++] = (DynoCeilingRepeat){
        .rate = work / step,
        .queued = before >= 0 && after >= 0
                      ? (double)(after - before) / (step * NS_PER_SECOND * MAX (n_steps, 1))
                      : -1,
      };
    }
  if (queue >= 0)
    close (queue);
  if (step <= 0)
    return FALSE;
  dyno_ceiling_rates_sum_up (&rate->rates, repeats, n);
  return TRUE;
}

static gboolean
measure_size (Bench *bench, const RoofModel *model, Rate *rate, double seconds, GError **error)
{
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);

  dyno_graph_set_real_type (graph, get_type (bench));
  model->create (graph, rate->size);

  g_autofree char *model_file = g_build_filename (bench->folder, DYNO_ONNX_WRITER_FILE, NULL);
  g_autofree char *data = g_build_filename (bench->folder, DYNO_ONNX_WRITER_DATA, NULL);

  g_unlink (model_file);
  g_unlink (data);
  if (!dyno_graph_check (graph, error) ||
      !dyno_onnx_writer_write (graph, bench->folder, (guint64)rate->size, NULL, error))
    return FALSE;
  if (rate->size == model->first && model->kind == DYNO_CEILING_COMPUTE && !check_place (bench, error))
    return FALSE;
  session = open_model (bench, FALSE, error);
  return session != NULL && repeat (session, count_work (bench, model, rate->size),
                                    dyno_clock_now_ns () + (gint64)(seconds * NS_PER_SECOND), rate, error);
}

/* Grows until the time is up or the device refuses; earlier results stay. */
static gboolean
measure_model (Bench *bench, const RoofModel *model, double seconds, Rate *roof, GError **error)
{
  gint64 began = dyno_clock_now_ns ();
  g_autoptr (GError) local_error = NULL;

  for (gint64 size = model->first; size <= model->last; size *= model->growth)
    {
      gint64 before = dyno_clock_now_ns ();
      Rate rate = { .size = size };
      double least, left;

      if (!measure_size (bench, model, &rate, SHARE_OF_A_SIZE * seconds, &local_error))
        break;
      if (roof->size == 0 || model->largest_counts || rate.rates.sustained > roof->rates.sustained)
        *roof = rate;
      left = seconds - (double)(dyno_clock_now_ns () - began) / NS_PER_SECOND;
      least = (double)(dyno_clock_now_ns () - before) / NS_PER_SECOND - SHARE_OF_A_SIZE * seconds;
      least = MAX (least, (MIN_REPEATS + 2) * count_work (bench, model, size) / rate.rates.sustained) *
              model->work_growth;
      if (least > left)
        break;
    }
  if (roof->size > 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
add_ceiling (Bench *bench, const RoofModel *model, double seconds, GPtrArray *ceilings, GError **error)
{
  Rate roof = { 0 };

  if (!measure_model (bench, model, seconds, &roof, error))
    return FALSE;

  gboolean is_compute = model->kind == DYNO_CEILING_COMPUTE;
  g_autofree char *id =
      is_compute ? g_strdup_printf ("%s-%s", bench->precision, model->id) : g_strdup (model->id);
  g_autofree char *device = dyno_engine_name_dup_spec (dyno_backend_get_id (bench->backend), bench->device);
  g_autofree char *method =
      is_compute ? g_strdup_printf (_ ("%s: %" PRId64 " × %" PRId64), _ (model->method), roof.size, roof.size)
                 : g_strdup_printf (_ ("%s: %.0f MB"), _ (model->method),
                                    count_work (bench, model, roof.size) / 2 / 1e6);
  const char *derivation =
      bench->brings_back
          ? _ ("The theoretical peak of the device is unknown. Its memory has no roof: every step copies "
               "the results to the page in the browser, so a copy would measure that, not the device.")
          : _ ("What the device could do in theory is not known.");

  g_ptr_array_add (
      ceilings,
      g_object_new (DYNO_TYPE_CEILING, "id", id, "kind", model->kind, "device", device, "precision",
                    is_compute ? bench->precision : NULL, "level", model->level, "mix", model->mix, "value",
                    roof.rates.sustained, "best", roof.rates.best, "spread", roof.rates.spread, "disturbed",
                    roof.rates.disturbed, "unit", model->unit, "bytes",
                    is_compute ? (gint64)0 : (gint64)count_work (bench, model, roof.size) / 2, "method",
                    method, "derivation", derivation, "measured-at", g_get_real_time (), NULL));
  return TRUE;
}

GPtrArray *
dyno_device_roofs_measure (DynoBackend *backend, DynoDevice *device, double seconds, GError **error)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *folder = NULL;
  Bench bench = { .backend = backend, .device = dyno_device_get_id (device) };
  gboolean done;

  if (dyno_device_get_kind (device) == DYNO_DEVICE_KIND_EMULATED)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” is emulated on the CPU, so it has no roofs of its own."),
                   dyno_device_get_name (device));
      return NULL;
    }
  bench.folder = folder = dyno_scratch_new (error);
  if (folder == NULL)
    return NULL;

  /* A device that fails in a precision it claims to support, but not in single precision, has no roof in that
   * precision. */
  const char *const *precisions = dyno_device_get_precisions (device);
  double share = seconds / (1 + g_strv_length ((char **)precisions));

  bench.precision = USUAL_PRECISION;
  if (!add_ceiling (&bench, &product_model, share, ceilings, error))
    done = FALSE;
  else
    {
      for (guint i = 0; precisions[i] != NULL; i++)
        {
          bench.precision = precisions[i];
          if (!g_str_equal (bench.precision, USUAL_PRECISION) &&
              dyno_precision_get_quantisation (bench.precision) == NULL)
            add_ceiling (&bench, &product_model, share, ceilings, NULL);
        }
      bench.precision = USUAL_PRECISION;
      done = bench.brings_back || add_ceiling (&bench, &copy_model, share, ceilings, error);
    }
  dyno_scratch_remove (folder);
  return done ? g_steal_pointer (&ceilings) : NULL;
}
