/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-session-private.h"
#include "dyno-run.h"

#define PAGE 100

struct _DynoRunList
{
  GObject parent_instance;

  DynoStore *store;
  gboolean document;
  gboolean folds; /* the runs of a submission form one entry */
  char *search;
  char *problem;
  GPtrArray *entries;
  GHashTable *hidden;

  guint n_read;
  gboolean complete;
  GCancellable *cancellable;
};

enum
{
  PROP_0,
  PROP_LOADING,
  PROP_PROBLEM,
  N_PROPS
};

static void dyno_run_list_list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DynoRunList,
                               dyno_run_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, dyno_run_list_list_model_init))

static GParamSpec *properties[N_PROPS];

static void
set_problem (DynoRunList *self, const char *problem)
{
  if (g_strcmp0 (self->problem, problem) == 0)
    return;
  g_free (self->problem);
  self->problem = g_strdup (problem);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
}

/* Changes the list as little as possible, so that selection and scroll position stay */

static GHashTable *
index_entries (DynoRunList *self)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->entries->len; i++)
    {
      DynoRunEntry *entry = g_ptr_array_index (self->entries, i);
      g_hash_table_insert (index, (gpointer)dyno_run_entry_get_id (entry), entry);
    }
  return index;
}

static char *
dup_group (DynoRunList *self, DynoRun *run)
{
  g_autoptr (DynoRunPlace) place = self->folds ? dyno_run_place_new (run) : NULL;

  return place != NULL ? g_steal_pointer (&place->submission) : NULL;
}

static int
compare_titles (gconstpointer a, gconstpointer b)
{
  DynoRun *one = *(DynoRun *const *)a;
  DynoRun *other = *(DynoRun *const *)b;

  return g_strcmp0 (dyno_run_get_title (one), dyno_run_get_title (other));
}

/* Finds the submissions with several runs. */
static GHashTable *
find_groups (DynoRunList *self, GPtrArray *runs)
{
  GHashTable *groups =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  GHashTableIter iter;
  gpointer members;

  for (guint i = 0; i < runs->len; i++)
    {
      g_autofree char *group = dup_group (self, runs->pdata[i]);

      if (group == NULL || g_hash_table_contains (self->hidden, dyno_run_get_id (runs->pdata[i])))
        continue;
      if (!g_hash_table_contains (groups, group))
        g_hash_table_insert (groups, g_strdup (group), g_ptr_array_new ());
      g_ptr_array_add (g_hash_table_lookup (groups, group), runs->pdata[i]);
    }
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, &members))
    if (((GPtrArray *)members)->len == 1)
      g_hash_table_iter_remove (&iter);
    else
      g_ptr_array_sort (members, compare_titles);
  return groups;
}

static DynoRunEntry *
entry_for_group (DynoRunList *self, GHashTable *index, const char *group, GPtrArray *members)
{
  DynoRunEntry *entry = g_hash_table_lookup (index, group);

  if (entry == NULL)
    return dyno_run_entry_new_group (self->store, members, self->document);
  dyno_run_entry_set_members (entry, members);
  return g_object_ref (entry);
}

static GPtrArray *
entries_for (DynoRunList *self, GPtrArray *runs)
{
  g_autoptr (GHashTable) index = index_entries (self);
  g_autoptr (GHashTable) groups = find_groups (self, runs);
  g_autoptr (GHashTable) placed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = g_ptr_array_index (runs, i);
      g_autofree char *group = dup_group (self, run);
      GPtrArray *members = group != NULL ? g_hash_table_lookup (groups, group) : NULL;

      if (g_hash_table_contains (self->hidden, dyno_run_get_id (run)))
        continue;
      /* A group takes the place of its newest run. */
      if (members == NULL)
        {
          DynoRunEntry *entry = g_hash_table_lookup (index, dyno_run_get_id (run));

          g_ptr_array_add (entries, entry != NULL ? g_object_ref (entry)
                                                  : dyno_run_entry_new (self->store, run, self->document));
        }
      else if (g_hash_table_add (placed, g_strdup (group)))
        g_ptr_array_add (entries, entry_for_group (self, index, group, members));
    }
  return entries;
}

