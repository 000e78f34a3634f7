/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-engine-name.h"
#include "dyno-json.h"
#include "dyno-latency-interval.h"
#include "dyno-load.h"
#include "dyno-machine.h"
#include "dyno-precision.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-roofline.h"
#include "dyno-run-summary.h"
#include "dyno-text.h"

/* Precisions that another tool does not report are left out. */
#define UNKNOWN_PRECISION "unknown"

/* Looks up the run's record of its backends and their devices. */
static gboolean
ran_in_software (JsonObject *machine, DynoResult *result)
{
  const char *id = dyno_case_get_backend (dyno_result_get_case (result));
  JsonArray *backends = dyno_json_member_get_array (machine, "backends");

  for (guint i = 0; backends != NULL && i < json_array_get_length (backends); i++)
    {
      JsonObject *backend = dyno_json_member_get_element (backends, i);

      if (g_strcmp0 (dyno_json_member_get_string (backend, "id"), id) != 0)
        continue;
      JsonArray *devices = dyno_json_member_get_array (backend, "devices");
      for (guint k = 0; devices != NULL && k < json_array_get_length (devices); k++)
        {
          JsonObject *device = dyno_json_member_get_element (devices, k);

          if (g_strcmp0 (dyno_json_member_get_string (device, "name"), dyno_result_get_device (result)) ==
                  0 &&
              g_strcmp0 (dyno_json_member_get_string (device, "kind"), "software") == 0)
            return TRUE;
        }
      return FALSE;
    }
  return FALSE;
}

static guint
count_threads (DynoRun *run, DynoResult *result, guint usual)
{
  DynoCase *what = dyno_result_get_case (result);

  if (dyno_case_get_threads (what) > 0)
    return dyno_case_get_threads (what);
  return usual > 0 ? usual : dyno_roofline_count_threads (what, dyno_run_get_machine (run));
}

static DynoChartCase *
create_case (DynoRun *run, const char *run_title, DynoResult *result, guint n_threads, gboolean is_software)
{
  DynoChartCase *kase = g_rc_box_new0 (DynoChartCase);
  DynoCase *what = dyno_result_get_case (result);

  kase->run = g_object_ref (run);
  kase->run_title = g_strdup (run_title);
  kase->subject = g_object_ref (result);
  kase->result = dyno_chart_guard_result (result);
  kase->n_threads = n_threads;
  kase->n_busy_threads = dyno_load_is_single (dyno_case_get_load (what))
                             ? n_threads
                             : dyno_roofline_count_busy_threads (what, dyno_run_get_machine (run));
  kase->is_software = is_software;
  return kase;
}

static void
clear_case (gpointer data)
{
  DynoChartCase *kase = data;

  g_object_unref (kase->run);
  g_free (kase->run_title);
  g_object_unref (kase->subject);
  g_object_unref (kase->result);
  g_clear_pointer (&kase->ceilings, g_ptr_array_unref);
  g_free (kase->roofs_device);
}

static void
release_case (gpointer kase)
{
  g_rc_box_release_full (kase, clear_case);
}

/* Results are in execution order; people see cases in the order of the plan. */
static int
compare_ordinals (gconstpointer a, gconstpointer b)
{
  const DynoChartCase *left = *(DynoChartCase *const *)a;
  const DynoChartCase *right = *(DynoChartCase *const *)b;
  guint left_ordinal = dyno_result_get_ordinal (left->result);
  guint right_ordinal = dyno_result_get_ordinal (right->result);

  return left->run != right->run ? 0 : left_ordinal < right_ordinal ? -1 : left_ordinal > right_ordinal;
}

GPtrArray *
dyno_chart_cases_collect (GPtrArray *runs)
{
  GPtrArray *cases = g_ptr_array_new_with_free_func (release_case);
  g_auto (GStrv) titles = dyno_run_titles_dup (runs);

  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = g_ptr_array_index (runs, i);
      GListModel *results = dyno_run_get_results (run);
      GPtrArray *own = g_ptr_array_new_with_free_func (release_case);
      g_autoptr (JsonObject) machine = dyno_json_try_object (dyno_run_get_machine (run), -1);
      g_autoptr (GHashTable) generating = g_hash_table_new (g_str_hash, g_str_equal);
      guint usual = 0;

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);
          DynoCase *what = dyno_result_get_case (result);

          if (dyno_result_get_status (result) != DYNO_STATUS_OK)
            continue;
          guint n_threads = count_threads (run, result, usual);
          usual = dyno_case_get_threads (what) == 0 ? n_threads : usual;
          if (dyno_case_get_generate_tokens (what) > 0)
            g_hash_table_add (generating, (gpointer)dyno_case_get_model (what));
          g_ptr_array_add (
              own, create_case (run, titles[i], result, n_threads, ran_in_software (machine, result)));
        }
      g_ptr_array_sort (own, compare_ordinals);
      for (guint k = 0; k < own->len; k++)
        {
          DynoChartCase *kase = own->pdata[k];
          DynoCase *what = dyno_result_get_case (kase->result);

          kase->is_prompt_alone = dyno_case_get_generate_tokens (what) == 0 &&
                                  g_hash_table_contains (generating, dyno_case_get_model (what));
        }
      g_ptr_array_extend_and_steal (cases, own);
    }
  return cases;
}

