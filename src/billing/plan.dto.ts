import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  TimestampField,
} from '../platform/http/input/fields';
import {
  PLAN_NAMES,
  type LimitName,
  type PlanName,
  PLANS,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '../plans/plan-catalogue';
import type { UsageFigures } from '../plans/usage-registry';

const LIMIT = { optional: true, min: 1, description: 'The limit that applies now; null means unlimited' };

const byPlan = (name: LimitName): string =>
  PLAN_NAMES.map((plan) => `${plan} ${PLANS[plan].limits[name]?.toLocaleString('en-US') ?? 'null'}`).join(
    ', ',
  );

const STORAGE_LIMITS = `The limit of \`usage.storage_mb\` that applies now, in MiB; null means unlimited. By plan: ${byPlan('max_storage_mb')}`;

const LINK_LIMITS = `The limit of \`usage.active_links\` that applies now. By plan: ${byPlan('max_active_links')}`;

class UsageDto implements UsageFigures {
  @IntegerField({ example: 7 })
  active_users: number;

  @IntegerField({ example: 2 })
  active_departments: number;

  @IntegerField({
    description:
      'Access links that can still be used: not cancelled, used up or expired. Those of appointments and of inactive ' +
      'departments count, those of deleted departments do not',
    example: 41,
  })
  active_links: number;

  @IntegerField({ description: 'Calls that joined a queue this month (UTC)', example: 312 })
  calls_this_month: number;

  @IntegerField({
    description:
      'Finished recordings alone, in megabytes (1,000,000 bytes), rounded up. No limit applies to it: see storage_mb',
    example: 1840,
  })
  recording_storage_mb: number;

  @IntegerField({
    description:
      'Everything that counts towards max_storage_mb: recordings, files of calls and unfinished uploads, in MiB (1,048,576 ' +
      'bytes), rounded up',
    example: 1902,
  })
  storage_mb: number;
}

export class PlanDto {
  @ChoiceField(PLAN_NAMES, {
    description: 'The chosen plan, whether or not it is paid for',
    example: 'basic',
  })
  plan: PlanName;

  @ChoiceField(SUBSCRIPTION_STATUSES, { example: 'active' })
  status: SubscriptionStatus;

  @IntegerField({ ...LIMIT, example: 3 })
  max_concurrent_calls: number | null;

  @IntegerField({ ...LIMIT, example: 10 })
  max_users: number | null;

  @IntegerField({ ...LIMIT, example: 3 })
  max_departments: number | null;

  @IntegerField({ ...LIMIT, description: LINK_LIMITS, example: 5000 })
  max_active_links: number | null;

  @IntegerField({
    ...LIMIT,
    example: null,
    description: '10 on the plan free; null without a limit of the plan: a company has 50 webhooks at most',
  })
  max_webhooks: number | null;

  @IntegerField({
    ...LIMIT,
    description: STORAGE_LIMITS,
    example: 20_480,
  })
  max_storage_mb: number | null;

  @BooleanField()
  recording_enabled: boolean;

  @BooleanField({ example: false })
  transcription_enabled: boolean;

  @BooleanField({
    description: 'Whether hourly, agent and trend reports are included; every plan has the overview',
    example: false,
  })
  analytics_enabled: boolean;

  @TimestampField()
  current_period_start: string;

  @TimestampField()
  current_period_end: string;

  @ObjectField(() => UsageDto)
  usage: UsageDto;
}
