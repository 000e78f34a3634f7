/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-case-state.h"
#include "dyno-cli-private.h"
#include "dyno-history.h"
#include "dyno-diagnostic.h"

/* A note about some cases (their numbers, ascending): it has the sentence of the first, whose numbers may
 * differ from those of the rest. */
typedef struct
{
  char *key;
  char *sentence;
  gboolean varies;
  GArray *cases;
} Note;

static void
note_free (gpointer data)
{
  Note *note = data;

  g_free (note->key);
  g_free (note->sentence);
  g_array_unref (note->cases);
  g_free (note);
}

/* Notes in the order of their first mention, and by key. */
typedef struct
{
  GPtrArray *notes;
  GHashTable *by_key;
} NoteList;

/* Notes with the same key are printed once. */
static void
add_note (NoteList *list, guint number, const char *key, const char *kind, const char *message)
{
  g_autofree char *sentence = g_strdup_printf ("%s: %s", kind, message);
  Note *note = g_hash_table_lookup (list->by_key, key);

  if (note == NULL)
    {
      note = g_new0 (Note, 1);
      note->key = g_strdup (key);
      note->sentence = g_strdup (sentence);
      note->cases = g_array_new (FALSE, FALSE, sizeof (guint));
      g_ptr_array_add (list->notes, note);
      g_hash_table_insert (list->by_key, note->key, note);
    }
  note->varies |= !g_str_equal (note->sentence, sentence);
  if (note->cases->len == 0 || g_array_index (note->cases, guint, note->cases->len - 1) != number)
    g_array_append_val (note->cases, number);
}

static void
note_list_init (NoteList *list)
{
  list->notes = g_ptr_array_new_with_free_func (note_free);
  list->by_key = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
note_list_clear (NoteList *list)
{
  g_hash_table_unref (list->by_key);
  g_ptr_array_unref (list->notes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NoteList, note_list_clear)

static void
put_list (DynoReportDocument *document, const NoteList *list)
{
  DynoReportTable *table = dyno_report_table_new ("lw", _ ("Cases"), _ ("Notes"), NULL);

  for (guint i = 0; i < list->notes->len; i++)
    {
      const Note *note = list->notes->pdata[i];

      /* “1–4, 7” */
      GString *text = g_string_new (NULL);

      for (guint k = 0; k < note->cases->len;)
        {
          guint first = g_array_index (note->cases, guint, k), last = first;

          for (k++; k < note->cases->len && g_array_index (note->cases, guint, k) <= last + 1; k++)
            last = g_array_index (note->cases, guint, k);
          g_string_append_printf (text, "%s%u", text->len > 0 ? ", " : "", first);
          if (last > first)
            g_string_append_printf (text, last > first + 1 ? "–%u" : ", %u", last);
        }
      dyno_report_table_take_row (table, g_string_free (text, FALSE),
                                  note->varies ? g_strdup_printf (_ ("%s (Case %u; the others are similar.)"),
                                                                  note->sentence,
                                                                  g_array_index (note->cases, guint, 0))
                                               : g_strdup (note->sentence),
                                  NULL);
    }
  dyno_report_document_take_table (document, table);
}

void
dyno_cli_notes_add_reasons (DynoReportDocument *document, GPtrArray *results)
{
  g_auto (NoteList) list = { NULL };

  note_list_init (&list);
  for (guint i = 0; i < results->len; i++)
    {
      const char *reason = dyno_result_get_reason (results->pdata[i]);

      if (reason != NULL && *reason != '\0')
        add_note (&list, i + 1, reason, dyno_case_state_get_label (dyno_result_get_state (results->pdata[i])),
                  reason);
    }
  put_list (document, &list);
}

void
dyno_cli_notes_add_warnings (DynoReportDocument *document, GPtrArray *results)
{
  g_auto (NoteList) list = { NULL };
  g_autofree char *summary = NULL;

  note_list_init (&list);
  for (guint i = 0; i < results->len; i++)
    {
      guint number = i + 1;
      GPtrArray *diagnostics = dyno_result_get_diagnostics (results->pdata[i]);

      for (guint k = 0; k < diagnostics->len; k++)
        {
          DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, k);

          const char *code = dyno_diagnostic_get_code (diagnostic);
          const char *message = dyno_diagnostic_get_message (diagnostic);

          /* Alerts have the numbers of their case. */
          if (dyno_diagnostic_get_severity (diagnostic) == DYNO_SEVERITY_WARNING)
            add_note (&list, number, g_str_has_prefix (code, DYNO_ALERT_PREFIX) ? message : code,
                      dyno_diagnostic_is_noise (diagnostic) ? _ ("Note") : _ ("Warning"), message);
        }
    }
  /* Translators: how many notes there are about the cases of a run; “--notes” is an option */
  summary = g_strdup_printf (ngettext ("%u note: see --notes.", "%u notes: see --notes.", list.notes->len),
                             list.notes->len);
  dyno_report_document_begin_details (document, list.notes->len > 0 ? summary : NULL);
  put_list (document, &list);
}
