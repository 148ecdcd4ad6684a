import { useApp, useTexts } from '../../app/app-context';
import { number, waitText } from '../../../shared/texts/wait/wait-text';
import type { CallFacts } from '../../state/state.types';
import { LinePicture } from './line-picture';

/** The place in the line, as a number and as a picture, and the wait. */
export function PlaceCard({ call: { position, wait, ringing } }: { call: CallFacts }) {
  const { language } = useApp();
  const texts = useTexts();
  const { waiting } = texts;
  return (
    <section class="card place" aria-label={waiting.positionLabel}>
      {/* A new place is a new element, so that its animation runs again. */}
      <div class="place-number" key={position}>
        <span class="place-label">{waiting.positionLabel}</span>
        <strong data-testid="queue-position">{number(position, language.value)}</strong>
      </div>
      <div class="place-details">
        <LinePicture ahead={position - 1} />
        <p>{waiting.ahead(Math.max(0, position - 1))}</p>
        <p class="place-wait">
          {!ringing && <span class="place-label">{waiting.waitLabel}</span>}
          <strong data-testid="queue-wait">
            {ringing && waiting.ringing}
            {!ringing && (wait ? waitText(wait, texts.range, language.value) : waiting.noWait)}
          </strong>
        </p>
        {!ringing && !wait?.range && <p class="fine">{wait ? waiting.roughWait : waiting.noWaitHint}</p>}
      </div>
    </section>
  );
}
