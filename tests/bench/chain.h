/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/* Models of equal matrix products one after another, so small that it hardly matters where the memory of a process lies. */

/* Writes the chain of @n_links products into @folder. */
void chain_write (const char *folder, guint n_links);
/* Returns a case of that chain on the CPU, which measures no energy. */
DynoCase *chain_case_new (const char *folder, guint n_links, guint n_threads);

G_END_DECLS