GPtrArray *
dyno_chart_cases_new_single (DynoRun *run, DynoResult *result)
{
  GPtrArray *cases = g_ptr_array_new_with_free_func (release_case);

  g_autoptr (JsonObject) machine = dyno_json_try_object (dyno_run_get_machine (run), -1);

  g_ptr_array_add (cases, create_case (run, dyno_run_get_title (run), result, count_threads (run, result, 0),
                                       ran_in_software (machine, result)));
  return cases;
}

GPtrArray *
dyno_chart_cases_select (GPtrArray *cases, gboolean (*has_data) (DynoResult *result), guint limit)
{
  GPtrArray *selected = g_ptr_array_new_with_free_func (release_case);

  for (guint i = 0; i < cases->len && selected->len < limit; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (cases, i);

      if (has_data (kase->result))
        g_ptr_array_add (selected, g_rc_box_acquire (kase));
    }
  return selected;
}

GPtrArray *
dyno_chart_cases_copy (GPtrArray *cases)
{
  GPtrArray *copy = g_ptr_array_copy (cases, NULL, NULL);

  g_ptr_array_set_free_func (copy, NULL);
  return copy;
}

typedef struct
{
  const char *value;
  gboolean is_descending;
} Order;

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Order *order = user_data;
  double left = dyno_result_get_number ((*(DynoChartCase *const *)a)->result, order->value);
  double right = dyno_result_get_number ((*(DynoChartCase *const *)b)->result, order->value);
  int ascending = (left > right) - (left < right);

  return order->is_descending ? -ascending : ascending;
}

void
dyno_chart_cases_sort (GPtrArray *cases, const char *value, gboolean is_descending)
{
  g_ptr_array_sort_with_data (cases, compare_numbers, &(Order){ value, is_descending });
}

void
dyno_chart_cases_set_ceilings (GPtrArray *cases, GHashTable *ceilings)
{
  for (guint i = 0; i < cases->len; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (cases, i);
      GPtrArray *of_run = g_hash_table_lookup (ceilings, kase->run);
      g_autofree char *device = NULL;

      if (of_run != NULL)
        device =
            dyno_roofline_dup_device (dyno_result_get_case (kase->result), dyno_run_get_machine (kase->run));
      g_clear_pointer (&kase->ceilings, g_ptr_array_unref);
      kase->ceilings = of_run != NULL ? g_ptr_array_ref (of_run) : NULL;
      g_free (kase->roofs_device);
      kase->roofs_device = g_steal_pointer (&device);
    }
}

static const char *
get_model (DynoResult *result)
{
  const char *name = dyno_result_get_model_name (result);

  return name != NULL && *name != '\0' ? name : dyno_case_get_model (dyno_result_get_case (result));
}

static gboolean
is_empty (const char *text)
{
  return text == NULL || *text == '\0';
}

static gboolean
is_same (const char *one, const char *other)
{
  return is_empty (one) ? is_empty (other) : g_strcmp0 (one, other) == 0;
}

static char *
dup_choice (const char *choice, const char *usual)
{
  return g_strdup (is_empty (choice) ? usual : choice);
}

static char *
dup_engine (const DynoChartCase *kase)
{
  DynoCase *what = dyno_result_get_case (kase->result);

  return dyno_engine_name_dup (dyno_case_get_backend (what), dyno_case_get_device (what));
}

static gboolean
has_same_engine (const DynoChartCase *one, const DynoChartCase *other)
{
  DynoCase *a = dyno_result_get_case (one->result);
  DynoCase *b = dyno_result_get_case (other->result);

  if (g_strcmp0 (dyno_case_get_backend (a), dyno_case_get_backend (b)) != 0)
    return FALSE;
  if (g_strcmp0 (dyno_case_get_device (a), dyno_case_get_device (b)) == 0)
    return TRUE;
  g_autofree char *name = dup_engine (one);
  g_autofree char *other_name = dup_engine (other);
  return g_str_equal (name, other_name);
}

