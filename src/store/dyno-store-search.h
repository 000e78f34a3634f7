/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Selects the rows of `runs` whose text contains every word of the JSON array bound to ?1. */
#define DYNO_STORE_SEARCH_CONDITION                                                                          \
  "NOT EXISTS (SELECT 1 FROM json_each (?1) WHERE instr (search, json_each.value) = 0)"

/* Returns the text normalised for case and Unicode form. The caller owns it. */
char *dyno_store_search_fold (const char *text);
/* Returns its words, folded, as the JSON array that DYNO_STORE_SEARCH_CONDITION takes; an empty one, which
 * every run matches, when there are none. @search may be NULL. */
char *dyno_store_search_dup_words (const char *search);

G_END_DECLS
