/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A library that has the first function of OpenVINO's C interface, and no other. */
const char *ov_get_last_err_msg (void);

const char *
ov_get_last_err_msg (void) /* nocheck:prefix the name is OpenVINO's */
{
  return "";
}
