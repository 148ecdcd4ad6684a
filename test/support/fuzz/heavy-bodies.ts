import type { Json } from '../http/api';

/** A body that is as expensive as its size allows. */
interface HeavyBody {
  what: string;
  json: string;
  /** The number of values that the operation accepts, if the body has as many: it is parsed. */
  maxValues?: number;
}

/** Texts that make regular expressions, comparisons or normalization slow, each repeated up to the size. */
const UNITS: Record<string, string> = {
  letters: 'a',
  digits: '0',
  blanks: ' ',
  'at signs': 'a@',
  dots: 'a.',
  hyphens: 'a-',
  'date separators': '1-1T',
  brackets: '[',
  quotes: '\\"',
  'combining marks': '\u0301',
  'a ligature of 18 characters': '\ufdfa',
  emoji: '👩‍👩‍👧',
  'lone surrogates': String.raw`\ud800`,
  'escaped control characters': String.raw`\u0001`,
};

/** Repeats `unit` up to `bytes`; `head` and `tail` included. */
function filled(bytes: number, unit: (index: number) => string, head = '', tail = ''): string {
  const parts: string[] = [];
  let left = bytes - Buffer.byteLength(head + tail);
  for (let index = 0; ; index++) {
    const part = unit(index);
    left -= Buffer.byteLength(part);
    if (left < 0) return head + parts.join('') + tail;
    parts.push(part);
  }
}

/** A list or object of JSON values; the last one is null. */
const values = (bytes: number, open: string, close: string, unit: (index: number) => string, last = 'null') =>
  filled(bytes, (index) => `${unit(index)},`, open, `${last}${close}`);

const list = (bytes: number, item: string) => values(bytes, '[', ']', () => item);

const keysFrom = (prefix: string) => (index: number) => `"${prefix}${index.toString(36)}":0`;

const object = (bytes: number, key: (index: number) => string) => values(bytes, '{', '}', key, '"_":0');

/** The same without the brackets. */
const keys = (bytes: number, key: (index: number) => string) => object(bytes, key).slice(1, -1);

const nested = (bytes: number, open: string, close: string): string => {
  const depth = Math.floor((bytes - 10) / (open.length + close.length));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
};

/** `count` items of a list or object, without the brackets. */
const items = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(',');

/** As many objects of the greatest allowed number of keys as fit. */
const fullObjects = (bytes: number) => list(bytes, `{${items(1000, keysFrom(''))}}`);

/** Values with `count` separators, each of at most this many bytes, so that they are parsed. */
function parsedValues(count: number, bytes: number): [what: string, json: string][] {
  const share = Math.floor(bytes / count) - 10;
  const long = (index: number) => `${'k'.repeat(Math.max(0, share))}${index.toString(36)}`;
  return [
    ['keys', `{${items(count, keysFrom(''))}}`],
    ['long keys', `{${items(count, (index) => `"${long(index)}":0`)}}`],
    ['index keys', `{${items(count, (index) => `"${index}":0`)}}`],
    ['numbers', `[${items(count, () => '0')}]`],
    ['long texts', `[${items(count, (index) => `"${long(index)}"`)}]`],
    ['empty objects', `[${items(Math.floor(count / 2), () => '{}')}]`],
    ['nested lists', `${'['.repeat(count)}1${']'.repeat(count)}`],
    ['nested objects', `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`],
    ['objects of 17 levels', `[${items(Math.floor(count / 18), () => nested(112, '{"a":', '}'))}]`],
  ];
}

