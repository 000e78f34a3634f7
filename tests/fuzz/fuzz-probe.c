/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-json.h"
#include "dyno-probe.h"
#include "fuzz-corpus.h"

/* Whatever a probing process printed, or a cached file holds: a probe that is the same after it was written and read again, or
 * an error. */

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (JsonObject) object = dyno_json_try_object ((const char *)data, (gssize)size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = object != NULL ? dyno_probe_new_from_json (object, &error) : NULL;
  g_autoptr (DynoProbe) again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) rewritten_node = NULL;
  g_autofree char *written = NULL;
  g_autofree char *rewritten = NULL;

  if (object == NULL)
    return;
  g_assert_true ((probe != NULL) == (error == NULL));
  if (probe == NULL)
    return;
  node = dyno_probe_to_json (probe);
  written = dyno_json_text_write (node, FALSE);
  again = dyno_probe_new_from_json (json_node_get_object (node), &error);
  g_assert_no_error (error);
  rewritten_node = dyno_probe_to_json (again);
  rewritten = dyno_json_text_write (rewritten_node, FALSE);
  g_assert_cmpstr (rewritten, ==, written);
}

FUZZ_TARGET (read_input)
