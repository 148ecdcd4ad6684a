import { useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icon';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';

/** Leaves the line, after a question: the place is lost. */
export function LeaveButton() {
  const { actions } = useApp();
  const { waiting } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run } = useRequest();
  return (
    <>
      <button
        class="button button-quiet"
        type="button"
        data-testid="leave-queue"
        onClick={() => setAsking(true)}
      >
        <Icon name="door" /> {waiting.leave}
      </button>
      {isAsking && (
        <Dialog title={waiting.leaveTitle} text={waiting.leaveText} onCancel={() => setAsking(false)}>
          <ProblemNotice problem={problem} />
          <button class="button" type="button" onClick={() => setAsking(false)}>
            {waiting.leaveNo}
          </button>
          <button
            class="button button-danger"
            type="button"
            data-testid="leave-confirm"
            aria-disabled={isBusy ? 'true' : undefined}
            onClick={() => isBusy || run(() => actions.leave())}
          >
            {waiting.leaveYes}
          </button>
        </Dialog>
      )}
    </>
  );
}
