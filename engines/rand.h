/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offsets for split_offset=random. fio's own generators cost several times
 * what a request may; this is splitmix64 (Steele, Lea, Flood 2014), whose
 * state is one word and any seed of which is good.
 */
#ifndef FIO_IOU_RAND_H
#define FIO_IOU_RAND_H

#include <stdint.h>

static inline uint64_t rand_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* 0..n-1, without a division. */
static inline uint64_t rand_below(uint64_t *state, uint64_t n)
{
	return (unsigned __int128)rand_next(state) * n >> 64;
}

#endif
