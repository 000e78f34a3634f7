/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-session.h"

G_BEGIN_DECLS

#define STUB_TYPE_SESSION (stub_session_get_type ())

/* An engine that computes nothing and records calls. */
G_DECLARE_FINAL_TYPE (StubSession, stub_session, STUB, SESSION, DynoSession)

DynoSession *stub_session_new (void);
void stub_session_fail_at (StubSession *self, guint run);
void stub_session_take_output (StubSession *self, DynoTensor *tensor);
void stub_session_set_requests (StubSession *self, guint n_requests);

guint stub_session_get_n_slots (StubSession *self);
GPtrArray *stub_session_get_inputs (StubSession *self, guint slot);
const char *const *stub_session_get_calls (StubSession *self);
void stub_session_forget_calls (StubSession *self);

G_END_DECLS
