/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-module.h"

/* Names come from files, and the tree is walked recursively. */
#define MAX_DEPTH 24
/* A module with a larger share of the time is replaced by its parts, unless these are too many. */
#define BLOCK_SHARE 0.1
#define MAX_BLOCKS  128

/* --- names --- */

/* ONNX Runtime appends fusions to the name: “encoder.MatMul_3/MatMulScaleFusion/”, or writes them in front
 * of it: “fused pooler.Gemm_4”. */
static void
cut_fusions (GString *name)
{
  const char *last;

  if (g_str_has_prefix (name->str, "fused "))
    g_string_erase (name, 0, strlen ("fused "));
  while (TRUE)
    {
      while (name->len > 0 && name->str[name->len - 1] == '/')
        g_string_truncate (name, name->len - 1);
      last = strrchr (name->str, '/');
      if (last == NULL || last == name->str || strstr (last, "Fusion") == NULL)
        return;
      g_string_truncate (name, (gsize)(last - name->str));
    }
}

/* Splits at “/” or “.”; a number belongs to the part before it: “layer.0”. The last part is the operator
 * itself. */
static GPtrArray *
split_path (const char *name)
{
  static GRegex *layouts;
  g_autoptr (GString) text = g_string_new (name);
  g_autoptr (GMatchInfo) match = NULL;
  g_auto (GStrv) words = NULL;
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  int start;

  cut_fusions (text);
  /* OpenVINO names an operator that it inserts between two others after both, and after the layouts:
   * “first_abcd_acdb_second”, or “first___second”. It counts towards the module that its input comes from. */
  if (g_once_init_enter (&layouts))
    g_once_init_leave (&layouts, g_regex_new ("(?<=.)_([aA][a-fA-F0-9]+_[aA][a-fA-F0-9]+|_)_.", 0, 0, NULL));
  if (g_regex_match (layouts, text->str, 0, &match) && g_match_info_fetch_pos (match, 0, &start, NULL))
    g_string_truncate (text, (gsize)start);
  words = g_strsplit_set (text->str, "/.", 4 * MAX_DEPTH);
  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean is_number = *words[i] != '\0' && strspn (words[i], "0123456789") == strlen (words[i]);

      if (*words[i] == '\0')
        continue;
      if (is_number && parts->len > 0)
        {
          char *joined = g_strconcat (parts->pdata[parts->len - 1], ".", words[i], NULL);

          g_free (parts->pdata[parts->len - 1]);
          parts->pdata[parts->len - 1] = joined;
        }
      else if (parts->len < MAX_DEPTH)
        g_ptr_array_add (parts, g_strdup (words[i]));
    }
  return parts;
}

/* --- building --- */

static void
free_provider (gpointer data)
{
  g_free (((DynoModuleProvider *)data)->label);
  g_free (data);
}

static DynoModule *
create (DynoModule *parent, const char *name, const char *path)
{
  DynoModule *self = g_new0 (DynoModule, 1);

  self->parent = parent;
  self->name = g_strdup (name);
  self->path = g_strdup (path);
  self->first = G_MAXUINT;
  self->modules = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_module_free);
  self->operators = g_ptr_array_new_with_free_func (g_object_unref);
  self->providers = g_ptr_array_new_with_free_func (free_provider);
  if (parent != NULL)
    g_ptr_array_add (parent->modules, self);
  return self;
}

static DynoModule *
find_home (GHashTable *by_path, DynoModule *root, DynoOperator *op)
{
  g_autoptr (GPtrArray) parts = split_path (dyno_operator_get_name (op));
  DynoModule *self = root;

  if (parts->len < 2)
    {
      const char *type = dyno_operator_get_op_type (op);
      g_autofree char *key = g_strconcat ("/", type, NULL);
      DynoModule *homeless = g_hash_table_lookup (by_path, "/");
      DynoModule *of_type = g_hash_table_lookup (by_path, key);

      if (of_type != NULL)
        return of_type;
      if (homeless == NULL)
        {
          homeless = create (root, NULL, NULL);
          g_hash_table_insert (by_path, g_strdup ("/"), homeless);
        }
      of_type = create (homeless, type, NULL);
      of_type->is_type = TRUE;
      g_hash_table_insert (by_path, g_steal_pointer (&key), of_type);
      return of_type;
    }
  /* Children are found by their path; one without a path has a key that no path can have. */
  for (guint i = 0; i + 1 < parts->len; i++)
    {
      const char *name = parts->pdata[i];
      g_autofree char *path =
          self->path != NULL ? g_strconcat (self->path, ".", name, NULL) : g_strdup (name);
      DynoModule *child = g_hash_table_lookup (by_path, path);

      if (child == NULL)
        {
          child = create (self, name, path);
          g_hash_table_insert (by_path, g_steal_pointer (&path), child);
        }
      self = child;
    }
  return self;
}

