const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS = new Set([',', '[', '{'].map((character) => character.charCodeAt(0)));

/**
 * Whether a JSON text in UTF-8 has more than `max` commas and opening brackets outside of its strings. Their number limits
 * that of its values, which determines how long parsing and everything after it takes.
 */
export function hasMoreSeparators(json: Buffer, max: number): boolean {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString && byte === BACKSLASH) index++;
    else if (!isInString && SEPARATORS.has(byte) && ++count > max) return true;
  }
  return false;
}
