/** An empty text for none, as fields hold it. */
export type Seconds = number | '';

export interface DurationParts {
  minutes: number | '';
  seconds: number | '';
}

const SECONDS = 60;

/** @returns the parts of a time span, with less than 60 seconds */
export const durationParts = (total: Seconds): DurationParts =>
  total === ''
    ? { minutes: '', seconds: '' }
    : { minutes: Math.floor(total / SECONDS), seconds: total % SECONDS };

/** @returns none if both parts are empty */
export const secondsIn = ({ minutes, seconds }: DurationParts): Seconds =>
  minutes === '' && seconds === '' ? '' : Number(minutes) * SECONDS + Number(seconds);
