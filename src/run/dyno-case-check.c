/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-case-check.h"
#include "dyno-model.h"

#define MAX_THREADS_PER_PROCESSOR 16

static void
describe (DynoResult *result, DynoModel *model)
{
  g_object_set (result, "model-name", dyno_model_get_name (model), "architecture",
                dyno_model_get_architecture (model), "parameter-count",
                dyno_model_get_parameter_count (model), NULL);
}

static gboolean
fits (DynoResult *result, DynoModel *model, GHashTable *binding, DynoMachine *machine)
{
  g_autofree char *arithmetic = NULL;
  g_autofree char *reason = NULL;
  gint64 needed = dyno_model_estimate_memory (model, binding, &arithmetic);
  gint64 available = dyno_machine_get_available_memory (machine);

  if (available <= 0 || needed <= available)
    return TRUE;
  reason = g_strdup_printf (_ ("The case needs about %.1f GB of memory (%s), but %.1f GB are available."),
                            (double)needed / 1e9, arithmetic, (double)available / 1e9);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  return FALSE;
}

/* Threads by the thousand do nothing but wait for each other. */
static gboolean
check_threads (DynoResult *result, DynoMachine *machine)
{
  guint threads = dyno_case_get_threads (dyno_result_get_case (result));
  guint most = MAX_THREADS_PER_PROCESSOR * MAX (dyno_machine_get_n_usable_threads (machine), 1);
  g_autofree char *reason = NULL;

  if (threads <= most)
    return TRUE;
  reason = g_strdup_printf (
      _ ("The case asks for %u threads, but this machine runs %u at once. Choose at most %u."), threads,
      dyno_machine_get_n_usable_threads (machine), most);
  dyno_result_set_status (result, DYNO_STATUS_SKIPPED, reason);
  return FALSE;
}

/* The last token is only given out, never taken in. */
static gboolean
check_generation (DynoResult *result, DynoModel *model)
{
  DynoCase *kase = dyno_result_get_case (result);
  guint most = dyno_model_get_max_sequence_length (model);
  guint prompt = dyno_case_get_sequence_length (kase);
  guint generated = dyno_case_get_generate_tokens (kase);
  g_autofree char *reason = NULL;

  if (generated == 0 || most == 0 || (guint64)prompt + generated - 1 <= most)
    return TRUE;
  reason =
      g_strdup_printf (_ ("“%s” takes at most %u tokens, too few for a prompt of %u and %u generated ones. "
                          "Choose a shorter sequence, or generate fewer."),
                       dyno_model_get_name (model), most, prompt, generated);
  dyno_result_set_status (result, DYNO_STATUS_FAILED, reason);
  return FALSE;
}

/**
 * dyno_case_check:
 * @result: a pending result; gets what is known of the model, and its status when the case cannot run
 * @machine: the machine as it is now
 *
 * Looks at a case before anything is started for it: is there such a model, do the sizes fit it, does it fit
 * the machine. Reads files, so it belongs on a thread.
 *
 * Returns: whether the case is worth starting
 */
gboolean
dyno_case_check (DynoResult *result, DynoMachine *machine)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_load (dyno_case_get_model (kase), &error);

  if (model != NULL)
    {
      describe (result, model);
      binding = dyno_model_bind (model, dyno_case_get_batch_size (kase), dyno_case_get_sequence_length (kase),
                                 dyno_case_get_dimensions (kase), &error);
    }
  if (binding == NULL)
    {
      dyno_result_set_status (result, DYNO_STATUS_FAILED, error->message);
      return FALSE;
    }
  return check_threads (result, machine) && check_generation (result, model) &&
         fits (result, model, binding, machine);
}