static char *
dup_dimension (const DynoChartCase *kase, DynoDimension dimension)
{
  DynoCase *what = dyno_result_get_case (kase->result);
  const char *device = dyno_result_get_device (kase->result);

  switch (dimension)
    {
    case DYNO_DIMENSION_MODEL:
      return g_strdup (get_model (kase->result));
    case DYNO_DIMENSION_BACKEND:
      return dup_engine (kase);
    case DYNO_DIMENSION_DEVICE:
      /* Translators: the name of a graphics adapter that is emulated on the CPU */
      return device != NULL && kase->is_software ? g_strdup_printf (_ ("%s (software)"), device)
                                                 : g_strdup (device);
    case DYNO_DIMENSION_PRECISION:
      return is_same (dyno_case_get_precision (what), UNKNOWN_PRECISION)
                 ? NULL
                 : dyno_result_dup_precision_label (kase->result);
    case DYNO_DIMENSION_BATCH:
      return dyno_case_parts_dup_text (kase->result, DYNO_CASE_BATCH);
    case DYNO_DIMENSION_SEQUENCE:
      return dyno_case_parts_dup_text (kase->result, DYNO_CASE_SEQUENCE);
    case DYNO_DIMENSION_THREADS:
      return dyno_case_parts_dup_text (kase->result, DYNO_CASE_THREADS);
    case DYNO_DIMENSION_GENERATE:
      /* It only reads the prompt, but other cases of the model also generate. */
      return kase->is_prompt_alone ? g_strdup (_ ("Prompt alone"))
                                   : dyno_case_parts_dup_text (kase->result, DYNO_CASE_GENERATE);
    case DYNO_DIMENSION_IMAGES:
      return dyno_case_parts_dup_text (kase->result, DYNO_CASE_IMAGES);
    case DYNO_DIMENSION_FREE:
      return dyno_case_dup_given (what);
    case DYNO_DIMENSION_PINNING:
      return dup_choice (dyno_case_get_pinning (what), _ ("default pinning"));
    case DYNO_DIMENSION_OPTIONS:
      return dup_choice (dyno_case_get_options (what), _ ("default options"));
    case DYNO_DIMENSION_LOAD:
      return dyno_load_dup_label (dyno_case_get_load (what));
    case DYNO_DIMENSION_RUN:
    default:
      return g_strdup (kase->run_title);
    }
}

/* Returns whether dup_dimension() gives the same text for both, without the slow formatting of names. */
static gboolean
is_alike (const DynoChartCase *one, const DynoChartCase *other, DynoDimension dimension)
{
  DynoCase *a = dyno_result_get_case (one->result);
  DynoCase *b = dyno_result_get_case (other->result);

  switch (dimension)
    {
    case DYNO_DIMENSION_MODEL:
      return is_same (get_model (one->result), get_model (other->result));
    case DYNO_DIMENSION_BACKEND:
      return has_same_engine (one, other);
    case DYNO_DIMENSION_DEVICE:
      return one->is_software == other->is_software &&
             is_same (dyno_result_get_device (one->result), dyno_result_get_device (other->result));
    case DYNO_DIMENSION_PRECISION:
      return is_same (dyno_case_get_precision (a), dyno_case_get_precision (b)) &&
             is_same (dyno_case_get_computed_precision (a), dyno_case_get_computed_precision (b)) &&
             is_same (dyno_result_find_message (one->result, DYNO_PRECISION_REDUCED),
                      dyno_result_find_message (other->result, DYNO_PRECISION_REDUCED));
    case DYNO_DIMENSION_BATCH:
      return dyno_case_get_batch_size (a) == dyno_case_get_batch_size (b);
    case DYNO_DIMENSION_SEQUENCE:
      return dyno_case_get_sequence_length (a) == dyno_case_get_sequence_length (b);
    case DYNO_DIMENSION_THREADS:
      return dyno_case_get_threads (a) == dyno_case_get_threads (b);
    case DYNO_DIMENSION_GENERATE:
      return dyno_case_get_generate_tokens (a) == dyno_case_get_generate_tokens (b);
    case DYNO_DIMENSION_IMAGES:
      return dyno_case_get_images (a) == dyno_case_get_images (b);
    case DYNO_DIMENSION_FREE:
      return is_same (dyno_case_get_dimensions (a), dyno_case_get_dimensions (b)) &&
             is_same (dyno_case_get_inputs (a), dyno_case_get_inputs (b));
    case DYNO_DIMENSION_PINNING:
      return is_same (dyno_case_get_pinning (a), dyno_case_get_pinning (b));
    case DYNO_DIMENSION_OPTIONS:
      return is_same (dyno_case_get_options (a), dyno_case_get_options (b));
    case DYNO_DIMENSION_LOAD:
      return is_same (dyno_case_get_load (a), dyno_case_get_load (b));
    case DYNO_DIMENSION_RUN:
    default:
      return is_same (one->run_title, other->run_title);
    }
}