static void
add_work (DynoModuleWork *work, DynoOperator *op)
{
  gint64 calls = dyno_operator_get_calls (op);

  work->n_operators++;
  work->calls += calls;
  work->time_ns += MAX (dyno_operator_get_time_ns (op), 0);
  work->flops += (double)MAX (dyno_operator_get_flops (op), 0) * (double)calls;
  work->bytes += (double)MAX (dyno_operator_get_bytes (op), 0) * (double)calls;
}

static void
count (DynoModule *self, DynoOperator *op, guint place)
{
  gboolean has_flops = dyno_operator_get_flops (op) >= 0;
  gboolean has_bytes = dyno_operator_get_bytes (op) >= 0;
  const char *name = dyno_operator_get_provider (op);
  DynoModuleProvider *provider = NULL;

  self->first = MIN (self->first, place);
  self->n_untimed += dyno_operator_get_time_ns (op) < 0;
  self->n_without_flops += !has_flops;
  self->n_without_bytes += !has_bytes;
  add_work (&self->all, op);
  for (guint i = 0; provider == NULL && i < self->providers->len; i++)
    if (g_strcmp0 (((DynoModuleProvider *)self->providers->pdata[i])->name, name) == 0)
      provider = self->providers->pdata[i];
  if (provider == NULL)
    {
      provider = g_new0 (DynoModuleProvider, 1);
      provider->name = name;
      provider->label = dyno_operator_dup_provider_label (op);
      g_ptr_array_add (self->providers, provider);
    }
  add_work (&provider->work, op);
  if (has_flops && has_bytes && dyno_operator_get_time_ns (op) > 0)
    add_work (&self->counted, op);
}

/* Merges a module with its only child if it holds nothing else. */
static void
merge_chains (DynoModule *self)
{
  for (guint i = 0; i < self->modules->len; i++)
    {
      DynoModule *module = self->modules->pdata[i];
      DynoModule *only = NULL;

      while (module->path != NULL && module->operators->len == 0 && module->modules->len == 1)
        {
          only = g_ptr_array_steal_index (module->modules, 0);
          g_free (only->name);
          only->name = g_strdup (self->path != NULL ? only->path + strlen (self->path) + 1 : only->path);
          only->parent = self;
          dyno_module_free (module);
          module = self->modules->pdata[i] = only;
        }
      merge_chains (module);
    }
}

static int
compare_work (const DynoModuleWork *left, const DynoModuleWork *right)
{
  if (left->time_ns != right->time_ns)
    return left->time_ns > right->time_ns ? -1 : 1;
  return 0;
}

static int
compare_modules (gconstpointer a, gconstpointer b)
{
  const DynoModule *left = *(DynoModule *const *)a;
  const DynoModule *right = *(DynoModule *const *)b;
  int order = compare_work (&left->all, &right->all);

  return order != 0 ? order : (left->first > right->first) - (left->first < right->first);
}

static int
compare_providers (gconstpointer a, gconstpointer b)
{
  return compare_work (&(*(DynoModuleProvider *const *)a)->work, &(*(DynoModuleProvider *const *)b)->work);
}

static int
compare_operators (gconstpointer a, gconstpointer b)
{
  gint64 left = dyno_operator_get_time_ns (*(DynoOperator *const *)a);
  gint64 right = dyno_operator_get_time_ns (*(DynoOperator *const *)b);

  return (left < right) - (left > right);
}

static void
sort (DynoModule *self)
{
  g_ptr_array_sort (self->modules, compare_modules);
  g_ptr_array_sort (self->operators, compare_operators);
  g_ptr_array_sort (self->providers, compare_providers);
  for (guint i = 0; i < self->modules->len; i++)
    sort (self->modules->pdata[i]);
}

