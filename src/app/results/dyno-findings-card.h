/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FINDINGS_CARD (dyno_findings_card_get_type ())

/**
 * DynoFindingsCard:
 *
 * Sums up a run in a few sentences and lists doubts about its numbers, with a button to fix each. Property
 * `narrow` (boolean): whether the buttons are below the sentences.
 */
G_DECLARE_FINAL_TYPE (DynoFindingsCard, dyno_findings_card, DYNO, FINDINGS_CARD, AdwBin)

/* @repeatable: whether its cases can be measured again: the run is in the store and has a plan. */
void dyno_findings_card_set_run (DynoFindingsCard *self, DynoRun *run, gboolean repeatable);

G_END_DECLS
