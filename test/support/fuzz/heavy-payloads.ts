/** The largest message, less the head of the packet. */
export const MAX_TEXT = 98_304 - 64;

/** The text around a part of a payload, at most. */
const MAX_FRAME = 32;

/** Joins as many parts as fit into a message. */
export function filled(
  open: string,
  part: (index: number) => string,
  close: string,
  separator = ',',
): string {
  const parts: string[] = [];
  for (let length = open.length + close.length; ;) {
    const next = part(parts.length);
    length += Buffer.byteLength(next) + separator.length;
    if (length > MAX_TEXT - MAX_FRAME) return open + parts.join(separator) + close;
    parts.push(next);
  }
}

const LEVELS = Math.floor(MAX_TEXT / 6) - 1;
export const string = (character: string) => filled('"', () => character, '"', '');
export const members = filled('{', (index) => `"k${index}":0`, '}');

/** Texts that make regular expressions, comparisons or normalization slow, each repeated up to the size. */
const UNITS = [...'a-. é', 'a@', 'a.', '\ufdfa', '\\u0000', '\\\\'];

/** Payloads of the largest size with a long text in each of the fields, as JSON text. */
export const longTexts = (fields: string[]): Record<string, string> =>
  Object.fromEntries(
    UNITS.map((unit) => {
      const length = Math.floor(90_000 / Buffer.byteLength(unit) / fields.length);
      const members = fields.map((field) => `"${field}":"${unit.repeat(length)}"`);
      return [`texts of ${unit} in ${fields.join()}`, `{${members.join()}}`];
    }),
  );

/** Payloads that are expensive for some way of reading them, as JSON text of the largest size. */
export const PAYLOADS: Record<string, string> = {
  'many keys': members,
  'many keys in a description': `{"description":${filled('{"type":"offer",', (index) => `"k${index}":0`, '}')}}`,
  'many keys in a candidate': `{"candidate":${filled('{', (index) => `"k${index}":0`, '}')}}`,
  'one key many times': filled('{', () => '"a":0', '}'),
  'prototype keys': filled('{', () => '"__proto__":{}', '}'),
  'numeric keys': filled('{', (index) => `"${index * 7919}":0`, '}'),
  'many descriptions': `{"description":${filled('[', () => '{"type":"offer"}', ']')}}`,
  'deep objects': `${'{"a":'.repeat(LEVELS)}0${'}'.repeat(LEVELS)}`,
  'deep arrays': '['.repeat(MAX_TEXT / 2) + ']'.repeat(MAX_TEXT / 2),
  'a deep description': `{"description":${'{"a":'.repeat(LEVELS - 4)}0${'}'.repeat(LEVELS - 4)}}`,
  'a long list': filled('[', () => '0', ']'),
  'a list of objects': filled('[', () => '{}', ']'),
  'many arguments': filled('{}', () => ',{}', '', ''),
  'a long number': filled('', () => '9', '', ''),
  'a long description': `{"description":{"type":"offer","sdp":"${'x'.repeat(65_000)}"}}`,
  'a long escaped description': `{"description":{"type":"offer","sdp":"${'\\n'.repeat(32_000)}"}}`,
  'a long candidate': `{"candidate":{"candidate":"${'1 '.repeat(32_000)}"}}`,
  ...Object.fromEntries(UNITS.map((unit) => [`a string of ${unit}`, string(unit)])),
};
