/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-browser-private.h"
#include "fuzz-corpus.h"

/* Whatever a page sends, it is a message with a profile of operators, or an error. */

static void
check_profile (DynoBrowserMessage *message, const char *provider, gboolean is_half)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = dyno_browser_profile_read (message, provider, is_half, &error);

  g_assert_true ((nodes != NULL) == (error == NULL));
  for (guint i = 0; nodes != NULL && i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      g_assert_true (node->name != NULL && node->op_type != NULL);
    }
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserMessage) message = dyno_browser_message_parse (bytes, &error);

  g_assert_true ((message != NULL) == (error == NULL));
  if (message == NULL)
    return;
  check_profile (message, "WebNNExecutionProvider", TRUE);
  check_profile (message, NULL, FALSE);
}

FUZZ_TARGET (read_input)
