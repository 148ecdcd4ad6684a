const SEPARATOR = ':';

/** What can be chosen, or is shown: a presence, and why not available if there is a reason. */
export interface PresenceChoice {
  presence: string;
  reason: string | null;
}

/** @returns the choice as a value of a list */
export const valueOf = ({ presence, reason }: PresenceChoice): string =>
  reason === null ? presence : `${presence}${SEPARATOR}${reason}`;

/** @param value made by `valueOf`; a reason can contain anything */
export function choiceOf(value: string): PresenceChoice {
  const end = value.indexOf(SEPARATOR);
  if (end === -1) return { presence: value, reason: null };
  return { presence: value.slice(0, end), reason: value.slice(end + SEPARATOR.length) };
}
