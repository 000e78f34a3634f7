/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-error.h"
#include "stub-session.h"

struct _StubSession
{
  DynoSession parent_instance;

  GPtrArray *slots;   /* of GPtrArray of DynoTensor, as last set */
  GPtrArray *calls;   /* of char *, NULL at the end */
  GPtrArray *outputs; /* with several requests, those of each in turn */
  guint n_requests;
  guint n_runs;
  guint failing_run;
};

G_DEFINE_FINAL_TYPE (StubSession, stub_session, DYNO_TYPE_SESSION)

static void
stub_session_finalize (GObject *object)
{
  StubSession *self = STUB_SESSION (object);

  g_ptr_array_unref (self->slots);
  g_ptr_array_unref (self->calls);
  g_ptr_array_unref (self->outputs);

  G_OBJECT_CLASS (stub_session_parent_class)->finalize (object);
}

static void
write_down (StubSession *self, char *call)
{
  self->calls->pdata[self->calls->len - 1] = call;
  g_ptr_array_add (self->calls, NULL);
}

static char *
describe (GPtrArray *tensors)
{
  g_autoptr (GString) text = g_string_new ("set");

  for (guint i = 0; i < tensors->len; i++)
    {
      const DynoShape *shape = dyno_tensor_get_shape (tensors->pdata[i]);

      g_string_append_printf (text, " %s", dyno_tensor_get_name (tensors->pdata[i]));
      for (guint axis = 0; axis < shape->rank; axis++)
        g_string_append_printf (text, "%c%" G_GINT64_FORMAT, axis == 0 ? ':' : 'x', shape->dims[axis]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
stub_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  StubSession *self = STUB_SESSION (session);

  g_assert_cmpuint (slot, <=, self->slots->len);
  write_down (self, describe (tensors));
  if (slot == self->slots->len)
    g_ptr_array_set_size (self->slots, slot + 1);
  g_clear_pointer (&self->slots->pdata[slot], g_ptr_array_unref);
  self->slots->pdata[slot] = g_ptr_array_ref (tensors);
  return TRUE;
}

static gboolean
stub_session_run (DynoSession *session, GError **error)
{
  StubSession *self = (StubSession *)session;

  if (++self->n_runs == self->failing_run)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, "Run %u was to fail.", self->n_runs);
      return FALSE;
    }
  write_down (self, g_strdup ("run"));
  return TRUE;
}

static GPtrArray *
stub_session_get_outputs (DynoSession *session, GError **error)
{
  return g_ptr_array_ref (STUB_SESSION (session)->outputs);
}

static guint
stub_session_get_requests (DynoSession *session)
{
  return STUB_SESSION (session)->n_requests;
}

static GPtrArray *
stub_session_get_request_outputs (DynoSession *session, guint request, GError **error)
{
  StubSession *self = STUB_SESSION (session);
  GPtrArray *outputs;

  if (self->n_requests == 1)
    return g_ptr_array_ref (self->outputs);
  outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_ptr_array_add (outputs, dyno_tensor_ref (self->outputs->pdata[request]));
  return outputs;
}

static gboolean
stub_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  write_down (STUB_SESSION (session), g_strdup_printf ("carry %s to %s", output, input));
  return TRUE;
}

static void
stub_session_class_init (StubSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stub_session_finalize;

  session_class->set_inputs = stub_session_set_inputs;
  session_class->run = stub_session_run;
  session_class->get_outputs = stub_session_get_outputs;
  session_class->carry = stub_session_carry;
  session_class->get_requests = stub_session_get_requests;
  session_class->get_request_outputs = stub_session_get_request_outputs;
}

static void
free_inputs (gpointer tensors)
{
  g_clear_pointer ((GPtrArray **)&tensors, g_ptr_array_unref);
}

static void
stub_session_init (StubSession *self)
{
  self->slots = g_ptr_array_new_with_free_func (free_inputs);
  self->outputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  self->calls = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->calls, NULL);
  self->n_requests = 1;
}

DynoSession *
stub_session_new (void)
{
  return g_object_new (STUB_TYPE_SESSION, NULL);
}

void
stub_session_fail_at (StubSession *self, guint run)
{
  self->failing_run = run;
}

void
stub_session_take_output (StubSession *self, DynoTensor *tensor)
{
  g_ptr_array_add (self->outputs, tensor);
}

void
stub_session_set_requests (StubSession *self, guint n_requests)
{
  self->n_requests = n_requests;
}

guint
stub_session_get_n_slots (StubSession *self)
{
  return self->slots->len;
}

GPtrArray *
stub_session_get_inputs (StubSession *self, guint slot)
{
  g_assert_cmpuint (slot, <, self->slots->len);
  return self->slots->pdata[slot];
}

const char *const *
stub_session_get_calls (StubSession *self)
{
  return (const char *const *)self->calls->pdata;
}

void
stub_session_forget_calls (StubSession *self)
{
  g_ptr_array_set_size (self->calls, 0);
  g_ptr_array_add (self->calls, NULL);
}
