import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RecordingState } from '../../../shared/socket-models';
import { useApp, useCallTexts } from '../../app/app-context';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';

/** Says that the call is being recorded, and lets the customer withdraw their consent: then the recording ends. */
export function RecordingNotice({ state }: { state: RecordingState | null }) {
  const { live } = useApp();
  const { recording } = useCallTexts();
  const { isBusy, problem, run } = useRequest();
  const wasPressed = useRef(false);
  const ended = useRef<HTMLSpanElement>(null);
  const isRefused = state?.consent === false;
  // The button that had the focus is gone.
  useLayoutEffect(() => {
    if (isRefused && wasPressed.current) ended.current?.focus();
    wasPressed.current = false;
  }, [isRefused]);
  const stop = () => {
    if (isBusy) return;
    wasPressed.current = true;
    run(async () => {
      await live.socket?.emit('recording_state', { recording: 'off', consent: false });
    });
  };
  if (isRefused) {
    return (
      <span role="status" ref={ended} tabIndex={-1} data-testid="recording-refused">
        {recording.isOff}
      </span>
    );
  }
  if (state?.recording !== 'on') return null;
  return (
    <>
      <span class="recording">
        <span data-testid="recording-notice" role="status">
          {recording.isOn}
        </span>
        <button
          class="recording-stop"
          type="button"
          data-testid="recording-stop"
          aria-disabled={isBusy ? 'true' : undefined}
          onClick={stop}
        >
          {recording.stop}
        </button>
      </span>
      <ProblemNotice problem={problem} />
    </>
  );
}
