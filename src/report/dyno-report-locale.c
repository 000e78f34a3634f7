/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report-locale.h"

/**
 * dyno_report_locale_begin:
 *
 * Returns: (transfer full): the locale of this thread as it was, for [func@Dyno.report_locale_end]
 */
DynoReportLocale
dyno_report_locale_begin (void)
{
  locale_t before = uselocale ((locale_t)0);

  uselocale (newlocale (LC_NUMERIC_MASK, "C", duplocale (before)));
  return before;
}

void
dyno_report_locale_end (DynoReportLocale before)
{
  freelocale (uselocale (before));
}
