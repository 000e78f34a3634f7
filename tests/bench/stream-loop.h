/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The loops of STREAM in plain C on memory that is already allocated; the compiler may optimise them. */
void stream_loop_copy (double *restrict a, const double *restrict b, const double *restrict c, gsize n);
void stream_loop_triad (double *restrict a, const double *restrict b, const double *restrict c, gsize n);

G_END_DECLS
