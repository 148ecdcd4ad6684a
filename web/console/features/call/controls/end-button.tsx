import { Button, Kbd, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AgentCall } from '../../../state/agent-call';
import { useConsole } from '../../../state/console-context';
import { useEscape } from '../../../ui/dialog/use-escape';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../../ui/use-attempt';
import { callTexts } from '../texts/texts';
import { ControlButton } from './control-button';

const UNDO_MS = 3000;

/**
 * Ends the call a moment later, by click and by key, because the end cannot be undone. A second press does not wait. The
 * call also ends if the agent opens another page in that time.
 */
export function EndButton({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const [isEnding, setEnding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const press = () => {
    setEnding(!isEnding);
    if (isEnding) attempt(() => state.complete(call.id));
  };
  const undo = () => {
    setEnding(false);
    button.current?.focus();
  };
  useEndSoon(isEnding, () => {
    setEnding(false);
    attempt(() => state.complete(call.id));
  });
  useEscape(isEnding, undo);
  useShortcut({ keys: 'e', label: labels.complete, action: press });
  return (
    <>
      <ControlButton
        ref={button}
        icon="hangUp"
        label={isEnding ? labels.completeNow : labels.complete}
        look="danger"
        keys="e"
        testId="complete"
        onClick={press}
      />
      <div className="call-undo">
        <Text component="span" size="sm" role="status">
          {isEnding && labels.completing}
        </Text>
        {isEnding && (
          <Button
            variant="default"
            size="sm"
            data-testid="undo"
            onClick={undo}
            rightSection={<Kbd size="xs">Esc</Kbd>}
          >
            {labels.completeUndo}
          </Button>
        )}
      </div>
    </>
  );
}

/** Acts after the time in which it can be taken back, or when the page with the button is left. */
function useEndSoon(isEnding: boolean, end: () => void): void {
  const latest = useRef({ isEnding, end });
  useEffect(() => {
    latest.current = { isEnding, end };
  });
  useEffect(() => {
    if (!isEnding) return undefined;
    const act = () => latest.current.end();
    const timer = setTimeout(act, UNDO_MS);
    addEventListener('pagehide', act);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', act);
    };
  }, [isEnding]);
  useEffect(
    () => () => {
      if (latest.current.isEnding) latest.current.end();
    },
    [],
  );
}
