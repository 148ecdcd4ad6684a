import { useBlocker } from '@tanstack/react-router';
import { LatePart } from '../late/late-part';
import { useSignalValue } from '../use-signal-value';
import { leaving, unsavedForms } from './unsaved-forms';

const loadQuestion = () => import('./leave-question');

/** Asks before unsaved changes are lost: by another page, by the close of a dialog or, through the browser, of the tab. */
export function LeaveGuard() {
  const asked = useSignalValue(leaving);
  const blocker = useBlocker({
    // Filters and tabs are in the address, too; forms survive their change.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && unsavedForms.exist(),
    enableBeforeUnload: unsavedForms.exist,
    withResolver: true,
  });
  const stay = () => {
    leaving.value = null;
    blocker.reset?.();
  };
  const leave = () => {
    leaving.value = null;
    asked?.leave();
    blocker.proceed?.();
  };
  return (
    <LatePart load={loadQuestion} isNeeded={asked !== null || blocker.status === 'blocked'} onClose={stay}>
      {(LeaveQuestion) => <LeaveQuestion onStay={stay} onLeave={leave} />}
    </LatePart>
  );
}
