/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sentences that differ only in their numbers are merged into one, with ranges. */

/* Returns a key that the sentence shares with those that differ only in their numbers. Digits that are part
 * of a word, such as “p99”, “fp32-avx512” or “1.30.0”, are not numbers. */
char *dyno_similar_text_dup_key (const char *text);
/* Returns both as one, with ranges such as “12 – 40” where their numbers differ. The caller owns it. */
char *dyno_similar_text_merge (const char *one, const char *other);

G_END_DECLS
