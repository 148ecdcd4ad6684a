import { useServerNow } from '../../../state/use-server-now';
import { useLanguage } from '../../../texts/language';
import { waitText } from '../../../../shared/texts/wait/wait-text';
import { formatDuration } from '../../../ui/duration';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';
import { isFirstWait, waitVerdict } from './wait-verdict.rules';

const inWords = (seconds: number) => formatDuration(seconds * 1000);

/** The wait against what the page told the customer at the join, in the same words. */
export function WaitText({ call }: { call: Call }) {
  return isFirstWait(call) ? <RunningWait call={call} /> : <Wait call={call} wait={call.wait_time} />;
}

function RunningWait({ call }: { call: Call }) {
  const wait = (useServerNow() - Date.parse(call.inserted_at)) / 1000;
  return <Wait call={call} wait={Math.max(0, wait)} />;
}

function Wait({ call, wait }: { call: Call; wait: number | null }) {
  const texts = callsTexts.use();
  const language = useLanguage();
  if (wait === null) return null;
  const { estimated_wait_time: estimate, estimated_wait_range: range, has_estimate } = call;
  if (!has_estimate) return texts.waitVerdict.not_told(inWords(wait));
  const said = waitText({ estimate, range }, texts.wait, language);
  const verdict = waitVerdict({ wait, estimate, range });
  // Who still waits may yet be served as announced.
  if (isFirstWait(call) && verdict !== 'longer') return texts.waitVerdict.so_far(inWords(wait), said);
  return texts.waitVerdict[verdict](inWords(wait), said);
}
