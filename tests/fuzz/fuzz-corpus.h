/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a target of libFuzzer defines. Under `./dev fuzz` the inputs are made up from the corpus; as an ordinary test they
 * are the corpus, and what becomes of it when it is cut off, when bytes are swapped for others, or when a part comes
 * twice. */
int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

G_END_DECLS
