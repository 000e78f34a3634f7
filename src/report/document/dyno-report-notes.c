/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-report-notes.h"

typedef struct
{
  char *lead;
  char *text;
  GPtrArray *subjects;
} Note;

struct _DynoReportNotes
{
  GPtrArray *notes;
  GHashTable *index;
};

static void
note_free (gpointer data)
{
  Note *note = data;

  g_free (note->lead);
  g_free (note->text);
  g_ptr_array_unref (note->subjects);
  g_free (note);
}

DynoReportNotes *
dyno_report_notes_new (void)
{
  DynoReportNotes *self = g_new (DynoReportNotes, 1);

  self->notes = g_ptr_array_new_with_free_func (note_free);
  self->index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
dyno_report_notes_free (DynoReportNotes *self)
{
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static Note *
find_or_add (DynoReportNotes *self, const char *lead, const char *text)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", lead != NULL ? lead : "", text);
  Note *note = g_hash_table_lookup (self->index, key);

  if (note != NULL)
    return note;
  note = g_new (Note, 1);
  *note = (Note){ g_strdup (lead), g_strdup (text), g_ptr_array_new_null_terminated (0, g_free, TRUE) };
  g_ptr_array_add (self->notes, note);
  g_hash_table_insert (self->index, g_steal_pointer (&key), note);
  return note;
}

/**
 * dyno_report_notes_add:
 * @self: notes
 * @lead: (nullable): a few words in front of the sentence
 * @text: the sentence
 * @subject: the case it is about
 */
void
dyno_report_notes_add (DynoReportNotes *self, const char *lead, const char *text, const char *subject)
{
  Note *note = find_or_add (self, lead, text);

  if (!g_ptr_array_find_with_equal_func (note->subjects, subject, g_str_equal, NULL))
    g_ptr_array_add (note->subjects, g_strdup (subject));
}

/**
 * dyno_report_notes_put:
 * @self: notes
 * @document: where they go
 * @heading: (nullable): what stands above them; %NULL to continue below the heading before
 * @n_subjects: how many cases there are, to say “all cases” for a sentence about all of them
 *
 * Adds a list of the sentences, or nothing where there are none.
 */
void
dyno_report_notes_put (DynoReportNotes *self,
                       DynoReportDocument *document,
                       const char *heading,
                       guint n_subjects)
{
  if (self->notes->len == 0)
    return;
  if (heading != NULL)
    dyno_report_document_add_heading (document, 2, heading);
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < self->notes->len; i++)
    {
      const Note *note = g_ptr_array_index (self->notes, i);
      gboolean is_all = note->subjects->len == n_subjects && n_subjects > 1;
      g_autofree char *names = g_strjoinv (", ", (char **)note->subjects->pdata);

      dyno_report_document_add_item (document, note->lead, note->text, is_all ? _ ("all cases") : names);
    }
}
