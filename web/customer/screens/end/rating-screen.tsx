import { useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import type { StateOf } from '../../state/state.types';
import { ProblemNotice } from '../../ui/problem-notice';
import { formText } from '../../ui/form-text';
import { Screen } from '../../ui/screen';
import { StarChoice } from './star-choice';
import { StartOverButton } from '../start/start-over-button';
import { useLinkEnd } from './use-link-end';

/** After the conversation: how it was. */
export function RatingScreen({ state: { wasLost, problem } }: { state: StateOf<'rating'> }) {
  const { actions } = useApp();
  const { rating, ended } = useTexts();
  const linkEnd = useLinkEnd(wasLost);
  const [stars, setStars] = useState(0);
  const [isMissing, setMissing] = useState(false);
  const [isSending, setSending] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setMissing(stars === 0);
    if (stars === 0 || isSending) return;
    setSending(true);
    const comment = formText(event.currentTarget, 'comment');
    await actions.rate(stars, comment || null);
    setSending(false);
  };
  return (
    <Screen
      name="rating"
      title={wasLost ? rating.lost : rating.title}
      lead={wasLost ? rating.lostText : undefined}
    >
      {wasLost && (linkEnd ? <p>{linkEnd}</p> : <StartOverButton label={ended.joinAgain} isPrimary />)}
      <form class="form card" noValidate onSubmit={(event) => void submit(event)}>
        <StarChoice
          value={stars}
          onChoose={setStars}
          error={isMissing && stars === 0 ? rating.choose : null}
        />
        <div class="field">
          <label for="rating-comment">{rating.comment}</label>
          <textarea
            id="rating-comment"
            data-testid="rating-comment"
            name="comment"
            rows={3}
            maxLength={2000}
          />
        </div>
        <ProblemNotice problem={problem} />
        <button
          class={`button ${wasLost ? '' : 'button-primary'}`}
          type="submit"
          data-testid="rating-submit"
          aria-disabled={isSending ? 'true' : undefined}
        >
          {isSending ? rating.sending : rating.submit}
        </button>
      </form>
      <button
        class="button button-quiet"
        type="button"
        data-testid="rating-skip"
        onClick={() => actions.skipRating()}
      >
        {rating.skip}
      </button>
      <button
        class="button-link"
        type="button"
        data-testid="leave-device"
        onClick={() => actions.leaveDevice()}
      >
        {rating.forget}
      </button>
    </Screen>
  );
}
