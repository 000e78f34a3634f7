/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <locale.h>

G_BEGIN_DECLS

/**
 * DynoReportLocale:
 *
 * Switches this thread to the number format of files for the lifetime of a variable of this type: a report is
 * a file, so even the numbers in its sentences and charts do not depend on the locale of its writer.
 */
typedef locale_t DynoReportLocale;

/* Returns the previous locale of this thread, for dyno_report_locale_end(). The caller owns it. */
DynoReportLocale dyno_report_locale_begin (void);
void dyno_report_locale_end (DynoReportLocale before);

G_DEFINE_AUTO_CLEANUP_FREE_FUNC (DynoReportLocale, dyno_report_locale_end, NULL)

G_END_DECLS
