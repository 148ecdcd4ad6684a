import { Badge, NativeSelect } from '@mantine/core';
import { useConsole, useHasRole } from '../../state/console-context';
import { NOT_TAKING_CALLS } from '../../state/queue-state';
import { useCommonTexts } from '../../texts/texts';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { choiceOf, valueOf } from './presence-choice';

/** Whether the user takes calls, and why not. */
export function PresenceMenu() {
  const { presence: labels } = useCommonTexts();
  const { queue } = useConsole();
  const attempt = useAttempt();
  const presence = useSignalValue(queue.presence);
  const ownReasons = useHasRole('supervisor') ? [NOT_TAKING_CALLS] : [];
  const reasons = [...ownReasons, ...useSignalValue(queue.pauseReasons)];
  const own = useSignalValue(queue.own);
  const reason = own?.state === 'paused' ? own.reason : null;
  const value = valueOf({ presence, reason: presence === 'away' ? reason : null });
  const choices = [
    { value: 'online', label: labels.online },
    { value: 'away', label: labels.away },
    ...reasons.map((one) => ({
      value: valueOf({ presence: 'away', reason: one }),
      label: labels.pausedFor(labels.reasons[one] ?? one),
    })),
  ];
  if (!choices.some((choice) => choice.value === value)) {
    choices.push({ value, label: labelOf(value, labels) });
  }
  const choose = (chosen: string) => {
    const next = choiceOf(chosen);
    attempt(() => queue.choosePresence(next.presence as 'online' | 'away', next.reason));
  };
  return (
    <>
      {own?.state === 'wrap_up' && <Badge color="yellow">{labels.wrapUp}</Badge>}
      <NativeSelect
        aria-label={labels.label}
        data-testid="presence"
        data-state={own?.state}
        size="xs"
        miw={0}
        data={choices}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </>
  );
}

type Labels = ReturnType<typeof useCommonTexts>['presence'];

/** Of a state that cannot be chosen: busy, offline, or a pause by the service. */
function labelOf(value: string, labels: Labels): string {
  const { presence, reason } = choiceOf(value);
  if (reason !== null) return labels.pausedFor(labels.reasons[reason] ?? reason);
  return presence === 'busy' ? labels.busy : labels.offline;
}