static gboolean
has_several_runs (GPtrArray *cases)
{
  const DynoChartCase *first = g_ptr_array_index (cases, 0);
  const DynoChartCase *last = g_ptr_array_index (cases, cases->len - 1);

  return first->run != last->run;
}

guint
dyno_chart_cases_get_varying (GPtrArray *cases)
{
  const guint all = DYNO_DIMENSION_RUN - 1;
  guint varying = 0;

  if (cases->len == 0)
    return 0;
  for (guint i = 1; i < cases->len && varying != all; i++)
    for (guint bit = 1; bit < DYNO_DIMENSION_RUN; bit <<= 1)
      if (all & ~varying & bit && !is_alike (cases->pdata[0], cases->pdata[i], bit))
        varying |= bit;
  /* A device belongs to its engine; name it only where an engine has several that its name does not distinguish. */
  if (varying & DYNO_DIMENSION_BACKEND)
    {
      g_autoptr (GHashTable) devices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      gboolean has_several = FALSE;

      for (guint i = 0; i < cases->len && !has_several; i++)
        {
          const DynoChartCase *kase = g_ptr_array_index (cases, i);
          g_autofree char *engine = dup_engine (kase);
          const char *device = dyno_result_get_device (kase->result);
          const char *known = g_hash_table_lookup (devices, engine);

          has_several = known != NULL && g_strcmp0 (known, device) != 0;
          if (known == NULL && device != NULL)
            g_hash_table_insert (devices, g_steal_pointer (&engine), (gpointer)device);
        }
      if (!has_several)
        varying &= ~(guint)DYNO_DIMENSION_DEVICE;
    }
  return has_several_runs (cases) ? varying | DYNO_DIMENSION_RUN : varying;
}

char *
dyno_chart_cases_dup_parts (const DynoChartCase *kase, guint dimensions)
{
  GString *name = g_string_new (NULL);

  for (guint bit = 1; bit <= DYNO_DIMENSION_RUN; bit <<= 1)
    {
      g_autofree char *part = dimensions & bit ? dup_dimension (kase, bit) : NULL;

      if (part != NULL && *part != '\0')
        g_string_append_printf (name, "%s%s", name->len > 0 ? " · " : "", part);
    }
  return g_string_free (name, FALSE);
}

char *
dyno_chart_cases_dup_name (const DynoChartCase *kase, guint dimensions)
{
  g_autofree char *name = dyno_chart_cases_dup_parts (kase, dimensions);

  return *name != '\0' ? g_steal_pointer (&name) : g_strdup (get_model (kase->result));
}

char *
dyno_chart_cases_dup_part_name (const DynoChartCase *kase, guint dimensions)
{
  g_autofree char *name = dyno_chart_cases_dup_parts (kase, dimensions & ~(guint)DYNO_DIMENSION_MODEL);

  return *name != '\0' ? g_steal_pointer (&name) : dup_dimension (kase, DYNO_DIMENSION_BACKEND);
}

const char *
dyno_chart_cases_get_heading (DynoDimension dimension)
{
  switch (dimension)
    {
    case DYNO_DIMENSION_MODEL:
      return _ ("Model");
    case DYNO_DIMENSION_BACKEND:
      return _ ("Engine");
    case DYNO_DIMENSION_DEVICE:
      return _ ("Device");
    case DYNO_DIMENSION_PRECISION:
      return _ ("Precision");
    case DYNO_DIMENSION_BATCH:
      return _ ("Batch size");
    case DYNO_DIMENSION_SEQUENCE:
      return _ ("Sequence length");
    case DYNO_DIMENSION_THREADS:
      return _ ("Threads");
    case DYNO_DIMENSION_GENERATE:
      return _ ("Generated tokens");
    case DYNO_DIMENSION_IMAGES:
      return _ ("Images");
    case DYNO_DIMENSION_FREE:
      return _ ("Dimensions");
    case DYNO_DIMENSION_PINNING:
      return _ ("Thread pinning");
    case DYNO_DIMENSION_OPTIONS:
      return _ ("Options");
    case DYNO_DIMENSION_LOAD:
      return _ ("Load");
    case DYNO_DIMENSION_RUN:
    default:
      return _ ("Run");
    }
}

