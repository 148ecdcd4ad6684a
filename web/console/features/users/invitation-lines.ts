/** Somebody to invite. */
export interface Invitee {
  name: string;
  email: string;
}

/** A name before an address in angle brackets, as mail programs write it. */
const NAMED = /^"?([^"<]*?)"?\s*<([^<>]+)>$/;

/** @returns one for each line that is not empty; an address without a name gets one from its part before the at sign */
export const inviteesIn = (text: string): Invitee[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/[,;]$/, ''))
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', address = line] = NAMED.exec(line) ?? [];
      const email = address.trim();
      return { name: name || nameOf(email), email };
    });

function nameOf(email: string): string {
  const words =
    email
      .split('@', 1)[0]
      ?.split(/[._+-]+/)
      .filter(Boolean) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || email;
}
