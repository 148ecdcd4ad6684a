/** A value that was reached, or (censored) one that would have been larger had it been observed to its end. */
export interface CensoredValue {
  value: number;
  censored: boolean;
}

/**
 * Quantiles of values of which some are censored, by the product-limit estimator of Kaplan & Meier. Without censored
 * values they are the plain quantiles: the smallest value that at least the share p does not exceed.
 * @param shares ascending, each between 0 and 1
 * @returns for each share the quantile; null if too many of the largest values are censored to tell
 */
export function quantiles(values: readonly CensoredValue[], shares: readonly number[]): (number | null)[] {
  // A value that was censored at another one's time is known to be larger.
  const sorted = values.toSorted(
    (one, other) => one.value - other.value || Number(one.censored) - Number(other.censored),
  );
  const found: number[] = [];
  let survival = 1;
  for (const [index, { value, censored }] of sorted.entries()) {
    if (!censored) survival *= 1 - 1 / (sorted.length - index);
    // A product of many factors is not exact.
    while (found.length < shares.length && survival <= 1 - shares[found.length] + 1e-9) found.push(value);
  }
  return shares.map((_, index) => found[index] ?? null);
}
