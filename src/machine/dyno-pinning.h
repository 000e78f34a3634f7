/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Binds the calling thread, and with it all that it starts later, to as many hardware threads as will
 * work, all within what the container and the affinity allowed when this was first called; with `numa:N`
 * its memory, too. Where fewer are allowed than asked for, all of those. The threads share the set; which
 * of them runs where is left to the kernel and the runtime. Call it before the runtime starts its threads,
 * on the thread that starts it; the process's other threads stay free, so that what they do need not
 * disturb the work. Returns whether the thread is bound; if not, it is where it was. @policy: where to, as
 * dyno_pinning_policy_parse() reads it; empty or NULL for one hardware thread of each core, then the
 * second ones. @threads: how many threads will work, 0 for one per core. Fails with
 * DYNO_ERROR_INVALID_ARGUMENT for a policy there is not, DYNO_ERROR_UNSUPPORTED when it makes no sense on
 * this machine or the kernel does not let us. */
gboolean dyno_pinning_bind (const char *policy, guint threads, GError **error);
/* Binds the calling thread, and with it all that it starts later, to those hardware threads on which none
 * of the processes may run; the sampler is left no others. Where they may run on all of them, everything
 * stays as it was. Returns whether the thread is apart from them. */
gboolean dyno_pinning_avoid (const GPid *pids, guint n_pids);
/* Lets the calling thread, and all that it starts later, run and have memory wherever it was allowed to
 * before dyno_pinning_bind(). dyno_pinning_describe() still describes the binding of the work. Returns
 * whether the thread is free. Fails with DYNO_ERROR_UNSUPPORTED when the kernel does not let us. */
gboolean dyno_pinning_release (GError **error);
/* Reads the topology, which takes some milliseconds; changes nothing, and may be called from any thread.
 * Returns whether the policy means something here, for this process as it is bound now. @policy may be
 * NULL. Fails as dyno_pinning_bind() does. */
gboolean dyno_pinning_check (const char *policy, GError **error);
/* What there is to choose from on this machine; `cpus:LIST` comes beside it. Reads the topology, which
 * takes some milliseconds; may be called from any thread. Returns names for dyno_pinning_bind(), the first
 * of them empty. */
char **dyno_pinning_list_policies (void);
/* Returns what people call it; the name itself where it is none of Dyno's. @policy may be NULL. */
char *dyno_pinning_dup_label (const char *policy);

/* Binds the calling thread to one hardware thread that dyno_pinning_bind() left alone, on a core of its
 * own where there is one. Where the work has them all, the thread may run on any of them. Returns whether
 * the thread is bound. Fails with DYNO_ERROR_UNSUPPORTED when the kernel does not let us. */
gboolean dyno_pinning_bind_sampler (GError **error);
char *dyno_pinning_describe (void);

G_END_DECLS
