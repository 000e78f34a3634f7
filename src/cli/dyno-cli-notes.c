/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-case-state.h"
#include "dyno-cli-notes.h"
#include "dyno-cli-table.h"
#include "dyno-diagnostic.h"

/* What is said of some cases (their numbers, ascending): the sentence of the first, which may hold other numbers than
 * those of the rest. */
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

/* Notes in the order of their first mention, and the same by their keys. */
typedef struct
{
  GPtrArray *notes;
  GHashTable *by_key;
} NoteList;

/* What has the same key is printed once. */
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
add_notes_of (NoteList *list, guint number, DynoResult *result)
{
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);
  const char *reason = dyno_result_get_reason (result);

  if (reason != NULL && *reason != '\0')
    add_note (list, number, reason, dyno_case_state_get_label (dyno_result_get_state (result)), reason);
  for (guint i = 0; i < diagnostics->len; i++)
    {
      DynoDiagnostic *diagnostic = g_ptr_array_index (diagnostics, i);

      if (dyno_diagnostic_get_severity (diagnostic) == DYNO_SEVERITY_WARNING)
        add_note (list, number, dyno_diagnostic_get_code (diagnostic), _ ("Warning"),
                  dyno_diagnostic_get_message (diagnostic));
    }
}

/* “1–4, 7” */
static char *
format_cases (GArray *cases)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < cases->len;)
    {
      guint first = g_array_index (cases, guint, i), last = first;

      for (i++; i < cases->len && g_array_index (cases, guint, i) <= last + 1; i++)
        last = g_array_index (cases, guint, i);
      g_string_append_printf (text, "%s%u", text->len > 0 ? ", " : "", first);
      if (last > first)
        g_string_append_printf (text, last > first + 1 ? "–%u" : ", %u", last);
    }
  return g_string_free (text, FALSE);
}

static char *
format_note (const Note *note)
{
  if (!note->varies)
    return g_strdup (note->sentence);
  return g_strdup_printf (_ ("%s (Case %u; the others are similar.)"), note->sentence,
                          g_array_index (note->cases, guint, 0));
}

/**
 * dyno_cli_notes_print:
 * @results: (element-type DynoResult): the cases of a run, in the order they are numbered
 *
 * Prints why cases failed or are doubtful: each reason once, with the numbers of its cases.
 */
void
dyno_cli_notes_print (GPtrArray *results)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (note_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_str_hash, g_str_equal);
  NoteList list = { notes, by_key };
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lw", _ ("Cases"), _ ("Notes"), NULL);

  for (guint i = 0; i < results->len; i++)
    add_notes_of (&list, i + 1, results->pdata[i]);
  if (notes->len == 0)
    return;
  for (guint i = 0; i < notes->len; i++)
    {
      Note *note = notes->pdata[i];

      dyno_cli_table_take_row (table, format_cases (note->cases), format_note (note), NULL);
    }
  g_print ("\n");
  dyno_cli_table_print (table);
}
