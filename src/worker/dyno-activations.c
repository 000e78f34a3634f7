/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-manifest.h"
#include "dyno-onnx-taps.h"
#include "dyno-worker-private.h"

/* A layer with a larger share of such numbers does not behave like one with ordinary weights and inputs. */
#define MAX_PERCENT 1

/* Activations are in memory twice, in the engine and copied; they must not displace anything else. */
#define MEMORY_SHARE 4

/* A sum of fewer terms may well be zero by chance. */
#define MIN_TERMS 8

typedef enum
{
  ZERO,
  SUBNORMAL,
  INFINITE,
  N_KINDS,
} Kind;

/* The layers with too many values of one kind, and the first of these layers. */
typedef struct
{
  guint n_layers;
  double percent;
  const DynoOnnxTap *first;
} Finding;

/* The engine's profile lists the shapes of nodes by name. */
static GHashTable *
index_nodes (GPtrArray *nodes)
{
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_insert (by_name, ((DynoNodeProfile *)nodes->pdata[i])->name, nodes->pdata[i]);
  return by_name;
}

static const DynoShape *
get_input (GHashTable *nodes, const DynoOnnxTap *tap, guint index)
{
  const DynoNodeProfile *node = g_hash_table_lookup (nodes, tap->node);

  return node != NULL && node->inputs != NULL && node->inputs->len > index
             ? &g_array_index (node->inputs, DynoShape, index)
             : NULL;
}

/* Activation functions, masks and padding make zeros and infinities on purpose, and operators that only move
 * data pass them on. Sums of products with weights have none, and neither have norms. */
static gboolean
mixes (GHashTable *nodes, const DynoOnnxTap *tap)
{
  static const char *const operators[] = {
    "Gemm",
    "LayerNormalization",
    "SimplifiedLayerNormalization",
    "RMSNormalization",
    "BatchNormalization",
    "InstanceNormalization",
    "GroupNormalization",
    NULL,
  };

  if (g_str_equal (tap->op_type, "MatMul"))
    {
      /* The angles of the first position are a product of one term, and zero. */
      const DynoShape *left = get_input (nodes, tap, 0);

      return left != NULL && left->rank > 0 && left->dims[left->rank - 1] >= MIN_TERMS;
    }
  if (g_str_equal (tap->op_type, "Conv") || g_str_equal (tap->op_type, "ConvTranspose"))
    {
      /* A depthwise convolution passes on a channel that an activation function set to zero. */
      const DynoShape *weights = get_input (nodes, tap, 1);

      return weights != NULL && weights->rank > 1 && weights->dims[1] > 1;
    }
  return g_strv_contains (operators, tap->op_type);
}

static void
count_tensor (DynoTensor *tensor, DynoActivationCounts *counts)
{
  *counts = (DynoActivationCounts){ .n = dyno_shape_count (dyno_tensor_get_shape (tensor)) };
  if (dyno_tensor_get_shape (tensor)->type == DYNO_DATA_TYPE_FLOAT)
    {
      const guint32 *bits = dyno_tensor_get_data (tensor);

      for (gint64 i = 0; i < counts->n; i++)
        {
          guint32 magnitude = bits[i] & 0x7fffffff;

          counts->n_zero += magnitude == 0;
          counts->n_subnormal += magnitude != 0 && magnitude < 0x00800000;
          counts->n_infinite += magnitude >= 0x7f800000;
        }
    }
  else
    {
      /* Half precision is computed in single precision, where its subnormal numbers are normal. */
      double smallest =
          dyno_tensor_get_shape (tensor)->type == DYNO_DATA_TYPE_BFLOAT16 ? 0x1p-126 : 0x1p-1022;

      for (gint64 i = 0; i < counts->n; i++)
        {
          double number = fabs (dyno_tensor_get_number (tensor, i));

          counts->n_zero += number == 0;
          counts->n_subnormal += number > 0 && number < smallest;
          counts->n_infinite += !isfinite (number);
        }
    }
}

static void
note (Finding *finding, const DynoOnnxTap *tap, gint64 n, gint64 n_all)
{
  double percent = 100 * (double)n / (double)MAX (n_all, 1);

  if (percent <= MAX_PERCENT)
    return;
  finding->n_layers++;
  if (finding->first != NULL && finding->first->position <= tap->position)
    return;
  finding->percent = percent;
  finding->first = tap;
}

static char *
describe (Kind kind, guint n)
{
  switch (kind)
    {
    case ZERO:
      return g_strdup_printf (
          ngettext (
              "%u layer gives many zeros: the weights may be pruned, or the inputs do not suit the model.",
              "%u layers give many zeros: the weights may be pruned, or the inputs do not "
              "suit the model.",
              n),
          n);
    case SUBNORMAL:
      return g_strdup_printf (
          ngettext ("%u layer gives subnormal numbers, with which many processors compute many times slower: "
                    "latency may not be that of usual inputs.",
                    "%u layers give subnormal numbers, with which many processors compute many times slower: "
                    "latency may not be that of usual inputs.",
                    n),
          n);
    case INFINITE:
    case N_KINDS:
    default:
      return g_strdup_printf (
          ngettext ("%u layer gives numbers that are not finite: the weights or the inputs do not suit the "
                    "precision.",
                    "%u layers give numbers that are not finite: the weights or the inputs do "
                    "not suit the precision.",
                    n),
          n);
    }
}

