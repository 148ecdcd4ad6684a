export const PLAN_NAMES = ['free', 'basic', 'advanced', 'professional', 'enterprise'] as const;

export type PlanName = (typeof PLAN_NAMES)[number];

export type Feature = 'recording' | 'transcription' | 'ai_summaries' | 'full_analytics';

/** Null means unlimited. */
export interface Limits {
  max_concurrent_calls: number | null;
  max_users: number | null;
  max_departments: number | null;
  /** The limit of all plans (MAX_WEBHOOKS) applies besides. */
  max_webhooks: number | null;
  /** Access links that are neither used up, expired nor cancelled, also those of appointments. */
  max_active_links: number | null;
  /** MiB of recordings, files and unfinished uploads. */
  max_storage_mb: number | null;
}

export type LimitName = keyof Limits;

/** The limits of which one more is added at a time. */
export type CountLimit = Exclude<LimitName, 'max_storage_mb'>;

export interface Plan {
  name: PlanName;
  /** BRL per month; null if the price is negotiated. */
  price: number | null;
  limits: Limits;
  features: readonly Feature[];
}

const ALL_FEATURES: readonly Feature[] = ['recording', 'transcription', 'ai_summaries', 'full_analytics'];

type Limit = number | null;

/** @param limits calls, users, departments, active links, and GiB of storage */
function plan(
  name: PlanName,
  price: number | null,
  limits: [calls: Limit, users: Limit, departments: Limit, links: Limit, storage: Limit],
  features: readonly Feature[],
): Plan {
  const [max_concurrent_calls, max_users, max_departments, max_active_links, gibibytes] = limits;
  const max_storage_mb = gibibytes === null ? null : gibibytes * 1024;
  const max_webhooks = name === 'free' ? 10 : null;
  return {
    name,
    price,
    limits: {
      max_concurrent_calls,
      max_users,
      max_departments,
      max_webhooks,
      max_active_links,
      max_storage_mb,
    },
    features,
  };
}

export const PLANS: Record<PlanName, Plan> = {
  free: plan('free', 0, [1, 2, 1, 500, 1], []),
  basic: plan('basic', 99, [3, 10, 3, 5000, 20], ['recording']),
  advanced: plan('advanced', 399, [5, 25, 10, 50_000, 100], ALL_FEATURES),
  professional: plan('professional', 699, [10, 50, 20, 200_000, 500], ALL_FEATURES),
  enterprise: plan('enterprise', null, [null, null, null, 200_000, null], ALL_FEATURES),
};

export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'past_due', 'cancelled'] as const;

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The plan whose limits apply: the chosen plan while it is paid for or in grace, otherwise `free`. */
export function planInForce(
  subscription: { plan: PlanName; status: SubscriptionStatus; grace_deadline: Date | null },
  now: Date,
): Plan {
  const { plan: chosen, status, grace_deadline } = subscription;
  const isInGrace = status === 'past_due' && grace_deadline !== null && now < grace_deadline;
  return status === 'active' || isInGrace ? PLANS[chosen] : PLANS.free;
}

/** The cheapest plan that includes the feature, to be named in error messages. */
export function cheapestPlanWith(feature: Feature): PlanName {
  return PLAN_NAMES.find((name) => PLANS[name].features.includes(feature)) ?? 'enterprise';
}

/** The cheapest plan whose limit is higher than `count`, as a sentence at the end of error messages; empty if there is none. */
export function largerPlanHint(limit: LimitName, count: number): string {
  const larger = PLAN_NAMES.find((name) => {
    const value = PLANS[name].limits[limit];
    return value === null || value > count;
  });
  return larger === undefined ? '' : ` The plan ${larger} allows more.`;
}
