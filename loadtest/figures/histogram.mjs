// Durations by buckets that are 5 % apart, so that those of several processes can be added up.
const RATIO = Math.log(1.05);
const MIN_MS = 0.1;

export class Histogram {
  /** Numbers of durations by bucket. */
  counts;

  constructor(counts = {}) {
    this.counts = counts;
  }

  record(ms) {
    const bucket = Math.round(Math.log(Math.max(ms, MIN_MS) / MIN_MS) / RATIO);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }

  add(other) {
    for (const [bucket, count] of Object.entries(other.counts)) {
      this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    }
  }

  get total() {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** @returns ms, exact to 2.5 %, or null without durations */
  percentile(share) {
    let remaining = Math.max(1, Math.ceil(this.total * share));
    for (const [bucket, count] of this.#sorted()) {
      remaining -= count;
      if (remaining <= 0) return valueOf(bucket);
    }
    return null;
  }

  /** @returns how many durations are at most `ms` */
  countUpTo(ms) {
    return this.#sorted().reduce((sum, [bucket, count]) => (valueOf(bucket) <= ms ? sum + count : sum), 0);
  }

  #sorted() {
    return Object.entries(this.counts)
      .map(([bucket, count]) => [Number(bucket), count])
      .toSorted(([one], [other]) => one - other);
  }
}

const valueOf = (bucket) => MIN_MS * Math.exp(bucket * RATIO);
