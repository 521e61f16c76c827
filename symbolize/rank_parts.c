/* SPDX-License-Identifier: MIT */
/* Ranking on several threads. */

#include "symbolize/rank_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* To pass over the symbols of a large file takes as long as to rank them for so many addresses. */
#define ADDRESSES_LEAST 16384

struct job {
	struct rank *rank;
	rank_walk *walk;
	void *data;
	int result;
};

int rank_parts_init(struct rank_parts *parts, const uint64_t *addresses, size_t count)
{
	const size_t shares = worker_shares(count, ADDRESSES_LEAST);

	parts->count = 0;
	for (size_t i = 0; i < shares; i++) {
		const size_t start = count * i / shares, end = count * (i + 1) / shares;

		if (rank_init(&parts->parts[i], addresses + start, end - start) < 0) {
			rank_parts_done(parts);
			return -ENOMEM;
		}
		parts->count++;
	}
	return 0;
}

void rank_parts_done(struct rank_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		rank_done(&parts->parts[i]);
	parts->count = 0;
}

size_t rank_parts_unanswered(const struct rank_parts *parts)
{
	size_t unanswered = 0;

	for (size_t i = 0; i < parts->count; i++)
		unanswered += parts->parts[i].unanswered;
	return unanswered;
}

static void *run(void *data)
{
	struct job *job = data;

	job->result = job->walk(job->data, rank_offer, job->rank);
	if (job->result == 0)
		rank_settle(job->rank);
	return NULL;
}

int rank_parts_offer(struct rank_parts *parts, rank_walk *walk, void *data)
{
	struct job jobs[WORKERS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++)
		if (parts->parts[i].unanswered)
			jobs[count++] = (struct job){&parts->parts[i], walk, data, 0};
	worker_run_all(run, jobs, sizeof(*jobs), count);
	for (size_t i = 0; i < count; i++)
		if (jobs[i].result < 0)
			return jobs[i].result;
	return 0;
}

/* Moves the answers of @part behind those that @rank has, where there is room. */
static void append(struct rank *rank, struct rank *part)
{
	const uint32_t before = (uint32_t)rank->symbol_count;

	for (size_t i = 0; i < part->count; i++)
		rank->answers[rank->count + i] = part->answers[i] ? before + part->answers[i] : 0;
	if (part->symbol_count)
		memcpy(rank->symbols + before, part->symbols,
		       part->symbol_count * sizeof(*part->symbols));
	rank->symbol_count += part->symbol_count;
	rank->count += part->count;
	rank->unanswered += part->unanswered;
	rank_done(part);
}

static int join(struct rank_parts *parts, struct rank *rank)
{
	size_t count = 0;

	*rank = (struct rank){.addresses = parts->parts[0].addresses};
	for (size_t i = 0; i < parts->count; i++) {
		count += parts->parts[i].count;
		rank->symbol_capacity += parts->parts[i].symbol_count;
	}
	if (rank->symbol_capacity > UINT32_MAX)
		return -ENOMEM;
	rank->answers = calloc(count + 1, sizeof(*rank->answers));
	rank->symbols = calloc(rank->symbol_capacity + 1, sizeof(*rank->symbols));
	if (!rank->answers || !rank->symbols)
		return -ENOMEM;
	for (size_t i = 0; i < parts->count; i++)
		append(rank, &parts->parts[i]);
	return 0;
}

int rank_parts_join(struct rank_parts *parts, struct rank *ret_rank)
{
	struct rank rank;

	for (size_t i = 0; i < parts->count; i++) {
		rank_settle_unsized(&parts->parts[i]);
		rank_finish(&parts->parts[i]);
	}
	if (parts->count == 1) {
		rank = parts->parts[0];
		parts->count = 0;
	} else if (join(parts, &rank) < 0) {
		rank_done(&rank);
		rank_parts_done(parts);
		return -ENOMEM;
	}
	*ret_rank = rank;
	return 0;
}