static char *
dup_message (Kind kind, const Finding *finding)
{
  const DynoOnnxTap *tap = finding->first;
  g_autofree char *what = describe (kind, finding->n_layers);

  return g_strdup_printf (_ ("%s The first is “%s” (%s), with %.0f %% of its output."), what,
                          *tap->node != '\0' ? tap->node : tap->value, tap->op_type, finding->percent);
}

static gboolean
check_memory (GPtrArray *nodes, GError **error)
{
  gint64 available = dyno_machine_read_available_memory ();
  gint64 needed = 0;

  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      for (guint k = 0; node->outputs != NULL && k < node->outputs->len; k++)
        needed += dyno_shape_bytes (&g_array_index (node->outputs, DynoShape, k));
    }
  if (available < 0 || needed <= available / MEMORY_SHARE)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("They take %.0f MB, and %.0f MB are free."),
               (double)needed / 1e6, (double)available / 1e6);
  return FALSE;
}

/* Named and ordered like the nodes in the profile of the whole model. */
static void
place_taps (GHashTable *taps, const DynoManifestStage *stage, guint index)
{
  GHashTableIter iter;
  gpointer tap;

  g_hash_table_iter_init (&iter, taps);
  while (g_hash_table_iter_next (&iter, NULL, &tap))
    {
      DynoOnnxTap *self = tap;
      g_autofree char *node = self->node;

      self->node = dyno_manifest_stage_dup_node_name (stage, node);
      self->position += (gsize)index << 32;
    }
}

/* One graph at a time, to hold only its activations in memory. Returns the taps, to which the findings point. */
static GHashTable *
look_into (const DynoAnalysis *analysis,
           const char *file,
           const DynoManifestStage *stage,
           guint index,
           GHashTable *nodes,
           Finding findings[N_KINDS],
           GError **error)
{
  g_autoptr (GHashTable) taps = NULL;
  g_autoptr (GBytes) tapped = dyno_onnx_taps_add (file, &taps, error);
  g_autoptr (GPtrArray) values = NULL;

  if (tapped == NULL)
    return NULL;
  if (stage != NULL)
    place_taps (taps, stage, index);
  values = dyno_reference_run_tapped (analysis->onnx_path, file, tapped, analysis->options,
                                      analysis->workload, error);
  if (values == NULL)
    return NULL;

  for (guint i = 0; i < values->len; i++)
    {
      DynoTensor *tensor = values->pdata[i];
      const DynoOnnxTap *tap = g_hash_table_lookup (taps, dyno_tensor_get_name (tensor));
      DynoActivationCounts counts;

      if (tap == NULL || !dyno_tensor_is_real (tensor))
        continue;
      count_tensor (tensor, &counts);
      note (&findings[SUBNORMAL], tap, counts.n_subnormal, counts.n);
      if (!mixes (nodes, tap))
        continue;
      note (&findings[ZERO], tap, counts.n_zero, counts.n);
      note (&findings[INFINITE], tap, counts.n_infinite, counts.n);
    }

  return g_steal_pointer (&taps);
}

static gboolean
look_into_stages (const DynoAnalysis *analysis,
                  GPtrArray *all_taps,
                  GHashTable *nodes,
                  Finding findings[N_KINDS],
                  GError **error)
{
  g_autoptr (DynoManifest) manifest = dyno_manifest_read (analysis->onnx_path, error);

  for (guint i = 0; manifest != NULL && i < manifest->stages->len; i++)
    {
      const DynoManifestStage *stage = manifest->stages->pdata[i];
      GHashTable *taps = look_into (analysis, stage->file, stage, i, nodes, findings, error);

      if (taps == NULL)
        return FALSE;
      g_ptr_array_add (all_taps, taps);
    }
  return manifest != NULL;
}

static gboolean
check (const DynoAnalysis *analysis, DynoMeasurement *measurement, GError **error)
{
  Finding findings[N_KINDS] = { 0 };
  g_autoptr (GHashTable) nodes = index_nodes (measurement->analysis.shapes);
  g_autoptr (GPtrArray) all_taps = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);
  GHashTable *taps;

  if (!check_memory (measurement->analysis.shapes, error))
    return FALSE;
  if (dyno_manifest_is_path (analysis->onnx_path))
    {
      if (!look_into_stages (analysis, all_taps, nodes, findings, error))
        return FALSE;
    }
  else
    {
      taps = look_into (analysis, analysis->onnx_path, NULL, 0, nodes, findings, error);
      if (taps == NULL)
        return FALSE;
      g_ptr_array_add (all_taps, taps);
    }

  static const struct
  {
    const char *code;
    DynoSeverity severity;
  } kinds[N_KINDS] = {
    [ZERO] = { "activations-zero", DYNO_SEVERITY_INFO },
    [SUBNORMAL] = { "activations-subnormal", DYNO_SEVERITY_WARNING },
    [INFINITE] = { "activations-infinite", DYNO_SEVERITY_WARNING },
  };

  for (guint kind = 0; kind < N_KINDS; kind++)
    {
      g_autofree char *message = findings[kind].n_layers > 0 ? dup_message (kind, &findings[kind]) : NULL;

      if (message != NULL)
        dyno_measurement_add_diagnostic (measurement, kinds[kind].severity, kinds[kind].code, message);
    }

  return TRUE;
}

void
dyno_activations_check (const DynoAnalysis *analysis, DynoMeasurement *measurement)
{
  g_autoptr (GError) error = NULL;

  if (!check (analysis, measurement, &error))
    {
      g_autofree char *message =
          g_strdup_printf (_ ("The activations could not be checked: %s"), error->message);

      dyno_measurement_add_diagnostic (measurement, DYNO_SEVERITY_INFO, "activations-unchecked", message);
    }
}