/**
 * dyno_module_new:
 * @result: a result
 *
 * Groups its operators by module: the part of their names before the last separator, such as
 * `encoder.layer.0.attention` of `/encoder/layer.0/attention/MatMul_3` or `encoder.layer.0.attention.MatMul_3`. Names
 * without a path, such as those that engines make up, form one module without a name, with a part for each type.
 *
 * Returns: (transfer full): the whole model; without parts if the result has no operators
 */
DynoModule *
dyno_module_new (DynoResult *result)
{
  g_autoptr (GHashTable) by_path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  DynoModule *root = create (NULL, NULL, NULL);
  GPtrArray *operators;

  g_return_val_if_fail (DYNO_IS_RESULT (result), root);

  operators = dyno_result_get_operators (result);
  for (guint i = 0; i < operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (operators, i);
      DynoModule *home = find_home (by_path, root, op);

      g_ptr_array_add (home->operators, g_object_ref (op));
      for (DynoModule *module = home; module != NULL; module = module->parent)
        count (module, op, i);
    }
  merge_chains (root);
  sort (root);
  return root;
}

void
dyno_module_free (DynoModule *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->modules);
  g_ptr_array_unref (self->operators);
  g_ptr_array_unref (self->providers);
  g_free (self->name);
  g_free (self->path);
  g_free (self);
}

char *
dyno_module_dup_label (const DynoModule *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->parent == NULL)
    return g_strdup (_ ("Whole model"));
  if (self->name == NULL)
    return g_strdup (_ ("No module"));
  return g_strdup (self->is_type ? self->name : self->path);
}

char *
dyno_module_dup_stem (const DynoModule *self)
{
  g_autofree char *label = dyno_module_dup_label (self);
  g_auto (GStrv) words = g_strsplit (label, ".", -1);

  for (guint i = 1; words[i] != NULL; i++)
    if (*words[i] != '\0' && strspn (words[i], "0123456789") == strlen (words[i]))
      {
        g_free (words[i]);
        words[i] = g_strdup ("*");
      }
  return g_strjoinv (".", words);
}

double
dyno_module_get_share (const DynoModule *self)
{
  const DynoModule *root = self;

  g_return_val_if_fail (self != NULL, NAN);

  while (root->parent != NULL)
    root = root->parent;
  if (root->n_untimed > 0 || root->all.time_ns <= 0)
    return NAN;
  return (double)self->all.time_ns / (double)root->all.time_ns;
}

/* --- blocks --- */

/* A module is not cut if its own operators take a tenth of its time or more: the parts would leave them
 * out. */
static gboolean
is_cut (const DynoModule *self, guint n_blocks)
{
  g_autofree char *stem = dyno_module_dup_stem (self);
  double own_ns = (double)self->all.time_ns, sum = 0;
  guint n = 0;

  if (self->modules->len < 2 || n_blocks + self->modules->len > MAX_BLOCKS)
    return FALSE;
  /* Repeated blocks are cut alike, so their mean decides. */
  for (guint i = 0; i < self->parent->modules->len; i++)
    {
      const DynoModule *sibling = self->parent->modules->pdata[i];
      g_autofree char *other = dyno_module_dup_stem (sibling);

      if (!g_str_equal (stem, other))
        continue;
      sum += dyno_module_get_share (sibling);
      n++;
    }
  if (!(sum / n > BLOCK_SHARE))
    return FALSE;
  for (guint i = 0; i < self->modules->len; i++)
    own_ns -= (double)((DynoModule *)self->modules->pdata[i])->all.time_ns;
  return own_ns < BLOCK_SHARE * (double)self->all.time_ns;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const DynoModule *left = *(DynoModule *const *)a;
  const DynoModule *right = *(DynoModule *const *)b;

  return (left->first > right->first) - (left->first < right->first);
}

GPtrArray *
dyno_module_list_blocks (DynoModule *self)
{
  GPtrArray *blocks;

  g_return_val_if_fail (self != NULL, NULL);

  blocks = g_ptr_array_new ();
  g_ptr_array_extend (blocks, self->modules, NULL, NULL);
  for (guint i = 0; i < blocks->len; i++)
    while (is_cut (blocks->pdata[i], blocks->len))
      {
        DynoModule *module = blocks->pdata[i];

        blocks->pdata[i] = module->modules->pdata[0];
        for (guint j = 1; j < module->modules->len; j++)
          g_ptr_array_add (blocks, module->modules->pdata[j]);
      }
  g_ptr_array_sort (blocks, compare_places);
  return blocks;
}