static void
replace_entries (DynoRunList *self, GPtrArray *entries)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&self->entries);
  guint shorter = MIN (old->len, entries->len);
  guint start = 0, end = 0;

  while (start < shorter && old->pdata[start] == entries->pdata[start])
    start++;
  while (end < shorter - start && old->pdata[old->len - 1 - end] == entries->pdata[entries->len - 1 - end])
    end++;
  self->entries = entries;
  if (old->len - start - end > 0 || entries->len - start - end > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), start, old->len - start - end,
                                entries->len - start - end);
}

static void
update_entries (DynoRunList *self, GPtrArray *runs)
{
  g_autoptr (GHashTable) index = index_entries (self);

  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = g_ptr_array_index (runs, i);
      DynoRunEntry *entry = g_hash_table_lookup (index, dyno_run_get_id (run));
      if (entry != NULL && dyno_run_entry_get_run (entry) != run)
        {
          g_hash_table_remove (index, dyno_run_get_id (run));
          dyno_run_entry_set_run (entry, run);
        }
    }
}

/* Reading */

static void read_page (DynoRunList *self, guint offset, guint limit, gboolean is_larger);

typedef struct
{
  GWeakRef list;
  GCancellable *cancellable;
  guint offset;
  guint limit;
  gboolean is_larger; /* than the previous read */
} Reading;