char *
dyno_chart_cases_dup_cell (const DynoChartCase *kase, DynoDimension dimension, double *number)
{
  DynoCase *what = dyno_result_get_case (kase->result);
  guint sizes[] = { dyno_case_get_batch_size (what), dyno_case_get_sequence_length (what), kase->n_threads,
                    dyno_case_get_generate_tokens (what), dyno_case_get_images (what) };
  static const guint bits[] = { DYNO_DIMENSION_BATCH, DYNO_DIMENSION_SEQUENCE, DYNO_DIMENSION_THREADS,
                                DYNO_DIMENSION_GENERATE, DYNO_DIMENSION_IMAGES };

  *number = NAN;
  for (guint i = 0; i < G_N_ELEMENTS (bits); i++)
    if (bits[i] == dimension)
      {
        if (sizes[i] == 0 && dimension != DYNO_DIMENSION_IMAGES)
          return g_strdup ("");
        *number = sizes[i];
        return g_strdup_printf ("%u", sizes[i]);
      }
  char *text = dup_dimension (kase, dimension);
  return text != NULL ? text : g_strdup ("");
}

static void
append_part (GString *caption, const char *separator, const char *part)
{
  if (part != NULL && *part != '\0')
    g_string_append_printf (caption, "%s%s", caption->len > 0 ? separator : "", part);
}

static GListModel *
create_list (GPtrArray *cases)
{
  GListStore *results = g_list_store_new (DYNO_TYPE_RESULT);

  for (guint i = 0; i < cases->len; i++)
    g_list_store_append (results, ((DynoChartCase *)g_ptr_array_index (cases, i))->result);
  return G_LIST_MODEL (results);
}

char *
dyno_chart_cases_dup_doubtful (GPtrArray *cases)
{
  g_autoptr (GListModel) results = create_list (cases);

  return dyno_run_summary_dup_doubtful (results);
}

static GPtrArray *
list_results (GPtrArray *cases)
{
  GPtrArray *results = g_ptr_array_new ();

  for (guint i = 0; i < cases->len; i++)
    g_ptr_array_add (results, ((DynoChartCase *)cases->pdata[i])->result);
  return results;
}

const char *
dyno_chart_cases_get_unit (GPtrArray *cases, const char *unit)
{
  g_autoptr (GListModel) results = create_list (cases);

  return dyno_item_unit_find_common (results, unit);
}

char *
dyno_chart_cases_dup_interval_words (GPtrArray *cases)
{
  g_autoptr (GPtrArray) results = list_results (cases);

  return dyno_latency_interval_dup_common_words (results);
}

const char *
dyno_chart_cases_get_interval_heading (GPtrArray *cases, gboolean is_high)
{
  g_autoptr (GPtrArray) results = list_results (cases);

  return dyno_latency_interval_get_heading (results, is_high);
}

GPtrArray *
dyno_chart_cases_part_by_model (GPtrArray *cases)
{
  g_autoptr (GHashTable) by_model = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  for (guint i = 0; i < cases->len; i++)
    {
      DynoChartCase *kase = g_ptr_array_index (cases, i);
      GPtrArray *part = g_hash_table_lookup (by_model, get_model (kase->result));

      if (part == NULL)
        {
          part = g_ptr_array_new_with_free_func (release_case);
          g_ptr_array_add (parts, part);
          g_hash_table_insert (by_model, (gpointer)get_model (kase->result), part);
        }
      g_ptr_array_add (part, g_rc_box_acquire (kase));
    }
  return parts;
}

guint
dyno_chart_cases_get_varying_within_models (GPtrArray *cases)
{
  g_autoptr (GPtrArray) models = dyno_chart_cases_part_by_model (cases);
  guint varying = has_several_runs (cases) ? DYNO_DIMENSION_RUN : 0;

  for (guint i = 0; i < models->len; i++)
    varying |= dyno_chart_cases_get_varying (g_ptr_array_index (models, i));
  return varying;
}

gboolean
dyno_chart_cases_is_unsteady (DynoResult *result)
{
  return dyno_result_get_state (result) == DYNO_CASE_STATE_UNSTEADY;
}

