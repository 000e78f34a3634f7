/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_FINDINGS_CARD (dyno_findings_card_get_type ())

/**
 * DynoFindingsCard:
 *
 * A run in a few sentences, and what speaks against its numbers, with a button that puts it right. Property `narrow`
 * (boolean): whether the buttons stand below the sentences.
 */
G_DECLARE_FINAL_TYPE (DynoFindingsCard, dyno_findings_card, DYNO, FINDINGS_CARD, AdwBin)

/* @repeatable: whether its cases can be measured again: it is in the store, and was measured by a plan. */
void dyno_findings_card_set_run (DynoFindingsCard *self, DynoRun *run, gboolean repeatable);

G_END_DECLS
