/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-report-document-private.h"
#include "dyno-similar-text.h"

/* From this many cases on, a sentence about most of them does not name each. */
#define MANY 7
/* At most this many cases are named as exceptions. */
#define MAX_OTHERS 2

/* Cases that a sentence about all of them names together, such as those of a run. */
typedef struct
{
  char *title;
  GPtrArray *labels;
} Group;

/* The cases that a sentence is about, of one group. */
typedef struct
{
  guint group;
  GPtrArray *subjects;
} Share;

typedef struct
{
  char *lead;
  char *text;
  GArray *shares;
} Note;

struct _DynoReportNotes
{
  GPtrArray *notes;
  GHashTable *index;
  GArray *groups;
};

static void
group_clear (gpointer data)
{
  Group *group = data;

  g_free (group->title);
  g_ptr_array_unref (group->labels);
}

static void
share_clear (gpointer data)
{
  g_ptr_array_unref (((Share *)data)->subjects);
}

static void
note_free (gpointer data)
{
  Note *note = data;

  g_free (note->lead);
  g_free (note->text);
  g_array_unref (note->shares);
  g_free (note);
}

DynoReportNotes *
dyno_report_notes_new (void)
{
  DynoReportNotes *self = g_new (DynoReportNotes, 1);
  const Group unnamed = { NULL, g_ptr_array_new () };

  self->notes = g_ptr_array_new_with_free_func (note_free);
  self->index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_array_set_clear_func (self->groups, group_clear);
  g_array_append_val (self->groups, unnamed);
  return self;
}

void
dyno_report_notes_free (DynoReportNotes *self)
{
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->notes);
  g_array_unref (self->groups);
  g_free (self);
}

void
dyno_report_notes_begin_group (DynoReportNotes *self, const char *title)
{
  const Group group = { g_strdup (title), g_ptr_array_new_with_free_func (g_free) };

  g_array_append_val (self->groups, group);
}

void
dyno_report_notes_add_case (DynoReportNotes *self, const char *label)
{
  g_ptr_array_add (g_array_index (self->groups, Group, self->groups->len - 1).labels, g_strdup (label));
}

void
dyno_report_notes_begin_results (DynoReportNotes *self, const char *title, GListModel *results)
{
  dyno_report_notes_begin_group (self, title);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));

      dyno_report_notes_add_case (self, label);
    }
}

void
dyno_report_notes_begin_comparison (DynoReportNotes *self, const DynoComparison *comparison)
{
  dyno_report_notes_begin_group (self, NULL);
  for (guint i = 0; i < comparison->cases->len; i++)
    dyno_report_notes_add_case (self, ((DynoComparedCase *)comparison->cases->pdata[i])->label);
}

static Note *
find_or_add (DynoReportNotes *self, const char *lead, const char *text, const char *common)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", lead != NULL ? lead : "", common);
  Note *note = g_hash_table_lookup (self->index, key);

  if (note != NULL)
    return note;
  note = g_new (Note, 1);
  *note = (Note){ g_strdup (lead), g_strdup (text), g_array_new (FALSE, FALSE, sizeof (Share)) };
  g_array_set_clear_func (note->shares, share_clear);
  g_ptr_array_add (self->notes, note);
  g_hash_table_insert (self->index, g_steal_pointer (&key), note);
  return note;
}

/* Groups come in sequence, so the group of the subject is the last one. */
static void
add_subject (const DynoReportNotes *self, Note *note, const char *subject)
{
  guint group = self->groups->len - 1;
  guint n = note->shares->len;
  GPtrArray *subjects;

  if (n == 0 || g_array_index (note->shares, Share, n - 1).group != group)
    {
      const Share share = { group, g_ptr_array_new_null_terminated (0, g_free, TRUE) };

      g_array_append_val (note->shares, share);
    }
  subjects = g_array_index (note->shares, Share, note->shares->len - 1).subjects;
  if (!g_ptr_array_find_with_equal_func (subjects, subject, g_str_equal, NULL))
    g_ptr_array_add (subjects, g_strdup (subject));
}

void
dyno_report_notes_add (DynoReportNotes *self, const char *lead, const char *text, const char *subject)
{
  add_subject (self, find_or_add (self, lead, text, text), subject);
}

