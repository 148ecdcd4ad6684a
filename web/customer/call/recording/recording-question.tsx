import { useApp, useCallTexts } from '../../app/app-context';
import { Dialog } from '../../ui/dialog';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';

/** The agent would like to record: nothing is recorded before the customer agrees. */
export function RecordingQuestion({ name }: { name: string }) {
  const { live } = useApp();
  const { recording } = useCallTexts();
  const { isBusy, problem, run } = useRequest();
  const answer = (consent: boolean) => () => {
    if (isBusy) return;
    run(async () => {
      await live.socket?.emit('recording_state', { recording: 'requested', consent });
    });
  };
  return (
    <Dialog title={recording.title} text={recording.text(name)} onCancel={answer(false)}>
      <ProblemNotice problem={problem} />
      <button class="button" type="button" data-testid="recording-refuse" onClick={answer(false)}>
        {recording.refuse}
      </button>
      <button
        class="button button-primary"
        type="button"
        data-testid="recording-consent"
        onClick={answer(true)}
      >
        {recording.agree}
      </button>
    </Dialog>
  );
}
