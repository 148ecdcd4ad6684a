import { Badge, Group, List, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatTimeAs } from '../../ui/dates';
import { FormGroup } from '../../ui/form/form-group';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { planTexts } from './texts/texts';
import { UsageBar } from './usage-bar';

type Plan = components['schemas']['PlanDto'];

const STATUS_COLORS: Record<Plan['status'], string> = {
  active: 'green',
  pending: 'yellow',
  past_due: 'red',
  cancelled: 'gray',
};

/** What the company has booked, and how much of it is used. */
export default function PlanPage() {
  const texts = planTexts.use();
  const api = useApi();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['plan'],
    queryFn: () => unwrap(api.GET('/api/v1/billing/plan')),
  });
  return (
    <Page title={texts.title}>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={240} />}
      {data && <PlanView plan={data.data} />}
    </Page>
  );
}

function PlanView({ plan }: { plan: Plan }) {
  const texts = planTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const { usage } = plan;
  // The service counts plans in days of UTC. The end is exclusive.
  const days = [plan.current_period_start, Date.parse(plan.current_period_end) - 1];
  const period = days.map((day) => formatTimeAs('date', day, language, 'UTC')).join(' – ');
  const features = ['recording', 'transcription', 'analytics'] as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <FormGroup title={texts.plans[plan.plan]} text={texts.period(period)}>
        <Group>
          <Badge color={STATUS_COLORS[plan.status]} variant="light" data-testid="plan-status">
            {texts.statuses[plan.status]}
          </Badge>
        </Group>
        {plan.status !== 'active' && <Text>{texts.statusTexts[plan.status]}</Text>}
        <List>
          {features.map((name) => (
            <List.Item key={name}>
              {texts.features[name]}: {plan[`${name}_enabled`] ? common.yes : common.no}
            </List.Item>
          ))}
        </List>
      </FormGroup>
      <FormGroup title={texts.usage}>
        <UsageBar label={texts.users} used={usage.active_users} limit={plan.max_users} />
        <UsageBar label={texts.departments} used={usage.active_departments} limit={plan.max_departments} />
        <UsageBar label={texts.links} used={usage.active_links} limit={plan.max_active_links} />
        <UsageBar label={texts.storage} used={usage.storage_mb} limit={plan.max_storage_mb} unit="MiB" />
        <Text size="sm">
          {texts.concurrentCalls}: {plan.max_concurrent_calls ?? texts.unlimited}
        </Text>
        {plan.max_webhooks !== null && (
          <Text size="sm">
            {texts.webhooks}: {plan.max_webhooks}
          </Text>
        )}
        <Text size="sm">
          {texts.calls}: {usage.calls_this_month}
        </Text>
      </FormGroup>
    </SimpleGrid>
  );
}
