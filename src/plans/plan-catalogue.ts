export const PLAN_NAMES = ['free', 'basic', 'advanced', 'professional', 'enterprise'] as const;

export type PlanName = (typeof PLAN_NAMES)[number];

export type Feature = 'recording' | 'transcription' | 'ai_summaries' | 'full_analytics';

/** null is unlimited. */
export interface Limits {
  max_concurrent_calls: number | null;
  max_users: number | null;
  max_departments: number | null;
}

export type LimitName = keyof Limits;

export interface Plan {
  name: PlanName;
  /** BRL a period; null is by quotation. */
  price: number | null;
  limits: Limits;
  features: readonly Feature[];
}

const ALL: readonly Feature[] = ['recording', 'transcription', 'ai_summaries', 'full_analytics'];

function plan(
  name: PlanName,
  price: number | null,
  [max_concurrent_calls, max_users, max_departments]: [number | null, number | null, number | null],
  features: readonly Feature[],
): Plan {
  return { name, price, limits: { max_concurrent_calls, max_users, max_departments }, features };
}

export const PLANS: Record<PlanName, Plan> = {
  free: plan('free', 0, [1, 2, 1], []),
  basic: plan('basic', 99, [3, 10, 3], ['recording']),
  advanced: plan('advanced', 399, [5, 25, 10], ALL),
  professional: plan('professional', 699, [10, 50, 20], ALL),
  enterprise: plan('enterprise', null, [null, null, null], ALL),
};

export type SubscriptionStatus = 'pending' | 'active' | 'past_due' | 'canceled';

/** The plan whose limits are in force: what was bought only counts while it is paid for. */
export function planInForce(
  subscription: { plan: PlanName; status: SubscriptionStatus; grace_deadline: Date | null },
  now: Date,
): Plan {
  const { plan: bought, status, grace_deadline } = subscription;
  const inGrace = status === 'past_due' && grace_deadline !== null && now < grace_deadline;
  return status === 'active' || inGrace ? PLANS[bought] : PLANS.free;
}

/** The cheapest plan that has the feature, for telling people what to do. */
export function cheapestPlanWith(feature: Feature): PlanName {
  return PLAN_NAMES.find((name) => PLANS[name].features.includes(feature)) ?? 'enterprise';
}

/** The next plan up that lifts the limit. */
export function cheapestPlanAbove(limit: LimitName, count: number): PlanName {
  return (
    PLAN_NAMES.find((name) => {
      const value = PLANS[name].limits[limit];
      return value === null || value > count;
    }) ?? 'enterprise'
  );
}
