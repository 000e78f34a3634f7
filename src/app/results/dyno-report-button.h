/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-report-subject.h"

G_BEGIN_DECLS

#define DYNO_TYPE_REPORT_BUTTON (dyno_report_button_get_type ())

/**
 * DynoReportButton:
 *
 * A menu to save, print and copy the report. Insensitive without a subject.
 */
G_DECLARE_FINAL_TYPE (DynoReportButton, dyno_report_button, DYNO, REPORT_BUTTON, AdwBin)

/* Takes @subject. @subject may be NULL. */
void dyno_report_button_take_subject (DynoReportButton *self, DynoReportSubject *subject);

G_END_DECLS