/** Commas and opening brackets outside of the texts, which the service counts before it parses a body. */
const countSeparators = (json: string): number =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[,[{]/g)?.length ?? 0;

/** Values of at most this many bytes for one field. */
function heavyValues(bytes: number): [what: string, json: string][] {
  const texts = Object.entries(UNITS).map(([what, unit]): [string, string] => [
    `a text of ${what}`,
    filled(bytes, () => unit, '"', '"'),
  ]);
  return [
    ...texts,
    ['a list of 1000 numbers', list(Math.min(bytes, 2000), '0')],
    ['a list of 1000 texts', list(Math.min(bytes, 20_000), `"${'x'.repeat(17)}"`)],
    ['a list of numbers', list(bytes, '0')],
    ['a list of empty objects', list(bytes, '{}')],
    ['a list of empty lists', list(bytes, '[]')],
    ['a list of 1000 empty objects', list(Math.min(bytes, 3000), '{}')],
    ['an object with many keys', object(bytes, keysFrom('k'))],
    ['an object with 1000 keys', object(Math.min(bytes, 7000), keysFrom(''))],
    ['objects with 1000 keys each', fullObjects(bytes)],
    ['an object with index keys', object(bytes, (index) => `"${index}":0`)],
    ['nested lists', nested(bytes, '[', ']')],
    ['nested objects', nested(bytes, '{"a":', '}')],
    ['twenty levels', nested(Math.min(bytes, 150), '{"a":', '}')],
    ['a number of many digits', filled(bytes, () => '7')],
    ['a number of many decimals', filled(bytes, () => '7', '0.')],
  ];
}

/**
 * Bodies of at most `maxBytes` that are expensive to parse, transform, validate or refuse.
 * @param example a valid body, or one with every field
 * @param maxValues of a body that is parsed
 */
export function* heavyBodies(example: Json, maxBytes: number, maxValues: number): Generator<HeavyBody> {
  const start = JSON.stringify(example).slice(0, -1);
  const comma = start === '{' ? '' : ',';
  const rest = maxBytes - Buffer.byteLength(start) - 2;
  const withMore = (more: string) => `${start}${comma}${more}}`;
  yield { what: 'unknown keys', json: withMore(keys(rest, keysFrom('k'))) };
  yield { what: '900 unknown keys', json: withMore(keys(Math.min(rest, 6000), keysFrom(''))) };
  yield { what: 'unknown index keys', json: withMore(keys(rest, (index) => `"${index}":0`)) };
  yield { what: 'one unknown key repeatedly', json: withMore(keys(rest, () => '"k":[]')) };
  yield { what: '__proto__ repeatedly', json: withMore(keys(rest, () => '"__proto__":{}')) };
  yield { what: 'an unknown list', json: withMore(`"k":${list(rest - 10, '{}')}`) };
  yield { what: 'blanks', json: `${start}${' '.repeat(rest)}}` };
  yield { what: 'a list as body', json: list(maxBytes, '{}') };
  yield { what: 'an unclosed list', json: '['.repeat(maxBytes) };
  const left = maxValues - countSeparators(withMore('"k":0'));
  for (const [kind, json] of parsedValues(left, rest - 10)) {
    yield { what: `unknown: as many ${kind} as are parsed`, json: withMore(`"k":${json}`), maxValues };
  }
  for (const prefix of ['', 'k']) {
    const json = withMore(items(left + 1, keysFrom(prefix)));
    yield { what: `as many unknown keys "${prefix}…" as are parsed`, json, maxValues };
  }
  for (const path of fieldPaths(example)) {
    const what = path.join('.');
    const template = JSON.stringify(withValueAt(example, path, MARKER));
    const marker = JSON.stringify(MARKER);
    const room = maxBytes - Buffer.byteLength(template) + marker.length;
    for (const [kind, json] of heavyValues(room)) {
      yield { what: `${what}: ${kind}`, json: template.replace(marker, () => json) };
    }
    for (const [kind, json] of parsedValues(maxValues - countSeparators(template), room)) {
      const body = template.replace(marker, () => json);
      yield { what: `${what}: as many ${kind} as are parsed`, json: body, maxValues };
    }
  }
  for (const field of Object.keys(example)) {
    const name = JSON.stringify(field);
    yield { what: `${field} repeatedly`, json: withMore(keys(rest, () => `${name}:"x"`)) };
  }
}

/** A text that occurs in no example. */
const MARKER = '\u0007';

type Path = (string | number)[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Every field of an object, and those of the objects in it; of a list, those of its first item. */
function* fieldPaths(value: Record<string, unknown>): Generator<Path> {
  for (const [key, field] of Object.entries(value)) {
    yield [key];
    const [inner, index] = Array.isArray(field) ? [field[0], [0]] : [field, []];
    if (!isObject(inner)) continue;
    for (const rest of fieldPaths(inner)) yield [key, ...index, ...rest];
  }
}

/** A copy of the example in which the field has another value. */
function withValueAt(example: Json, path: Path, value: unknown): Json {
  const copy: Json = structuredClone(example);
  const last = path.at(-1) ?? '';
  let parent = copy;
  for (const key of path.slice(0, -1)) parent = parent[key];
  parent[last] = value;
  return copy;
}

/** Query strings that are expensive to parse or validate. Node accepts 16 KiB of headers. */
export function heavyQueries(parameters: string[]): { what: string; query: string }[] {
  const bytes = 12_000;
  return [
    { what: 'unknown parameters', query: filled(bytes, (index) => `k${index.toString(36)}=&`) },
    { what: 'escapes', query: filled(bytes, () => '%20=%C3%A9&') },
    ...parameters.flatMap((name) => [
      { what: `${name} repeatedly`, query: filled(bytes, () => `${name}=1&`) },
      ...['a', '0', '%20a', '1-1T', '%EF%B7%BA', '-'].map((unit) => ({
        what: `${name} of ${unit}`,
        query: filled(bytes, () => unit, `${name}=`),
      })),
    ]),
  ];
}
