/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A library with only the first function of OpenVINO's C API. */
const char *ov_get_last_err_msg (void);

const char *
ov_get_last_err_msg (void) /* nocheck:prefix the name is OpenVINO's */
{
  return "";
}
