/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-cases.h"
#include "dyno-report-private.h"
#include "dyno-report-quantity.h"
#include "dyno-unit.h"

/* Smaller numbers are hard to distinguish, and larger ones hard to read. */
#define LEAST 0.01
#define MOST  1000

void
dyno_report_quantity_choose_between (const char *unit,
                                     double least,
                                     double most,
                                     DynoReportQuantity *quantity)
{
  DynoUnit chosen;

  *quantity = (DynoReportQuantity){ 1, unit };
  if (least >= LEAST && least < MOST)
    return;
  dyno_unit_choose (unit, least >= MOST ? least : most, &chosen);
  *quantity = least * chosen.factor >= LEAST ? (DynoReportQuantity){ chosen.factor, chosen.name }
                                             : (DynoReportQuantity){ 1, NULL };
}

void
dyno_report_quantity_choose (GListModel *results, const char *metric, DynoReportQuantity *quantity)
{
  const char *common = NULL;
  gboolean is_mixed = FALSE;
  double least = INFINITY, most = 0; /* of the numbers that are not zero */

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoValue *value = dyno_result_get_value (result, metric);
      gboolean is_number = value != NULL && dyno_value_is_number (value);
      double size = is_number ? fabs (dyno_value_get_number (value)) : NAN;

      if (value == NULL || (common != NULL && !is_number))
        continue;
      is_mixed = is_mixed || (common != NULL && !g_str_equal (common, dyno_value_get_unit (value)));
      common = dyno_value_get_unit (value);
      if (size > 0)
        {
          least = fmin (least, size);
          most = fmax (most, size);
        }
    }

  if (is_mixed)
    *quantity = (DynoReportQuantity){ 1, NULL };
  else
    dyno_report_quantity_choose_between (dyno_item_unit_find_common (results, common != NULL ? common : ""),
                                         least, most, quantity);
}

char *
dyno_report_quantity_dup_title (const DynoReportQuantity *self, const char *title)
{
  return self->unit != NULL && *self->unit != '\0' ? g_strdup_printf ("%s (%s)", title, self->unit)
                                                   : g_strdup (title);
}

/* Values without a unit and a fraction are counts. */
static char *
format_number (double number, const char *unit)
{
  return *unit == '\0' && number == round (number) ? dyno_report_text_format_exact (number)
                                                   : dyno_report_text_format_number (number);
}

static char *
format_with_unit (double number, const char *unit)
{
  DynoUnit chosen;
  g_autofree char *digits = NULL;

  dyno_unit_choose (unit, number, &chosen);
  digits = format_number (number * chosen.factor, chosen.name);
  return *chosen.name != '\0' ? g_strdup_printf ("%s\u00a0%s", digits, chosen.name)
                              : g_steal_pointer (&digits);
}

char *
dyno_report_quantity_format (const DynoReportQuantity *self, double number, const char *unit)
{
  return self->unit != NULL ? format_number (number * self->factor, unit) : format_with_unit (number, unit);
}

char *
dyno_report_quantity_format_value (DynoValue *value)
{
  return format_with_unit (dyno_value_get_number (value), dyno_value_get_unit (value));
}
