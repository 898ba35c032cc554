/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_PROOF_H
#define FIO_IOU_PROOF_H

#include "record.h"

/*
 * Did the run take the path its engine is named for? 0, or -EPROTO and in
 * @err what speaks against it. A path that needs a proof and has none was not
 * proven.
 */
int proof_check(const struct run *run, struct err *err);

#endif