static void
reading_free (Reading *reading)
{
  g_weak_ref_clear (&reading->list);
  g_object_unref (reading->cancellable);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

static gboolean
is_listed (DynoRunList *self, GHashTable *index, DynoRun *run)
{
  g_autofree char *group = dup_group (self, run);

  return g_hash_table_contains (index, dyno_run_get_id (run)) ||
         (group != NULL && g_hash_table_contains (index, group));
}

/* Returns whether any of @runs belongs to a group that the list contains already. */
static gboolean
continue_group (DynoRunList *self, GPtrArray *runs)
{
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean does = FALSE;

  for (guint i = 0; self->folds && i < self->entries->len; i++)
    {
      char *group = dup_group (self, dyno_run_entry_get_run (self->entries->pdata[i]));

      if (group != NULL)
        g_hash_table_add (groups, group);
    }
  for (guint i = 0; !does && g_hash_table_size (groups) > 0 && i < runs->len; i++)
    {
      g_autofree char *group = dup_group (self, runs->pdata[i]);

      does = group != NULL && g_hash_table_contains (groups, group);
    }
  return does;
}

/* Keeps all runs that were read before, however many new ones precede them; the runs after them are left for
 * later. */
static void
leave_unread_out (DynoRunList *self, GPtrArray *runs)
{
  g_autoptr (GHashTable) index = index_entries (self);

  while (runs->len > PAGE && !is_listed (self, index, runs->pdata[runs->len - 1]))
    g_ptr_array_set_size (runs, runs->len - 1);
}

static void
listed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  g_autoptr (DynoRunList) self = g_weak_ref_get (&reading->list);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_runs_finish (DYNO_STORE (object), result, &error);

  /* The list has been freed or has started another search. */
  if (self == NULL || self->cancellable != reading->cancellable)
    return;

  g_clear_object (&self->cancellable);
  set_problem (self, error != NULL ? error->message : NULL);
  if (runs != NULL)
    {
      guint n_found = runs->len;

      if (reading->offset == 0 && !reading->is_larger)
        leave_unread_out (self, runs);
      self->n_read = reading->offset + runs->len;
      self->complete = n_found < reading->limit && runs->len == n_found;
      if (reading->offset == 0)
        {
          replace_entries (self, entries_for (self, runs));
          update_entries (self, runs);
        }
      else if (continue_group (self, runs))
        read_page (self, 0, self->n_read, TRUE);
      else
        {
          g_autoptr (GPtrArray) entries = entries_for (self, runs);
          guint position = self->entries->len;

          g_ptr_array_extend (self->entries, entries, (GCopyFunc)g_object_ref, NULL);
          g_list_model_items_changed (G_LIST_MODEL (self), position, 0, entries->len);
        }
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
read_page (DynoRunList *self, guint offset, guint limit, gboolean is_larger)
{
  Reading *reading = g_new0 (Reading, 1);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();

  g_weak_ref_init (&reading->list, self);
  reading->cancellable = g_object_ref (self->cancellable);
  reading->offset = offset;
  reading->limit = limit;
  reading->is_larger = is_larger;
  dyno_store_list_runs_async (self->store, self->search, offset, limit, self->cancellable, listed_cb,
                              reading);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

/* The list */

static GType
dyno_run_list_get_item_type (GListModel *model)
{
  return DYNO_TYPE_RUN_ENTRY;
}

static guint
dyno_run_list_get_n_items (GListModel *model)
{
  return DYNO_RUN_LIST (model)->entries->len;
}

static gpointer
dyno_run_list_get_item (GListModel *model, guint position)
{
  DynoRunList *self = DYNO_RUN_LIST (model);

  if (position >= self->entries->len)
    return NULL;
  if (!self->complete && self->cancellable == NULL && position + PAGE / 2 >= self->entries->len)
    read_page (self, self->n_read, PAGE, FALSE);
  return g_object_ref (g_ptr_array_index (self->entries, position));
}

static void
dyno_run_list_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = dyno_run_list_get_item_type;
  iface->get_n_items = dyno_run_list_get_n_items;
  iface->get_item = dyno_run_list_get_item;
}

static void
dyno_run_list_dispose (GObject *object)
{
  DynoRunList *self = DYNO_RUN_LIST (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (dyno_run_list_parent_class)->dispose (object);
}

static void
dyno_run_list_finalize (GObject *object)
{
  DynoRunList *self = DYNO_RUN_LIST (object);

  g_clear_object (&self->store);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->hidden, g_hash_table_unref);
  g_free (self->search);
  g_free (self->problem);

  G_OBJECT_CLASS (dyno_run_list_parent_class)->finalize (object);
}

static void
dyno_run_list_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoRunList *self = DYNO_RUN_LIST (object);

  switch (prop_id)
    {
    case PROP_LOADING:
      g_value_set_boolean (value, dyno_run_list_get_loading (self));
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_run_list_class_init (DynoRunListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_run_list_dispose;
  object_class->finalize = dyno_run_list_finalize;
  object_class->get_property = dyno_run_list_get_property;

  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, flags);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_run_list_init (DynoRunList *self)
{
  self->entries = g_ptr_array_new_with_free_func (g_object_unref);
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

DynoRunList *
dyno_run_list_new (DynoStore *store, gboolean document, gboolean folds)
{
  DynoRunList *self;

  g_return_val_if_fail (DYNO_IS_STORE (store), NULL);

  self = g_object_new (DYNO_TYPE_RUN_LIST, NULL);
  self->store = g_object_ref (store);
  self->document = document;
  self->folds = folds;
  g_signal_connect_object (store, "changed", G_CALLBACK (dyno_run_list_refresh), self, G_CONNECT_SWAPPED);
  dyno_run_list_refresh (self);
  return self;
}

DynoStore *
dyno_run_list_get_store (DynoRunList *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_LIST (self), NULL);
  return self->store;
}

gboolean
dyno_run_list_get_loading (DynoRunList *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_LIST (self), FALSE);
  return self->cancellable != NULL;
}

const char *
dyno_run_list_get_problem (DynoRunList *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_LIST (self), NULL);
  return self->problem;
}

void
dyno_run_list_set_search (DynoRunList *self, const char *search)
{
  g_return_if_fail (DYNO_IS_RUN_LIST (self));

  if (g_strcmp0 (self->search, search) == 0)
    return;
  g_free (self->search);
  self->search = g_strdup (search);
  self->n_read = 0;
  dyno_run_list_refresh (self);
}

void
dyno_run_list_refresh (DynoRunList *self)
{
  g_return_if_fail (DYNO_IS_RUN_LIST (self));

  read_page (self, 0, self->n_read + PAGE, FALSE);
}

void
dyno_run_list_hide (DynoRunList *self, const char *id)
{
  g_return_if_fail (DYNO_IS_RUN_LIST (self));
  g_return_if_fail (id != NULL);

  g_hash_table_add (self->hidden, g_strdup (id));
  for (guint i = 0; i < self->entries->len; i++)
    if (g_str_equal (dyno_run_entry_get_id (g_ptr_array_index (self->entries, i)), id))
      {
        g_ptr_array_remove_index (self->entries, i);
        g_list_model_items_changed (G_LIST_MODEL (self), i, 1, 0);
        return;
      }
  dyno_run_list_refresh (self); /* it may belong to a group */
}

void
dyno_run_list_unhide (DynoRunList *self, const char *id)
{
  g_return_if_fail (DYNO_IS_RUN_LIST (self));
  g_return_if_fail (id != NULL);

  if (g_hash_table_remove (self->hidden, id))
    dyno_run_list_refresh (self);
}
