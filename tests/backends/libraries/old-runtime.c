/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A library that claims to be a very old ONNX Runtime. */
#include <stddef.h>
#include <stdint.h>

struct ApiBase
{
  const void *(*get_api) (uint32_t version);
  const char *(*get_version_string) (void);
};

const struct ApiBase *OrtGetApiBase (void);

static const void *
get_api (uint32_t version)
{
  return NULL;
}

static const char *
get_version_string (void)
{
  return VERSION_STRING;
}

const struct ApiBase *
OrtGetApiBase (void)
{
  static const struct ApiBase base = { get_api, get_version_string };

  return &base;
}
