import { Anchor, Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { unwrap } from '../../../shared/api/client';
import type { AgentItem } from '../../../shared/socket';
import { useApi, useConsole } from '../../state/console-context';
import { useServerNow } from '../../state/use-server-now';
import { useCommonTexts } from '../../texts/texts';
import { formatDuration } from '../../ui/duration';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { wallTexts } from './texts/texts';

interface AgentRowProps {
  agent: AgentItem;
  index: number;
  top: number;
  height: number;
  onHandOver: (callId: string) => void;
}

/** An agent with the state and its age. */
export const AgentRow = memo(function AgentRow({ agent, index, top, height, onHandOver }: AgentRowProps) {
  const { agents: texts } = wallTexts.use();
  const { agentState, presence } = useCommonTexts();
  const { name, state, reason, since, call_id } = agent;
  const label = agentState[state];
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-testid="wall-agent"
      data-state={state}
      style={{ blockSize: height, transform: `translateY(${top}px)` }}
    >
      <span role="cell">{name}</span>
      <span role="cell">
        {state === 'paused' && reason ? texts.paused(label, presence.reasons[reason] ?? reason) : label}
      </span>
      <span role="cell">{since && <Age since={since} />}</span>
      <span role="cell">
        {call_id && (
          <Anchor component={Link} to={`/calls/${call_id}`} aria-label={texts.openCallOf(name)}>
            {texts.openCall}
          </Anchor>
        )}
      </span>
      <span role="cell">{state !== 'offline' && <StateMenu agent={agent} onHandOver={onHandOver} />}</span>
    </div>
  );
});

function Age({ since }: { since: string }) {
  return (
    <Text component="span" inherit className="digits" data-testid="agent-age">
      {formatDuration(useServerNow() - Date.parse(since))}
    </Text>
  );
}

function StateMenu({ agent, onHandOver }: Pick<AgentRowProps, 'agent' | 'onHandOver'>) {
  const { agents: texts } = wallTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const reasons = useSignalValue(useConsole().queue.pauseReasons);
  const { user_id, name, state, call_id } = agent;
  const choose = (chosen: 'available' | 'paused', reason: string | null = null) =>
    attempt(async () => {
      const params = { path: { id: user_id } };
      const body = { state: chosen, reason };
      const { data } = await unwrap(api.PUT('/api/v1/users/{id}/state', { params, body }));
      const message = data.state === chosen ? texts.changed(name) : texts.changesLater(name);
      notifications.show({ message });
    });
  return (
    <Menu>
      <Menu.Target>
        <Button size="compact-sm" variant="default" aria-label={texts.change(name)} data-testid="agent-menu">
          {texts.columns.actions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {call_id && state === 'on_call' && (
          <Menu.Item data-testid="agent-hand-over" onClick={() => onHandOver(call_id)}>
            {texts.handOver}
          </Menu.Item>
        )}
        <Menu.Item data-testid="make-available" onClick={() => choose('available')}>
          {texts.makeAvailable}
        </Menu.Item>
        <Menu.Item data-testid="make-paused" onClick={() => choose('paused')}>
          {texts.pause}
        </Menu.Item>
        {reasons.map((reason) => (
          <Menu.Item key={reason} onClick={() => choose('paused', reason)}>
            {texts.pauseFor(reason)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
