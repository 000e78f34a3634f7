/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-history.h"

G_BEGIN_DECLS

/* What the lists of a history say of a run. */

/* Returns the title of the run, or what stands for one. */
char *dyno_history_words_dup_title (const DynoHistoryPoint *point);
/* Returns the title of the run and when it began. */
char *dyno_history_words_dup_name (const DynoHistoryPoint *point);
/* Returns when the run began, how far its processes are apart, and whether they became steady. */
char *dyno_history_words_dup_details (const DynoHistoryPoint *point);

G_END_DECLS