DynoDoubt
dyno_chart_cases_get_doubt (DynoResult *result, const char *value)
{
  DynoValue *found = dyno_result_get_value (result, value);
  DynoQuality quality = found != NULL ? dyno_value_get_quality (found) : DYNO_QUALITY_MEASURED;
  DynoCaseState state = dyno_result_get_state (result);

  if (quality == DYNO_QUALITY_UNSTEADY ||
      (quality == DYNO_QUALITY_ESTIMATED && state == DYNO_CASE_STATE_UNSTEADY))
    return DYNO_DOUBT_UNSTEADY;
  if (state == DYNO_CASE_STATE_DOUBTFUL)
    return DYNO_DOUBT_DOUBTFUL;
  return quality == DYNO_QUALITY_IMPORTED ? DYNO_DOUBT_IMPORTED : DYNO_DOUBT_NONE;
}

void
dyno_chart_cases_mark_point (DynoSeries *series, guint index, const DynoChartCase *kase, const char *value)
{
  dyno_series_set_subject (series, index, kase->subject);
  dyno_series_set_doubt (series, index, dyno_chart_cases_get_doubt (kase->result, value));
}

char *
dyno_chart_cases_dup_marked_name (const DynoChartCase *kase, guint dimensions, const char *value)
{
  g_autofree char *name = dyno_chart_cases_dup_name (kase, dimensions);

  switch (dyno_chart_cases_get_doubt (kase->result, value))
    {
    case DYNO_DOUBT_IMPORTED:
      /* Translators: the name of a case that another tool measured */
      return g_strdup_printf (_ ("%s (imported)"), name);
    case DYNO_DOUBT_DOUBTFUL:
      /* Translators: the name of a case that was measured under a warning */
      return g_strdup_printf (_ ("%s (doubtful)"), name);
    case DYNO_DOUBT_UNSTEADY:
      /* Translators: the name of a case that never became steady */
      return g_strdup_printf (_ ("%s (unsteady)"), name);
    case DYNO_DOUBT_NONE:
    default:
      return g_steal_pointer (&name);
    }
}

const char *
dyno_chart_cases_get_mark (DynoResult *result)
{
  if (dyno_chart_cases_is_unsteady (result))
    return _ ("unsteady");
  return dyno_result_get_state (result) == DYNO_CASE_STATE_DOUBTFUL ? _ ("doubtful") : "";
}

char *
dyno_chart_cases_dup_caption (GPtrArray *cases, guint left_out)
{
  GString *caption = g_string_new (NULL);

  if (cases->len == 0)
    return g_string_free (caption, FALSE);
  const DynoChartCase *first = g_ptr_array_index (cases, 0);
  guint common =
      DYNO_ALL_DIMENSIONS & ~(dyno_chart_cases_get_varying (cases) | left_out | DYNO_DIMENSION_RUN);
  /* A caption that applies to all cases does not mention settings with default values. */
  DynoCase *what = dyno_result_get_case (first->result);
  common &= ~(guint)(is_empty (dyno_case_get_pinning (what)) ? DYNO_DIMENSION_PINNING : 0);
  common &= ~(guint)(is_empty (dyno_case_get_options (what)) ? DYNO_DIMENSION_OPTIONS : 0);
  common &= ~(guint)(dyno_load_is_single (dyno_case_get_load (what)) ? DYNO_DIMENSION_LOAD : 0);
  /* Not every tool whose runs are imported names the machine. */
  const char *json = has_several_runs (cases) ? NULL : dyno_run_get_machine (first->run);
  g_autofree char *machine = json != NULL ? dyno_machine_dup_summary (json) : g_strdup ("");
  g_autofree char *device = dyno_chart_cases_dup_name (first, DYNO_DIMENSION_DEVICE);
  /* The summary of a machine begins with its processor. */
  common &= ~(guint)(g_str_has_prefix (machine, device) ? DYNO_DIMENSION_DEVICE : 0);
  g_autofree char *name = common != 0 ? dyno_chart_cases_dup_name (first, common) : NULL;
  gboolean is_short = common == DYNO_DIMENSION_PRECISION && *machine != '\0';
  if (name != NULL && !is_short)
    append_part (caption, " · ", name);
  if (!has_several_runs (cases))
    {
      g_autofree char *date = dyno_date_format (dyno_run_get_started_at (first->run));

      append_part (caption, "\n", machine);
      append_part (caption, " · ", is_short ? name : "");
      append_part (caption, *machine == '\0' ? "\n" : " · ", date);
    }
  return g_string_free (caption, FALSE);
}

/* Letters that abbreviate sizes where there is little room. */
static const struct
{
  DynoDimension dimension;
  const char *letter;
  const char *meaning;
} letters[] = {
  { DYNO_DIMENSION_BATCH, "b", N_ ("b: batch size") },
  { DYNO_DIMENSION_SEQUENCE, "s", N_ ("s: sequence length") },
  { DYNO_DIMENSION_THREADS, "t", N_ ("t: threads") },
};

