/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Binds the calling thread, and all threads that it starts later, to as many hardware threads as will work,
 * within the limits of the container and the affinity at the first call; with `numa:N` its memory, too. If
 * fewer are allowed than requested, uses all of those. The threads share the set; the kernel and the
 * runtime choose which of them runs where. Call it before the runtime starts its threads, on the thread
 * that starts it; the process's other threads stay free, so that they need not disturb the work. Returns
 * whether the thread is bound; if not, its affinity is unchanged. @policy: the placement, as
 * dyno_pinning_policy_parse() reads it; empty or NULL for one hardware thread of each core, then the second
 * ones. @threads: how many threads will work, 0 for one per core. Fails with DYNO_ERROR_INVALID_ARGUMENT
 * for an unknown policy, DYNO_ERROR_UNSUPPORTED if it makes no sense on this machine or the kernel forbids
 * it. */
gboolean dyno_pinning_bind (const char *policy, guint threads, GError **error);
/* Binds the calling thread, and all threads that it starts later, to the hardware threads on which none of
 * the processes may run; the sampler is limited to them, too. If the processes may run on all of them,
 * nothing changes. Returns whether the thread is apart from them. */
gboolean dyno_pinning_avoid (const GPid *pids, guint n_pids);
/* Resets the calling thread, and all threads that it starts later, to the processors and the memory allowed
 * before dyno_pinning_bind(). dyno_pinning_describe() still describes the binding of the work. Returns
 * whether the thread is free. Fails with DYNO_ERROR_UNSUPPORTED if the kernel forbids it. */
gboolean dyno_pinning_release (GError **error);
/* Returns whether the policy works here, for this process as it is bound now. Reads the topology, which
 * takes some milliseconds; changes nothing, and may be called from any thread. @policy may be NULL. Fails
 * as dyno_pinning_bind() does. */
gboolean dyno_pinning_check (const char *policy, GError **error);
/* Returns the policies of this machine as names for dyno_pinning_bind(), the first of them empty;
 * `cpus:LIST` is not listed. Reads the topology, which takes some milliseconds; may be called from any
 * thread. */
char **dyno_pinning_list_policies (void);
/* Returns its name for people; the name itself if it is not a policy of Dyno's. @policy may be NULL. */
char *dyno_pinning_dup_label (const char *policy);

/* Binds the calling thread to one hardware thread that dyno_pinning_bind() left free, on a core of its own
 * if there is one. If the work uses them all, the thread may run on any of them. Returns whether the thread
 * is bound. Fails with DYNO_ERROR_UNSUPPORTED if the kernel forbids it. */
gboolean dyno_pinning_bind_sampler (GError **error);
char *dyno_pinning_describe (void);

G_END_DECLS
