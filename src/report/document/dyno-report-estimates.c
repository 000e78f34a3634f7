/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"
#include "dyno-report-document-private.h"
#include "dyno-result.h"
#include "dyno-similar-text.h"

/* Values of one quality that come from the same source. */
typedef struct
{
  DynoQuality quality;
  char *source;
  GPtrArray *titles;
  GPtrArray *labels;
} Group;

static void
group_free (gpointer data)
{
  Group *group = data;

  g_free (group->source);
  g_ptr_array_unref (group->titles);
  g_ptr_array_unref (group->labels);
  g_free (group);
}

/* Groups the values of a case by quality and source. */
static GPtrArray *
group_values (DynoResult *result)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = values->pdata[i];
      DynoQuality quality = dyno_value_get_quality (value);
      const char *source = dyno_value_get_source (value);
      const char *reason = source != NULL && *source != '\0' ? source : _ ("No reason was given.");
      Group *group = NULL;

      if (quality == DYNO_QUALITY_MEASURED || quality == DYNO_QUALITY_UNSUPPORTED)
        continue;
      for (guint k = 0; k < groups->len && group == NULL; k++)
        {
          Group *known = groups->pdata[k];

          if (known->quality == quality && g_str_equal (known->source, reason))
            group = known;
        }
      if (group == NULL)
        {
          group = g_new (Group, 1);
          *group = (Group){ quality, g_strdup (reason), g_ptr_array_new_null_terminated (0, g_free, TRUE),
                            g_ptr_array_new_with_free_func (g_free) };
          g_ptr_array_add (groups, group);
        }
      g_ptr_array_add (group->titles, dyno_metric_title_dup (dyno_value_get_name (value)));
    }
  return groups;
}

static void
put (DynoReportDocument *document,
     GPtrArray *groups,
     GListModel *results,
     gboolean is_imported,
     const char *heading)
{
  g_autoptr (DynoReportNotes) notes = dyno_report_notes_new ();

  dyno_report_notes_begin_results (notes, NULL, results);
  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = groups->pdata[i];
      g_autofree char *titles = g_strjoinv (", ", (char **)group->titles->pdata);
      g_autofree char *lead =
          group->quality == DYNO_QUALITY_UNSTEADY   ? g_strdup_printf (_ ("~ %s (unsteady):"), titles)
          : group->quality == DYNO_QUALITY_IMPORTED ? g_strdup_printf (_ ("← %s (imported):"), titles)
                                                    : g_strdup_printf (_ ("≈ %s (estimated):"), titles);

      for (guint k = 0; k < group->labels->len; k++)
        if ((group->quality == DYNO_QUALITY_IMPORTED) == is_imported)
          dyno_report_notes_add (notes, lead, group->source, group->labels->pdata[k]);
    }
  dyno_report_notes_put (notes, document, 2, heading);
}

void
dyno_report_estimates_add (DynoReportDocument *document, GListModel *results)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autoptr (GPtrArray) own = group_values (result);

      /* Cases with the same values from the same source are merged into one group. */
      while (own->len > 0)
        {
          Group *group = g_ptr_array_steal_index (own, 0);
          g_autofree char *common = dyno_similar_text_dup_key (group->source);
          g_autofree char *titles = g_strjoinv ("\n", (char **)group->titles->pdata);
          g_autofree char *key = g_strdup_printf ("%d\n%s\n%s", group->quality, common, titles);
          Group *known = g_hash_table_lookup (index, key);

          if (known != NULL)
            {
              g_autofree char *before = known->source;

              known->source = dyno_similar_text_merge (before, group->source);
              group_free (group);
            }
          else
            {
              known = group;
              g_ptr_array_add (groups, group);
              g_hash_table_insert (index, g_steal_pointer (&key), group);
            }
          g_ptr_array_add (known->labels, dyno_case_dup_label (dyno_result_get_case (result)));
        }
    }
  put (document, groups, results, TRUE, _ ("Sources of imported values"));
  put (document, groups, results, FALSE, _ ("Estimates"));
}

void
dyno_report_costs_add (DynoReportDocument *document, GListModel *results, const DynoPrice *price)
{
  DynoReportTable *table = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      char *cost = dyno_price_dup_cost (price, result);

      if (cost == NULL)
        continue;
      if (table == NULL)
        table = dyno_report_table_new ("prl", _ ("Case"), _ ("Estimated cost"), _ ("From"), NULL);
      dyno_report_table_take_row (table, dyno_case_dup_label (dyno_result_get_case (result)), cost,
                                  dyno_price_dup_source (price, result), NULL);
    }
  if (table == NULL)
    return;
  dyno_report_document_add_heading (document, 2, _ ("Cost"));
  dyno_report_document_take_table (document, table);
}
