/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <locale.h>

G_BEGIN_DECLS

/**
 * DynoReportLocale:
 *
 * Numbers as files have them, on this thread, for as long as a variable of this type lives: a report is a file, so those in
 * its sentences and charts, too, do not depend on whose locale it was written in.
 */
typedef locale_t DynoReportLocale;

/* Returns the locale of this thread as it was, for dyno_report_locale_end(). The caller owns it. */
DynoReportLocale dyno_report_locale_begin (void);
void dyno_report_locale_end (DynoReportLocale before);

G_DEFINE_AUTO_CLEANUP_FREE_FUNC (DynoReportLocale, dyno_report_locale_end, NULL)

G_END_DECLS
