import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { AgentCall } from '../../state/agent-call';
import { useServerNow } from '../../state/use-server-now';
import { formatDuration } from '../../ui/duration';
import { useNow } from '../../ui/now';
import { useSignalValue } from '../../ui/use-signal-value';
import { callTexts } from './texts/texts';

const LEVEL_COLORS = { good: 'green', fair: 'yellow', poor: 'red' } as const;

/** State, time, quality, and what keeps the call from working. */
export function CallStatus({ call }: { call: AgentCall }) {
  const { call: labels, quality: levels } = callTexts.use();
  const state = useSignalValue(call.state);
  const quality = useSignalValue(call.quality);
  const item = useSignalValue(call.call);
  const remote = useSignalValue(call.remoteMedia);
  const isConnected = state === 'connected' || state === 'audio_only';
  return (
    <Group gap="xs" data-testid="call-status" data-status={item.status}>
      {item.started_at && <CallTime startedAt={item.started_at} />}
      <Text
        role="status"
        size="sm"
        c={isConnected ? 'dimmed' : undefined}
        fw={isConnected ? undefined : 600}
        data-testid={state === 'reconnecting' ? 'reconnecting' : 'call-state'}
      >
        {labels.state[state]}
      </Text>
      {quality && isConnected && (
        <Badge
          variant="dot"
          color={LEVEL_COLORS[quality.level]}
          tt="none"
          data-testid="quality"
          data-level={quality.level}
        >
          {levels.label}: {levels[quality.level]}
          {quality.rtt_ms !== null && ` (${levels.details(Math.round(quality.rtt_ms))})`}
        </Badge>
      )}
      {remote?.audio === false && (
        <Badge variant="default" tt="none">
          {labels.customerMuted}
        </Badge>
      )}
    </Group>
  );
}

function CallTime({ startedAt }: { startedAt: string }) {
  const { call: labels } = callTexts.use();
  const time = formatDuration(useServerNow() - Date.parse(startedAt));
  return (
    <Text ff="monospace" fw={600} role="timer" aria-label={labels.time} data-testid="call-time">
      {time}
    </Text>
  );
}

/** What the agent must know or do, with more room than the status has. */
export function CallProblems({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const { audio, camera } = useSignalValue(call.devices);
  const isSoundBlocked = useSignalValue(call.isSoundBlocked);
  return (
    <>
      <GraceCountdown call={call} />
      <DeviceProblem name={labels.microphone} status={audio} />
      <DeviceProblem name={labels.camera} status={camera} />
      {isSoundBlocked && <Button onClick={() => void call.session.playSound()}>{labels.soundBlocked}</Button>}
    </>
  );
}

/** Counts from the event, because the clock of this computer can be wrong. */
function GraceCountdown({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const grace = useSignalValue(call.grace);
  const endsAt = useMemo(
    () => (grace?.participant === 'customer' ? Date.now() + grace.seconds * 1000 : null),
    [grace],
  );
  const now = useNow();
  if (endsAt === null) return null;
  return <Alert color="yellow">{labels.grace(Math.max(0, Math.ceil((endsAt - now) / 1000)))}</Alert>;
}

type DeviceStatus = AgentCall['devices']['value']['audio'];

function DeviceProblem({ name, status }: { name: string; status: DeviceStatus }) {
  const { call: labels } = callTexts.use();
  if (status === 'ok' || status === 'off' || status === 'prompt') return null;
  return (
    <Alert color="red" role="alert">
      {name}: {labels.device[status]}
    </Alert>
  );
}
