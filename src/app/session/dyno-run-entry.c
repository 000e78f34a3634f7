/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-run.h"
#include "dyno-task.h"
#include "dyno-text.h"

/* In characters: an imported title may be very long. Only editing shows it in full. */
#define MAX_TITLE 300

struct _DynoRunEntry
{
  GObject parent_instance;

  DynoStore *store;
  DynoRun *run;
  GPtrArray *members; /* the runs of a group, the first of which is the run */
  DynoRunPlace *place;
  gboolean document;
  gboolean writing;
  gboolean written_again;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_TITLE,
  PROP_SUMMARY,
  PROP_SUMMARIZED,
  PROP_DETAILS,
  PROP_DOCUMENT,
  N_PROPS
};

enum
{
  WRITE_FAILED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoRunEntry, dyno_run_entry, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static char *
dup_details (DynoRun *run)
{
  g_autofree char *date = dyno_format_date (dyno_run_get_started_at (run));
  DynoCaseCounts counts = { 0 };
  g_autofree char *cases = NULL;

  dyno_run_count_cases (run, &counts);
  if (counts.of[DYNO_CASE_STATE_MEASURED] == counts.n_cases)
    cases = g_strdup_printf (ngettext ("%u case", "%u cases", counts.n_cases), counts.n_cases);
  else
    cases = dyno_run_dup_state_text (run);
  /* Translators: when a run was made, and how many cases it has */
  return g_strdup_printf (_ ("%s · %s"), date, cases);
}

/* Groups */

static char *
dup_nodes (DynoRunEntry *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->members->len; i++)
    {
      g_autoptr (DynoRunPlace) place = dyno_run_place_new (self->members->pdata[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", place->node);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
dup_group_details (DynoRunEntry *self)
{
  g_autofree char *date = dyno_format_date (dyno_run_get_started_at (self->run));

  /* Translators: when a plan was measured, and on how many nodes */
  return g_strdup_printf (ngettext ("%s · %u node", "%s · %u nodes", self->members->len), date,
                          self->members->len);
}

/* Writing: one write at a time, of the latest words */

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  DynoRunEntry *self = dyno_owned_task_get_owner (task);
  g_autoptr (GError) error = NULL;

  if (dyno_store_update_run (self->store, task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void start_writing (DynoRunEntry *self);

static void
written_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoRunEntry *self = DYNO_RUN_ENTRY (object);
  g_autoptr (GError) error = NULL;

  self->writing = FALSE;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_signal_emit (self, signals[WRITE_FAILED], 0, error);
  if (self->written_again)
    start_writing (self);
  dyno_writing_end ();
}

static void
start_writing (DynoRunEntry *self)
{
  g_autoptr (GTask) task = NULL;
  DynoRun *copy;

  self->written_again = self->writing;
  if (self->writing)
    return;

  self->writing = TRUE;
  dyno_writing_begin ();
  copy = dyno_run_new (dyno_run_get_id (self->run));
  dyno_run_set_title (copy, dyno_run_get_title (self->run));
  dyno_run_set_notes (copy, dyno_run_get_notes (self->run));
  task = dyno_owned_task_new (self, NULL, written_cb, NULL);
  g_task_set_source_tag (task, start_writing);
  g_task_set_task_data (task, copy, g_object_unref);
  g_task_run_in_thread (task, write_thread);
}

static void
dyno_run_entry_finalize (GObject *object)
{
  DynoRunEntry *self = DYNO_RUN_ENTRY (object);

  g_clear_object (&self->store);
  g_clear_object (&self->run);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_clear_pointer (&self->place, dyno_run_place_free);

  G_OBJECT_CLASS (dyno_run_entry_parent_class)->finalize (object);
}

static void
dyno_run_entry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoRunEntry *self = DYNO_RUN_ENTRY (object);
  const char *summary = dyno_run_get_summary (self->run);
  const char *title = dyno_run_get_title (self->run);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, dyno_run_entry_get_id (self));
      break;
    case PROP_TITLE:
      g_value_take_string (value, dyno_run_entry_dup_title (self));
      break;
    case PROP_SUMMARY:
      if (self->members != NULL)
        g_value_take_string (value, dup_nodes (self));
      else
        g_value_set_string (value, summary);
      break;
    case PROP_SUMMARIZED:
      /* The title of a plan begins with its models and engines. */
      g_value_set_boolean (value,
                           self->members != NULL || (summary != NULL && *summary != '\0' &&
                                                     (title == NULL || !g_str_has_prefix (title, summary))));
      break;
    case PROP_DETAILS:
      g_value_take_string (value, self->members != NULL ? dup_group_details (self) : dup_details (self->run));
      break;
    case PROP_DOCUMENT:
      g_value_set_boolean (value, self->document);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_run_entry_class_init (DynoRunEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_run_entry_finalize;
  object_class->get_property = dyno_run_entry_get_property;

  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_SUMMARY] = g_param_spec_string ("summary", NULL, NULL, NULL, flags);
  properties[PROP_SUMMARIZED] = g_param_spec_boolean ("summarized", NULL, NULL, FALSE, flags);
  properties[PROP_DETAILS] = g_param_spec_string ("details", NULL, NULL, NULL, flags);
  properties[PROP_DOCUMENT] = g_param_spec_boolean ("document", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[WRITE_FAILED] = g_signal_new ("write-failed", DYNO_TYPE_RUN_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
dyno_run_entry_init (DynoRunEntry *self)
{
}

DynoRunEntry *
dyno_run_entry_new (DynoStore *store, DynoRun *run, gboolean document)
{
  DynoRunEntry *self;

  g_return_val_if_fail (DYNO_IS_STORE (store), NULL);
  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  self = g_object_new (DYNO_TYPE_RUN_ENTRY, NULL);
  self->store = g_object_ref (store);
  self->run = g_object_ref (run);
  self->document = document;
  return self;
}

static void
take_members (DynoRunEntry *self, GPtrArray *members)
{
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_clear_pointer (&self->place, dyno_run_place_free);
  self->members = g_ptr_array_copy (members, (GCopyFunc)g_object_ref, NULL);
  g_ptr_array_set_free_func (self->members, g_object_unref);
  g_set_object (&self->run, members->pdata[0]);
  self->place = dyno_run_place_new (self->run);
}

DynoRunEntry *
dyno_run_entry_new_group (DynoStore *store, GPtrArray *members, gboolean document)
{
  DynoRunEntry *self;

  g_return_val_if_fail (DYNO_IS_STORE (store), NULL);
  g_return_val_if_fail (members != NULL && members->len > 0, NULL);

  self = dyno_run_entry_new (store, members->pdata[0], document);
  take_members (self, members);
  return self;
}

GPtrArray *
dyno_run_entry_get_members (DynoRunEntry *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), NULL);
  return self->members;
}

void
dyno_run_entry_set_members (DynoRunEntry *self, GPtrArray *members)
{
  g_return_if_fail (DYNO_IS_RUN_ENTRY (self));
  g_return_if_fail (self->members != NULL && members->len > 0);

  take_members (self, members);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARY]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARIZED]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DETAILS]);
}

