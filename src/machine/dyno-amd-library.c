/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-amd-library.h"
#include "dyno-error.h"

/* The successor comes first. */
static const DynoAmdLibrary *const libraries[] = { &dyno_amd_smi, &dyno_rocm_smi };

const DynoAmdLibrary *
dyno_amd_library_open (GPtrArray **boards, GError **error)
{
  g_autoptr (GString) reasons = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
    {
      g_autoptr (GError) reason = NULL;

      *boards = libraries[i]->list_boards (&reason);
      if (*boards != NULL)
        return libraries[i];
      g_string_append_printf (reasons, "%s%s", i > 0 ? " " : "", reason->message);
    }
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, reasons->str);
  return NULL;
}

char *
dyno_amd_library_format_address (guint64 domain, guint64 function)
{
  return g_strdup_printf ("%04x:%02x:%02x.%x", (guint)domain, (guint)(function >> 8) & 0xff,
                          (guint)(function >> 3) & 0x1f, (guint)function & 0x7);
}
