/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "null-server.h"

#define MAX_REQUEST 65536
#define HEAD                                                                                                 \
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"                     \
  "Connection: keep-alive\r\n\r\n"
#define TOKEN                                                                                                \
  "data: {\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"content\":\" word\"}}],"             \
  "\"created\":1767225600,\"id\":\"chatcmpl-null\",\"model\":\"null\",\"object\":\"chat.completion.chunk\"}" \
  "\n\n"
#define USAGE                                                                                                \
  "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":%u}}\n\ndata: [DONE]\n\n"

/* Whether all of it could be sent. */
static gboolean
send_text (int client, const char *text)
{
  size_t length = strlen (text);

  return send (client, text, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static gboolean
send_chunk (int client, const char *text)
{
  g_autofree char *chunk = g_strdup_printf ("%zx\r\n%s\r\n", strlen (text), text);

  return send_text (client, chunk);
}

static gboolean
answer (int client, guint n_tokens)
{
  g_autofree char *usage = g_strdup_printf (USAGE, n_tokens);
  gboolean is_sent = send_text (client, HEAD);

  for (guint i = 0; i < n_tokens && is_sent; i++)
    is_sent = send_chunk (client, TOKEN);
  return is_sent && send_chunk (client, usage) && send_text (client, "0\r\n\r\n");
}

/* Returns how many tokens are asked for, 0 where no more requests come. */
static guint
read_request (int client)
{
  char text[MAX_REQUEST + 1];
  size_t length = 0;

  while (length < MAX_REQUEST)
    {
      ssize_t n = recv (client, text + length, MAX_REQUEST - length, 0);
      const char *body, *size, *asked;

      if (n <= 0)
        return 0;
      length += (size_t)n;
      text[length] = '\0';
      body = strstr (text, "\r\n\r\n");
      size = strstr (text, "Content-Length: ");
      if (body == NULL || size == NULL ||
          text + length < body + 4 + atol (size + strlen ("Content-Length: ")))
        continue;
      asked = strstr (body, "\"max_tokens\":");
      return asked != NULL ? (guint)atol (asked + strlen ("\"max_tokens\":")) : 0;
    }
  return 0;
}

static void
serve (int client)
{
  int yes = 1;
  guint n_tokens;

  setsockopt (client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  while ((n_tokens = read_request (client)) > 0 && answer (client, n_tokens))
    ;
  close (client);
}

static int
listen_on_loopback (struct sockaddr_in *address)
{
  int listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof *address;

  *address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr = { .s_addr = htonl (INADDR_LOOPBACK) } };
  if (bind (listener, (struct sockaddr *)address, size) != 0 || listen (listener, 8) != 0 ||
      getsockname (listener, (struct sockaddr *)address, &size) != 0)
    g_error ("The null server cannot listen on the loopback interface.");
  return listener;
}

/* Call it before there are threads. Each connection has a process of its own. Returns the port. */
guint16
null_server_start (void)
{
  struct sockaddr_in address;
  int listener = listen_on_loopback (&address);
  int client;

  if (fork () == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      signal (SIGCHLD, SIG_IGN);
      while ((client = accept (listener, NULL, NULL)) >= 0)
        {
          if (fork () == 0)
            {
              prctl (PR_SET_PDEATHSIG, SIGKILL);
              serve (client);
              _exit (0);
            }
          close (client);
        }
      _exit (1);
    }
  close (listener);
  return ntohs (address.sin_port);
}
