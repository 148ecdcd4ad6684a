import { useApp, useReader, useTexts } from '../../app/app-context';
import { isKeyOf } from '../../format/error-text';
import { dayAndHourText } from '../../format/time-text';
import type { StateOf } from '../../state/state.types';
import type { IconName } from '../../ui/icon';
import { Screen } from '../../ui/screen';
import { isBusyService, isFinalProblem } from '../../state/refusals';
import { AppointmentFacts } from './appointment-facts';
import { StartOverButton } from './start-over-button';

type ProblemCode =
  | 'invalid_link'
  | 'link_expired'
  | 'link_used'
  | 'link_cancelled'
  | 'link_not_yet_valid'
  | 'tenant_suspended'
  | 'rate_limited'
  | 'unavailable';

const ICONS: Partial<Record<ProblemCode | 'unknown', IconName>> = {
  link_not_yet_valid: 'clock',
  rate_limited: 'clock',
  unavailable: 'clock',
  tenant_suspended: 'clock',
};

/** The link cannot be used, or the service failed: what the customer can do. */
export function ProblemScreen({ state: { problem } }: { state: StateOf<'problem'> }) {
  const { page } = useApp();
  const texts = useTexts();
  const reader = useReader();
  const code = isKeyOf(texts.problem, `${problem.code}Text`) ? (problem.code as ProblemCode) : 'unknown';
  const { valid_from: validFrom, appointment } = page.error ?? {};
  return (
    <Screen
      name="problem"
      icon={ICONS[code] ?? 'warning'}
      title={texts.problem[code]}
      lead={texts.problem[`${code}Text`]}
      titleTestId="error-title"
    >
      {code === 'link_not_yet_valid' && appointment && <AppointmentFacts appointment={appointment} />}
      {code === 'link_not_yet_valid' && validFrom && (
        <p class="statement">
          {texts.problem.validFrom(dayAndHourText(validFrom, page.timezone, texts, reader))}
        </p>
      )}
      {code === 'unknown' && problem.request_id && <p class="fine">{texts.requestId(problem.request_id)}</p>}
      {!isFinalProblem(problem) && (
        <StartOverButton label={texts.tryAgain} after={isBusyService(problem) ? problem : null} />
      )}
    </Screen>
  );
}
