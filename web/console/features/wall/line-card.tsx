import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { memo } from 'react';
import type { ReceivedQueue } from '../../state/queue-state';
import { useOwnTenant } from '../../state/use-me';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { formatDateTime } from '../../ui/dates';
import { formatDuration } from '../../ui/duration';
import { formatFigure } from '../../ui/format-figure';
import { useNow } from '../../ui/now';
import { lineAlerts, longestWait, type LineAlert, type WantedAlerts } from './alerts.rules';
import { wallTexts } from './texts/texts';
import { useMemberStates } from './use-members';
import { useToday } from './use-today';
import { WaitingList } from './waiting-list';

interface LineCardProps {
  name: string;
  queue: ReceivedQueue;
}

/** While the settings of the company are not known. */
const NO_ALERTS: WantedAlerts = { alert_longest_wait: null, alert_nobody_available: false };

/** The line of one department. */
export const LineCard = memo(function LineCard({ name, queue }: LineCardProps) {
  const { line: texts, noCalls } = wallTexts.use();
  const { ref, inViewport } = useInViewport();
  const language = useLanguage();
  const zone = useZone()?.name;
  const members = useMemberStates(queue.department_id, inViewport);
  const { data } = useToday(queue.department_id, inViewport);
  const now = useNow();
  const target = data?.meta.service_level_seconds ?? null;
  const wanted = useOwnTenant() ?? NO_ALERTS;
  const targetText = formatDuration((target ?? 0) * 1000);
  const alerts = lineAlerts({ queue, members, target, wanted, now });
  const waited = longestWait(queue, now);
  const level = data?.data.service_level ?? null;
  return (
    <Paper
      ref={ref}
      component="section"
      aria-label={name}
      withBorder
      p="md"
      className="wall-line"
      data-alert={alerts.length > 0 || undefined}
      data-testid="wall-line"
    >
      <Stack gap="xs">
        <Title order={2} className="wall-name">
          {name}
        </Title>
        {queue.open === false && (
          <Text className="wall-label" data-testid="line-closed">
            {queue.opens_at
              ? texts.closedUntil(formatDateTime(queue.opens_at, language, zone))
              : texts.closed}
          </Text>
        )}
        <Alerts alerts={alerts} target={targetText} />
        <Group gap="xl" align="end">
          <div>
            <span className="wall-figure wall-size" data-testid="line-size">
              {queue.size}
            </span>{' '}
            <span className="wall-label">{texts.waiting(queue.size)}</span>
          </div>
          <Figure label={texts.longest} testId="line-longest">
            {waited === null ? noCalls : formatDuration(waited)}
          </Figure>
          {data && (
            <Figure label={texts.serviceLevel(targetText)} testId="line-service-level">
              {level === null ? noCalls : formatFigure(level, 'share', language)}
            </Figure>
          )}
        </Group>
        {members && (
          <Text className="wall-label">
            {texts.members(members.filter((state) => state === 'available').length, members.length)}
          </Text>
        )}
        {inViewport && <WaitingList queue={queue} />}
      </Stack>
    </Paper>
  );
});

function Figure({ label, testId, children }: { label: string; testId: string; children: string }) {
  return (
    <div>
      <Text className="wall-label" c="dimmed">
        {label}
      </Text>
      <span className="wall-figure" data-testid={testId}>
        {children}
      </span>
    </div>
  );
}

function Alerts({ alerts, target }: { alerts: LineAlert[]; target: string }) {
  const { alerts: texts } = wallTexts.use();
  return (
    <Group gap="xs" role="status" data-testid="line-alerts">
      {alerts.map((alert) => (
        <Badge key={alert} color="red" size="xl" tt="none" style={{ maxInlineSize: '100%' }}>
          {alert === 'over_target' ? texts.over_target(target) : texts[alert]}
        </Badge>
      ))}
    </Group>
  );
}
