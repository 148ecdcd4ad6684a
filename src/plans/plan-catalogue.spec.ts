import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cheapestPlanWith,
  type Feature,
  largerPlanHint,
  type LimitName,
  PLAN_NAMES,
  type PlanName,
  planInForce,
  PLANS,
  type SubscriptionStatus,
} from './plan-catalogue';

/** The rows of the table in docs/architecture.md. */
const documented = [
  ...readFileSync(join(__dirname, '../../docs/architecture.md'), 'utf8').matchAll(
    /^\| `(free|basic|advanced|professional|enterprise)` .*\|$/gm,
  ),
].map(([row]) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
);

const shown = (limit: number | null, unit = ''): string => (limit === null ? 'any' : `${limit}${unit}`);

it('the catalogue in the documentation is this one, with all limits', () => {
  expect(documented).toEqual(
    Object.values(PLANS).map(({ name, price, limits, features }) => [
      `\`${name}\``,
      price === null ? 'negotiated' : `BRL ${price}`,
      shown(limits.max_concurrent_calls),
      shown(limits.max_users),
      shown(limits.max_departments),
      shown(limits.max_active_links),
      shown(limits.max_storage_mb && limits.max_storage_mb / 1024, ' GiB'),
      features.includes('recording') ? 'yes' : 'no',
      ['transcription', 'ai_summaries', 'full_analytics'].every((name) => features.includes(name as Feature))
        ? 'yes'
        : 'no',
    ]),
  );
});

describe('PLANS', () => {
  // The table of the specification, column by column.
  it.each([
    ['free', 0, 1, 2, 1, 500, 1, []],
    ['basic', 99, 3, 10, 3, 5000, 20, ['recording']],
    [
      'advanced',
      399,
      5,
      25,
      10,
      50_000,
      100,
      ['recording', 'transcription', 'ai_summaries', 'full_analytics'],
    ],
    [
      'professional',
      699,
      10,
      50,
      20,
      200_000,
      500,
      ['recording', 'transcription', 'ai_summaries', 'full_analytics'],
    ],
    [
      'enterprise',
      null,
      null,
      null,
      null,
      200_000,
      null,
      ['recording', 'transcription', 'ai_summaries', 'full_analytics'],
    ],
  ] as const)('contains %s', (name, price, calls, users, departments, links, gibibytes, features) => {
    expect(PLANS[name]).toEqual({
      name,
      price,
      limits: {
        max_concurrent_calls: calls,
        max_users: users,
        max_departments: departments,
        max_webhooks: name === 'free' ? 10 : null,
        max_active_links: links,
        max_storage_mb: gibibytes === null ? null : gibibytes * 1024,
      },
      features,
    });
  });

  it('contains no other plan', () => {
    expect(Object.keys(PLANS)).toEqual([...PLAN_NAMES]);
  });
});

describe('planInForce', () => {
  const now = new Date('2026-06-12T12:00:00Z');
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

  it.each<[SubscriptionStatus, Date | null, PlanName]>([
    ['active', null, 'advanced'],
    ['pending', null, 'free'],
    ['cancelled', null, 'free'],
    ['cancelled', at(60), 'free'],
    ['past_due', at(60), 'advanced'],
    ['past_due', at(0), 'free'],
    ['past_due', at(-60), 'free'],
    ['past_due', null, 'free'],
  ])('%s with grace until %p is %s', (status, grace_deadline, plan) => {
    expect(planInForce({ plan: 'advanced', status, grace_deadline }, now).name).toBe(plan);
  });
});

it.each<[Feature, PlanName]>([
  ['recording', 'basic'],
  ['transcription', 'advanced'],
  ['ai_summaries', 'advanced'],
  ['full_analytics', 'advanced'],
])('the cheapest plan with %s is %s', (feature, plan) => {
  expect(cheapestPlanWith(feature)).toBe(plan);
});

it.each<[LimitName, number, string]>([
  ['max_users', 2, 'basic'],
  ['max_users', 10, 'advanced'],
  ['max_users', 50, 'enterprise'],
  ['max_departments', 1, 'basic'],
  ['max_webhooks', 10, 'basic'],
  ['max_active_links', 500, 'basic'],
  ['max_concurrent_calls', 5, 'professional'],
])('the cheapest plan with %s above %d is %s', (limit, count, plan) => {
  expect(largerPlanHint(limit, count)).toBe(` The plan ${plan} allows more.`);
});

it('no plan allows more than the highest limit', () => {
  expect(largerPlanHint('max_active_links', 200_000)).toBe('');
});
