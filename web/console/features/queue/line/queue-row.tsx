import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { WaitingCall } from '../../../../shared/socket';
import { useConsole } from '../../../state/console-context';
import { useCommonTexts } from '../../../texts/texts';
import { formatDuration } from '../../../ui/duration';
import { useAttempt } from '../../../ui/use-attempt';
import { DeviceIcons } from '../device-icons';
import { queueTexts } from '../texts/texts';
import { useServerNow } from '../../../state/use-server-now';
import { hasManyFromAddress, isCalledBack, type QueueGroup } from './queue.rules';

interface QueueRowProps {
  call: WaitingCall;
  group: QueueGroup;
  /** Whether the agent has a call, so cannot take another one. */
  isInCall: boolean;
  skillNames: ReadonlyMap<string, string>;
}

export function QueueRow({ call, group, isInCall, skillNames }: QueueRowProps) {
  const texts = queueTexts.use();
  const [isBusy, setBusy] = useState(false);
  const state = useConsole();
  const attempt = useAttempt();
  const answer = () => {
    setBusy(true);
    attempt(async () => {
      await state.answer(call.id).finally(() => setBusy(false));
      scrollTo({ top: 0 });
    });
  };
  return (
    <div className="queue-row" data-testid="queue-row" data-absent={call.absent_since !== null}>
      <div className="queue-customer">
        <Text fw={600} truncate title={call.customer_name}>
          {call.customer_name}
        </Text>
        <Group gap={6}>
          <Waiting call={call} />
          <Marks call={call} group={group} skillNames={skillNames} />
        </Group>
      </div>
      <DeviceIcons report={call.device_report ?? null} />
      <Button
        data-testid="answer"
        aria-label={texts.answerOf(call.customer_name)}
        loading={isBusy}
        disabled={isInCall || isCalledBack(call)}
        onClick={answer}
      >
        {texts.answer}
      </Button>
    </div>
  );
}

function Waiting({ call }: { call: WaitingCall }) {
  const texts = queueTexts.use();
  const now = useServerNow();
  return (
    <Text size="sm" c="dimmed" className="digits">
      {texts.waiting(formatDuration(now - Date.parse(call.inserted_at)))}
    </Text>
  );
}

/** What makes this customer different from the others. */
function Marks({ call, group, skillNames }: Omit<QueueRowProps, 'isInCall'>) {
  const texts = queueTexts.use();
  const { notConfirmed } = useCommonTexts();
  const { priority = 0, skills = [] } = call;
  const hasManyCalls = hasManyFromAddress(call.calls_from_address, group.size);
  return (
    <>
      {call.callback && isCalledBack(call) ? (
        <Badge className="mark" variant="light" color="grape" tt="none">
          {call.callback.status === 'invited' ? texts.invited : texts.calledBack}
        </Badge>
      ) : (
        call.absent_since && <Absence since={call.absent_since} />
      )}
      {call.identity_confirmed === false && (
        <Badge className="mark" variant="light" color="orange" tt="none">
          {notConfirmed}
        </Badge>
      )}
      {priority !== 0 && (
        <Badge className="mark" variant="light" color="orange" tt="none">
          {texts.priority(priority)}
        </Badge>
      )}
      {skills.map(({ skill_id, min_level }) => (
        <Badge key={skill_id} variant="outline" color="gray" tt="none" title={texts.skills}>
          {texts.skill(skillNames.get(skill_id) ?? texts.otherSkill, min_level)}
        </Badge>
      ))}
      {call.department_id !== group.id && (
        <Badge variant="outline" color="gray" tt="none">
          {texts.overflow(call.department_name)}
        </Badge>
      )}
      {hasManyCalls && (
        <Badge className="mark" variant="light" color="red" tt="none">
          {texts.sameAddress(call.calls_from_address)}
        </Badge>
      )}
    </>
  );
}

function Absence({ since }: { since: string }) {
  const texts = queueTexts.use();
  const now = useServerNow();
  return (
    <Badge className="mark digits" variant="light" color="yellow" tt="none">
      {texts.absentFor(formatDuration(now - Date.parse(since)))}
    </Badge>
  );
}