void
dyno_report_notes_add_similar (DynoReportNotes *self, const char *lead, const char *text, const char *subject)
{
  g_autofree char *common = dyno_similar_text_dup_key (text);
  Note *note = find_or_add (self, lead, text, common);
  char *merged = dyno_similar_text_merge (note->text, text);

  g_free (note->text);
  note->text = merged;
  add_subject (self, note, subject);
}

static GPtrArray *
get_labels (const DynoReportNotes *self, const Share *share)
{
  return g_array_index (self->groups, Group, share->group).labels;
}

static gboolean
is_whole (const DynoReportNotes *self, const Share *share)
{
  return share->subjects->len == get_labels (self, share)->len;
}

/* Counts the cases instead of naming them if there are many. */
static char *
dup_share (const DynoReportNotes *self, const Share *share)
{
  const char *title = g_array_index (self->groups, Group, share->group).title;
  GPtrArray *labels = get_labels (self, share);
  guint n = share->subjects->len;
  g_autoptr (GPtrArray) excepted = g_ptr_array_new_null_terminated (0, NULL, TRUE);
  g_autofree char *others = NULL;
  g_autofree char *names = NULL;
  gboolean is_counted = n >= MANY && n < labels->len && 2 * n > labels->len;
  gboolean names_others = is_counted && labels->len - n <= MAX_OTHERS;

  if (title != NULL && is_whole (self, share) && n > 1)
    /* Translators: the subject of a sentence; %s is the title of a run */
    return g_strdup_printf (_ ("all cases of “%s”"), title);
  for (guint i = 0; names_others && i < labels->len; i++)
    if (!g_ptr_array_find_with_equal_func (share->subjects, labels->pdata[i], g_str_equal, NULL))
      g_ptr_array_add (excepted, labels->pdata[i]);
  others = names_others ? g_strjoinv (", ", (char **)excepted->pdata) : NULL;
  if (!is_counted)
    names = g_strjoinv (", ", (char **)share->subjects->pdata);
  else if (!names_others)
    /* Translators: the subject of a sentence: a number of cases, and the number of all */
    names = g_strdup_printf (_ ("%u of %u cases"), n, labels->len);
  else
    /* Translators: the subject of a sentence: a number of cases, the number of all, and the names of the others */
    names = g_strdup_printf (_ ("%u of %u cases: all but %s"), n, labels->len, others);
  if (title == NULL)
    return g_steal_pointer (&names);
  /* Translators: the subject of a sentence: names of cases, and the title of their run */
  return g_strdup_printf (_ ("%s in “%s”"), names, title);
}

/* Omits the name of the only case. */
static char *
dup_subjects (const DynoReportNotes *self, const Note *note)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  guint n_cases = 0, n_whole = 0;

  for (guint i = 0; i < self->groups->len; i++)
    n_cases += g_array_index (self->groups, Group, i).labels->len;
  for (guint i = 0; i < note->shares->len; i++)
    {
      const Share *share = &g_array_index (note->shares, Share, i);

      n_whole += is_whole (self, share) ? share->subjects->len : 0;
    }
  if (n_whole > 0 && n_whole == n_cases)
    return n_cases > 1 ? g_strdup (_ ("all cases")) : NULL;
  for (guint i = 0; i < note->shares->len; i++)
    g_ptr_array_add (parts, dup_share (self, &g_array_index (note->shares, Share, i)));
  return g_strjoinv ("; ", (char **)parts->pdata);
}

void
dyno_report_notes_put (DynoReportNotes *self, DynoReportDocument *document, guint level, const char *heading)
{
  if (self->notes->len == 0)
    return;
  dyno_report_document_add_heading (document, level, heading);
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < self->notes->len; i++)
    {
      const Note *note = g_ptr_array_index (self->notes, i);
      g_autofree char *subjects = dup_subjects (self, note);

      dyno_report_document_add_item (document, note->lead, note->text, subjects);
    }
}

char *
dyno_report_notes_dup_summary (GPtrArray *clauses)
{
  g_autofree char *joined = g_strjoinv ("; ", (char **)clauses->pdata);

  if (clauses->len == 0)
    return NULL;
  /* Translators: %s is a list such as “2 cases were not compared; 3 other things differ”, “--notes” an option */
  return g_strdup_printf (_ ("%s: --notes shows more."), joined);
}
