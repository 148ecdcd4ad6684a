import { useApp, useTexts } from '../../app/app-context';
import { number } from '../../../shared/texts/wait/wait-text';

interface StarChoiceProps {
  /** 0 until one is chosen. */
  value: number;
  onChoose: (stars: number) => void;
  error: string | null;
}

const STAR =
  'm12 3.200 2.700 5.600 6.100.8-4.500 4.200 1.100 6.100-5.400-3-5.400 3 1.100-6.100L3.200 9.600l6.100-.8Z';

/** One of five stars, as a group of radio buttons. */
export function StarChoice({ value, onChoose, error }: StarChoiceProps) {
  const { language } = useApp();
  const { rating } = useTexts();
  return (
    <fieldset class="stars" aria-describedby={error ? 'stars-error' : undefined}>
      <legend>{rating.question}</legend>
      <div class="stars-row">
        {rating.stars.map((word, index) => {
          const stars = index + 1;
          return (
            <label key={stars} class={`star ${stars <= value ? 'star-on' : ''}`}>
              <input
                type="radio"
                name="rating"
                value={stars}
                checked={stars === value}
                data-testid={`rating-${stars}`}
                aria-label={rating.star(number(stars, language.value), word)}
                onChange={() => onChoose(stars)}
              />
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={STAR} />
              </svg>
            </label>
          );
        })}
      </div>
      <p class="stars-word" aria-hidden="true">
        {rating.stars[value - 1] ?? '\u00a0'}
      </p>
      {error && (
        <p class="field-error" id="stars-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