DynoStore *
dyno_run_entry_get_store (DynoRunEntry *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), NULL);
  return self->store;
}

const char *
dyno_run_entry_get_id (DynoRunEntry *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), NULL);
  return self->members != NULL ? self->place->submission : dyno_run_get_id (self->run);
}

gboolean
dyno_run_entry_is_document (DynoRunEntry *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), FALSE);
  return self->document;
}

gboolean
dyno_run_entry_is_writable (DynoRunEntry *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), FALSE);
  return self->members == NULL && !self->document && !dyno_store_is_read_only (self->store);
}

DynoRun *
dyno_run_entry_get_run (DynoRunEntry *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), NULL);
  return self->run;
}

void
dyno_run_entry_set_run (DynoRunEntry *self, DynoRun *run)
{
  g_return_if_fail (DYNO_IS_RUN_ENTRY (self));
  g_return_if_fail (DYNO_IS_RUN (run));

  /* Words that are not written yet are newer than those read. */
  if (self->writing)
    {
      dyno_run_set_title (run, dyno_run_get_title (self->run));
      dyno_run_set_notes (run, dyno_run_get_notes (self->run));
    }
  g_set_object (&self->run, run);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARY]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARIZED]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DETAILS]);
}

char *
dyno_run_entry_dup_title (DynoRunEntry *self)
{
  const char *title;

  g_return_val_if_fail (DYNO_IS_RUN_ENTRY (self), NULL);

  title = self->members != NULL && self->place->title != NULL ? self->place->title
                                                              : dyno_run_get_title (self->run);
  return dyno_plain_text_shorten (title != NULL && *title != '\0' ? title : _ ("Untitled Run"), MAX_TITLE);
}

void
dyno_run_entry_set_title (DynoRunEntry *self, const char *title)
{
  g_return_if_fail (DYNO_IS_RUN_ENTRY (self));
  g_return_if_fail (dyno_run_entry_is_writable (self));

  if (g_strcmp0 (dyno_run_get_title (self->run), title) == 0)
    return;
  dyno_run_set_title (self->run, title);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARIZED]);
  start_writing (self);
}

void
dyno_run_entry_set_notes (DynoRunEntry *self, const char *notes)
{
  g_return_if_fail (DYNO_IS_RUN_ENTRY (self));
  g_return_if_fail (dyno_run_entry_is_writable (self));

  if (g_strcmp0 (dyno_run_get_notes (self->run), notes) == 0)
    return;
  dyno_run_set_notes (self->run, notes);
  start_writing (self);
}
