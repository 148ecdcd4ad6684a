import { useState } from 'preact/hooks';
import { useApp, useTexts } from '../app/app-context';
import { Dialog } from '../ui/dialog';
import { ProblemNotice } from '../ui/problem-notice';
import { useRequest } from '../ui/use-request';
import { ControlButton } from './control-button';

/** Ends the call, after a question. */
export function HangUpButton() {
  const { live } = useApp();
  const { call } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run } = useRequest();
  const hangUp = async () => {
    await live.socket?.emit('end_call', {});
  };
  return (
    <>
      <ControlButton
        testId="hang-up"
        icon="hangUp"
        label={call.hangUp}
        isDanger
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <Dialog title={call.hangUpTitle} text={call.hangUpText} onCancel={() => setAsking(false)}>
          <ProblemNotice problem={problem} />
          <button class="button" type="button" onClick={() => setAsking(false)}>
            {call.hangUpNo}
          </button>
          <button
            class="button button-danger"
            type="button"
            data-testid="hang-up-confirm"
            aria-disabled={isBusy ? 'true' : undefined}
            onClick={() => isBusy || run(hangUp)}
          >
            {call.hangUpYes}
          </button>
        </Dialog>
      )}
    </>
  );
}
