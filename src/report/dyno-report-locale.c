/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-report-locale.h"

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
