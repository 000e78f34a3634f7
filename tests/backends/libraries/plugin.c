/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in of ONNX Runtime whose provider accepts no operators, so the processor computes everything. */
#include "dyno-ort-api.h"

#define VERSION 23

OrtStatus *CreateEpFactories (const char *registration_name,
                              const OrtApiBase *base,
                              const OrtLogger *logger,
                              OrtEpFactory **factories,
                              size_t max_factories,
                              size_t *n_factories);
OrtStatus *ReleaseEpFactory (OrtEpFactory *factory);

static const OrtApi *api;

static const char *
get_factory_name (const OrtEpFactory *factory)
{
  return "AbacusExecutionProvider";
}

static const char *
get_name (const OrtEp *provider)
{
  return "AbacusExecutionProvider";
}

static const char *
get_vendor (const OrtEpFactory *factory)
{
  return "Babbage";
}

static uint32_t
get_vendor_id (const OrtEpFactory *factory)
{
  return 0x1791;
}

static const char *
get_version (const OrtEpFactory *factory)
{
  return "1.0.0";
}

/* Two devices on the processor, since there is nothing else. */
static OrtStatus *
get_devices (OrtEpFactory *factory,
             const OrtHardwareDevice *const *hardware,
             size_t n_hardware,
             OrtEpDevice **devices,
             size_t max_devices,
             size_t *n_devices)
{
  OrtStatus *status = NULL;

  *n_devices = 0;
  for (size_t i = 0; status == NULL && i < n_hardware; i++)
    if (api->HardwareDevice_Type (hardware[i]) == OrtHardwareDeviceType_CPU)
      while (status == NULL && *n_devices < 2 && *n_devices < max_devices)
        status =
            api->GetEpApi ()->CreateEpDevice (factory, hardware[i], NULL, NULL, &devices[(*n_devices)++]);
  return status;
}

static OrtStatus *
take_nothing (OrtEp *provider, const OrtGraph *graph, OrtEpGraphSupportInfo *support)
{
  return NULL;
}

static OrtStatus *
create_provider (OrtEpFactory *factory,
                 const OrtHardwareDevice *const *devices,
                 const OrtKeyValuePairs *const *metadata,
                 size_t n_devices,
                 const OrtSessionOptions *options,
                 const OrtLogger *logger,
                 OrtEp **provider)
{
  static OrtEp the_provider = { .ort_version_supported = VERSION,
                                .GetName = get_name,
                                .GetCapability = take_nothing };

  *provider = &the_provider;
  return NULL;
}

static void
release_provider (OrtEpFactory *factory, OrtEp *provider)
{
}

static OrtStatus *
create_transfer (OrtEpFactory *factory, OrtDataTransferImpl **transfer)
{
  *transfer = NULL;
  return NULL;
}

static bool
is_stream_aware (const OrtEpFactory *factory)
{
  return false;
}

OrtStatus *
CreateEpFactories (const char *registration_name,
                   const OrtApiBase *base,
                   const OrtLogger *logger,
                   OrtEpFactory **factories,
                   size_t max_factories,
                   size_t *n_factories)
{
  static OrtEpFactory factory = {
    .ort_version_supported = VERSION,
    .GetName = get_factory_name,
    .GetVendor = get_vendor,
    .GetSupportedDevices = get_devices,
    .CreateEp = create_provider,
    .ReleaseEp = release_provider,
    .GetVendorId = get_vendor_id,
    .GetVersion = get_version,
    .CreateDataTransfer = create_transfer,
    .IsStreamAware = is_stream_aware,
  };

  api = base->GetApi (VERSION);
  factories[0] = &factory;
  *n_factories = 1;
  return NULL;
}

OrtStatus *
ReleaseEpFactory (OrtEpFactory *factory)
{
  return NULL;
}
