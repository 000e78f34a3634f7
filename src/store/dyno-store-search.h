/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Keeps the rows of `runs` whose text holds every word of the JSON array that is bound to ?1. */
#define DYNO_STORE_SEARCH_CONDITION                                                                          \
  "NOT EXISTS (SELECT 1 FROM json_each (?1) WHERE instr (search, json_each.value) = 0)"

char *dyno_store_search_fold (const char *text);
char *dyno_store_search_dup_words (const char *search);

G_END_DECLS