static guint
get_size (const DynoChartCase *kase, DynoDimension dimension)
{
  DynoCase *what = dyno_result_get_case (kase->result);

  if (dimension == DYNO_DIMENSION_BATCH)
    return dyno_case_get_batch_size (what);
  return dimension == DYNO_DIMENSION_SEQUENCE ? dyno_case_get_sequence_length (what) : kase->n_threads;
}

char *
dyno_chart_cases_dup_label (const DynoChartCase *kase, guint dimensions)
{
  const guint sizes = DYNO_DIMENSION_BATCH | DYNO_DIMENSION_SEQUENCE | DYNO_DIMENSION_THREADS;
  g_autofree char *name = dimensions & ~sizes ? dyno_chart_cases_dup_name (kase, dimensions & ~sizes) : NULL;
  GString *label = g_string_new (name);

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (dimensions & letters[i].dimension && get_size (kase, letters[i].dimension) > 0)
      g_string_append_printf (label, "%s%s%u", label->len > 0 ? " " : "", letters[i].letter,
                              get_size (kase, letters[i].dimension));
  return g_string_free (label, FALSE);
}

char *
dyno_chart_cases_dup_labelled_caption (GPtrArray *cases)
{
  guint varying = dyno_chart_cases_get_varying (cases);
  g_autofree char *common = dyno_chart_cases_dup_caption (cases, 0);
  GString *caption = g_string_new (common);
  gboolean is_first = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (varying & letters[i].dimension)
      {
        g_string_append_printf (caption, "%s%s", is_first ? "\n" : ", ", _ (letters[i].meaning));
        is_first = FALSE;
      }
  return g_string_free (caption, FALSE);
}

char *
dyno_chart_cases_dup_limited_caption (GPtrArray *cases,
                                      GPtrArray *shown,
                                      gboolean (*has_data) (DynoResult *result))
{
  g_autofree char *caption = dyno_chart_cases_dup_caption (shown, 0);
  guint n_cases = 0;

  for (guint i = 0; i < cases->len; i++)
    n_cases += has_data (((DynoChartCase *)g_ptr_array_index (cases, i))->result);
  if (n_cases <= shown->len)
    return g_steal_pointer (&caption);
  return g_strdup_printf (
      ngettext ("%s\nOnly %u of %u cases is shown.", "%s\nOnly %u of %u cases are shown.", shown->len),
      caption, shown->len, n_cases);
}

char *
dyno_chart_cases_dup_reasons (GPtrArray *cases, const char *value)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GString *reasons = g_string_new (NULL);

  for (guint i = 0; i < cases->len; i++)
    {
      DynoValue *missing =
          dyno_result_get_value (((DynoChartCase *)g_ptr_array_index (cases, i))->result, value);
      const char *reason =
          missing != NULL && !dyno_value_is_number (missing) ? dyno_value_get_source (missing) : NULL;

      if (reason != NULL && *reason != '\0' && g_hash_table_add (known, (gpointer)reason))
        append_part (reasons, " ", reason);
    }
  return g_string_free (reasons, FALSE);
}

gboolean
dyno_chart_cases_any_has (GPtrArray *cases, const char *value)
{
  for (guint i = 0; i < cases->len; i++)
    if (isfinite (dyno_result_get_number (((DynoChartCase *)g_ptr_array_index (cases, i))->result, value)))
      return TRUE;
  return FALSE;
}

char *
dyno_chart_cases_dup_no_latency (GPtrArray *cases)
{
  return g_strdup (cases->len == 0
                       ? _ ("No case has been measured yet.")
                       : _ ("These results hold no latency. The details of each case list what it holds."));
}

char *
dyno_chart_cases_dup_no_throughput (GPtrArray *cases)
{
  return g_strdup (
      cases->len == 0 ? _ ("No case has been measured yet.")
                      : _ ("These results hold no throughput. The details of each case list what it holds."));
}

char *
dyno_chart_cases_dup_no_energy (GPtrArray *cases)
{
  g_autofree char *reasons = dyno_chart_cases_dup_reasons (cases, "energy_joules");

  if (*reasons != '\0')
    return g_strdup_printf (_ ("No energy was measured. %s The Hardware page lists the available sensors."),
                            reasons);
  return g_strdup (_ ("No energy was measured. The Hardware page lists the sensors and what they need."));
}

