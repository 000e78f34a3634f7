/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-history.h"

G_BEGIN_DECLS

/* Words about a run in the lists of a history. */

/* Returns the title of the run, or a substitute. */
char *dyno_history_words_dup_title (const DynoHistoryPoint *point);
/* Returns the title of the run and when it began. */
char *dyno_history_words_dup_name (const DynoHistoryPoint *point);
/* Returns when the run began, how much its processes differ, and whether they became steady. */
char *dyno_history_words_dup_details (const DynoHistoryPoint *point);

G_END_DECLS
