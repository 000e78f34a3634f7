/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli-private.h"
#include "dyno-module.h"
#include "dyno-unit.h"

/* Limits the tree to fit a terminal: the longest parts of each module, and the parts of the longest ones. */
#define MAX_PARTS 6
#define MAX_DEPTH 3
#define MAX_ROWS  24
#define MIN_SHARE 0.02

typedef struct
{
  DynoReportTable *table;
  guint n_rows;
  gboolean has_providers;
} Tree;

/* Returns the sum; a lower bound if some operators do not report it, a dash if none does. */
static char *
format_sum (double sum, guint n_unknown, guint n_operators, const char *unit)
{
  g_autofree char *text = dyno_cli_format_quantity (sum, unit);

  if (n_unknown == n_operators)
    return g_strdup ("—");
  return n_unknown > 0 ? g_strdup_printf ("≥\u00a0%s", text) : g_steal_pointer (&text);
}

static char *
format_providers (const DynoModule *module)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < module->providers->len; i++)
    {
      const DynoModuleProvider *provider = module->providers->pdata[i];
      g_autofree char *percent =
          dyno_unit_format_percent (100.0 * (double)provider->work.time_ns / (double)module->all.time_ns);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              provider->label != NULL ? provider->label : "—");
      if (module->providers->len > 1 && module->n_untimed == 0 && module->all.time_ns > 0)
        g_string_append_printf (text, " %s\u00a0%%", percent);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_parts (Tree *self, const DynoModule *module, guint depth)
{
  GPtrArray *parts = module->modules;
  guint n_shown = 0;

  while (n_shown < MIN (parts->len, MAX_PARTS) && self->n_rows < MAX_ROWS &&
         !(dyno_module_get_share (parts->pdata[n_shown]) < MIN_SHARE))
    {
      const DynoModule *part = parts->pdata[n_shown++];
      const DynoModuleWork *all = &part->all;
      g_autofree char *label =
          part->path != NULL && depth > 0 ? g_strdup (part->name) : dyno_module_dup_label (part);
      double share = dyno_module_get_share (part);
      g_autofree char *percent = isfinite (share) ? dyno_unit_format_percent (100 * share) : NULL;

      dyno_report_table_take_row (
          self->table, g_strdup_printf ("%*s%s", (int)(2 * depth), "", label),
          percent != NULL ? g_strdup_printf ("%s\u00a0%%", percent) : g_strdup ("—"),
          format_sum ((double)all->time_ns * 1e-6, part->n_untimed, all->n_operators, "ms"),
          dyno_cli_format_count (all->n_operators), dyno_cli_format_count (all->calls),
          format_sum (all->flops, part->n_without_flops, all->n_operators, "FLOP"),
          format_sum (all->bytes, part->n_without_bytes, all->n_operators, "B"),
          part->counted.time_ns > 0 && part->counted.flops > 0
              ? dyno_cli_format_quantity (1e9 * part->counted.flops / (double)part->counted.time_ns, "FLOP/s")
              : g_strdup ("—"),
          self->has_providers ? format_providers (part) : g_strdup (""), NULL);
      self->n_rows++;

      if (depth + 1 < MAX_DEPTH)
        add_parts (self, part, depth + 1);
    }
  if (n_shown > 0 && n_shown < parts->len)
    {
      g_autofree char *more = g_strdup_printf (
          ngettext ("%u more module", "%u more modules", parts->len - n_shown), parts->len - n_shown);

      dyno_report_table_take_row (self->table, g_strdup_printf ("%*s%s", (int)(2 * depth), "", more),
                                  g_strdup (""), g_strdup (""), g_strdup (""), g_strdup (""), g_strdup (""),
                                  g_strdup (""), g_strdup (""), g_strdup (""), NULL);
    }
}

void
dyno_cli_modules_add (DynoReportDocument *document, DynoResult *result)
{
  g_autoptr (DynoModule) root = dyno_module_new (result);
  DynoReportTable *table = dyno_report_table_new (
      "lr1rr5r6r4r3r2l7", _ ("Module"), _ ("Share of the time"), _ ("Total time"), _ ("Operators"),
      _ ("Calls"), _ ("Total FLOPs"), _ ("Total bytes"), _ ("Compute"), _ ("Provider"), NULL);
  Tree self = { .table = table, .has_providers = root->providers->len > 1 };

  add_parts (&self, root, 0);
  dyno_report_document_take_table (document, table);
}