gboolean
dyno_chart_cases_is_estimated (DynoResult *result, const char *value)
{
  DynoValue *found = dyno_result_get_value (result, value);

  return found != NULL && dyno_value_get_quality (found) == DYNO_QUALITY_ESTIMATED;
}

guint
dyno_chart_cases_count_steady (DynoResult *result)
{
  g_autoptr (GArray) samples = dyno_result_list_steady (result);
  gsize n_steps = 0;

  for (guint i = 0; i < samples->len; i++)
    n_steps += g_array_index (samples, DynoSample, i).n;
  return (guint)n_steps;
}

static gpointer
ref_array (gpointer array, gpointer user_data)
{
  return array != NULL ? g_array_ref (array) : NULL;
}

/* Many steps are sorted once: they are kept at the trace, which the guarded copies of a result share. */
GArray *
dyno_chart_cases_sort_steady (DynoResult *result)
{
  GQuark quark = g_quark_from_static_string ("dyno-chart-sorted");
  DynoTrace *trace = dyno_result_get_trace (result, "latency");
  guint n_steps = dyno_chart_cases_count_steady (result);
  GArray *sorted = trace != NULL ? g_object_dup_qdata (G_OBJECT (trace), quark, ref_array, NULL) : NULL;

  if (sorted != NULL && sorted->len == n_steps)
    return sorted;
  g_clear_pointer (&sorted, g_array_unref);

  g_autoptr (GArray) samples = dyno_result_list_steady (result);
  sorted = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < samples->len; i++)
    {
      const DynoSample *sample = &g_array_index (samples, DynoSample, i);
      g_array_append_vals (sorted, sample->values, (guint)sample->n);
    }

  dyno_stats_sort ((double *)(void *)sorted->data, sorted->len);
  if (trace != NULL && n_steps >= DYNO_SERIES_LONG)
    g_object_set_qdata_full (G_OBJECT (trace), quark, g_array_ref (sorted), (GDestroyNotify)g_array_unref);
  return sorted;
}

gboolean
dyno_chart_cases_has_trace (DynoResult *result, const char *trace)
{
  DynoTrace *found = dyno_result_get_trace (result, trace);

  return found != NULL && dyno_trace_get_length (found) > 0;
}

static gpointer
ref_trace (gpointer trace, gpointer user_data)
{
  return trace != NULL ? g_object_ref (trace) : NULL;
}

/* A long trace is joined once, and kept at its first part. */
DynoTrace *
dyno_chart_cases_join_trace (DynoResult *result, const char *name)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  DynoTrace *first = dyno_result_get_trace (result, name);
  gint64 begin = 0;

  if (first == NULL || invocations->len < 2)
    return first != NULL ? g_object_ref (first) : NULL;
  GQuark quark = g_quark_from_string (name);
  gsize n_points = 0;
  for (guint i = 0; i < invocations->len; i++)
    {
      DynoTrace *trace =
          dyno_result_get_invocation_trace (result, name, ((DynoInvocation *)invocations->pdata[i])->number);

      n_points += trace != NULL ? dyno_trace_get_length (trace) : 0;
    }
  DynoTrace *joined = g_object_dup_qdata (G_OBJECT (first), quark, ref_trace, NULL);
  if (joined != NULL && dyno_trace_get_length (joined) == n_points)
    return joined;
  g_clear_object (&joined);
  joined = dyno_trace_new (name, dyno_trace_get_unit (first), dyno_trace_get_origin (first));
  dyno_trace_reserve (joined, n_points);
  for (guint i = 0; i < invocations->len; i++)
    {
      guint number = ((DynoInvocation *)invocations->pdata[i])->number;
      DynoTrace *trace = dyno_result_get_invocation_trace (result, name, number);

      if (trace != NULL)
        {
          gsize length = dyno_trace_get_length (trace);

          for (gsize j = 0; j < length; j++)
            dyno_trace_add (joined, begin + dyno_trace_get_times (trace)[j],
                            dyno_trace_get_values (trace)[j]);
        }
      begin += dyno_result_get_process_end (result, number);
    }
  if (n_points >= DYNO_SERIES_LONG)
    g_object_set_qdata_full (G_OBJECT (first), quark, g_object_ref (joined), g_object_unref);
  return joined;
}

DynoSeries *
dyno_chart_cases_create_series (
    const char *trace, const DynoChartCase *kase, guint slot, guint dimensions, const char *value)
{
  g_autofree char *name = dyno_chart_cases_dup_marked_name (kase, dimensions, value);
  g_autoptr (DynoTrace) joined = dyno_chart_cases_join_trace (kase->result, trace);

  return dyno_series_new_from_trace (name, slot, joined);
}
