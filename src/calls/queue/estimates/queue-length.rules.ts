/** How fast a line moves. Rates are per second. */
export interface LineRates {
  /** Agents who serve the line; a fraction of those who also serve other lines. */
  agents: number;
  /** Calls that one agent completes, wrap-up included. */
  serviceRate: number;
  /** Of one waiting customer leaving by their own choice. */
  abandonmentRate: number;
}

/** Terms that are added one by one; the sum of the others is approximated. */
const EXACT_TERMS = 32;

/**
 * The expected wait behind calls that are answered or leave: with i calls still ahead the line moves at the rate
 * s·μ + i·θ, so the wait is Σ i=0..ahead of 1 ÷ (s·μ + i·θ). This is the estimator QLm of Ibrahim & Whitt ("Real-time delay
 * estimation in overloaded multiserver queues with abandonments", 2009). It costs the same for any length of the line.
 * @param ahead calls before this one
 * @returns seconds; null if no agent serves the line
 */
export function waitBehind(
  ahead: number,
  { agents, serviceRate, abandonmentRate }: LineRates,
): number | null {
  const rate = agents * serviceRate;
  if (rate <= 0) return null;
  const exact = Math.min(ahead, EXACT_TERMS);
  let wait = 0;
  for (let i = 0; i <= exact; i++) wait += 1 / (rate + i * abandonmentRate);
  return ahead === exact
    ? wait
    : wait + approximateSum(rate + exact * abandonmentRate, abandonmentRate, ahead - exact);
}

/** Σ i=1..terms of 1 ÷ (rate + i·step) by the Euler–Maclaurin formula, to about seven digits. */
function approximateSum(rate: number, step: number, terms: number): number {
  const last = rate + terms * step;
  const integral = step > 0 ? Math.log1p((terms * step) / rate) / step : terms / rate;
  return integral + (1 / last - 1 / rate) / 2 + (step / 12) * (1 / rate ** 2 - 1 / last ** 2);
}
