/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-history.h"

G_BEGIN_DECLS

/* What the lists of a history say of a run. */

char *dyno_history_words_dup_title (const DynoHistoryPoint *point);
char *dyno_history_words_dup_name (const DynoHistoryPoint *point);
char *dyno_history_words_dup_details (const DynoHistoryPoint *point);

G_END_DECLS
