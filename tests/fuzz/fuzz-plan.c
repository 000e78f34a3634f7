/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-plan.h"
#include "fuzz-corpus.h"

/* Whatever a suite holds, it is a plan that is the same after it was written and read again, or it is refused with a reason. */

static void
read_input (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (text, &error);
  g_autoptr (DynoPlan) again = NULL;
  g_autofree char *written = NULL;
  g_autofree char *rewritten = NULL;
  g_autofree char *title = NULL;
  g_autofree char *command = NULL;

  g_assert_true ((plan != NULL) == (error == NULL));
  if (plan == NULL)
    return;
  written = dyno_plan_to_json (plan);
  again = dyno_plan_new_from_json (written, &error);
  g_assert_no_error (error);
  rewritten = dyno_plan_to_json (again);
  g_assert_cmpstr (rewritten, ==, written);
  title = dyno_plan_dup_run_title (plan);
  command = dyno_plan_dup_command (plan);
  g_assert_true (g_utf8_validate (title, -1, NULL) && g_utf8_validate (command, -1, NULL));
}

FUZZ_TARGET (read_input)
