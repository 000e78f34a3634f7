/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the id in the address of a model's page, such as `owner/name` in
 * `https://huggingface.co/owner/name/tree/main`; else @text without spaces around it, whether or not it is
 * an id. The caller owns it. */
char *dyno_hub_id_from_text (const char *text);

G_END_DECLS
