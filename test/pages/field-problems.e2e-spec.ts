import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { ApiError, type FieldErrors } from '../../src/platform/http/errors/api-error';
import { InputPipe } from '../../src/platform/http/input/input.pipe';
import en from '../../web/console/texts/problems-en';
import es from '../../web/console/texts/problems-es';
import pt from '../../web/console/texts/problems-pt';
import { problemText } from '../../web/console/ui/form/field-problems';
import { itIsTranslated } from '../../web/shared/texts/translations.fixtures';

const SOURCES = join(__dirname, '../../src');

/** Values that one validator or another refuses. */
const BAD_VALUES = [
  undefined,
  null,
  '',
  'x',
  'password',
  'x'.repeat(70_000),
  '2026-02-31',
  -1e12,
  1e12,
  0.5,
  true,
  {},
  [],
  [1],
  ['x', 'x'],
  [{}],
  [{}, {}],
  Array.from({ length: 600 }, () => 'x'),
  [['10:00', '09:00']],
  [
    ['09:00', '11:00'],
    ['10:00', '12:00'],
  ],
];

/** What only a fault of a program causes: the value has another type, or comes from another page. */
const FAULTS = [
  /be (a list|an object|a text|true or false)$|^must contain only texts$/,
  /^is too large$|^has characters that are not possible here$/,
  /two words separated by a dot|a lower-case word/,
  /multipart\/form-data|is not a file that/,
  // The customer's page says it of a file that customers send.
  /be a JPEG, PNG, WebP or GIF picture or a PDF$/,
  /^cannot be combined with|^must not contain primary_id|^is not the call of this socket|^is not available:/,
  /^must have 1 to 64 letters/,
  // A page shows the error of a report or calendar, not of its period's field.
  /^must be at most \d+ days (before|after)/,
  /contain NUL$|not have more than|be nested deeper/,
  /^is not valid, or was used or has expired$/,
  // A parameter of a query that the service does not have, or a picture that was made to exhaust it.
  /^is unknown; |less memory and time to decode$/,
];

describe.each([
  ['pt', pt],
  ['es', es],
])('%s', (_language, texts) => itIsTranslated(texts, en));

let problems: Problem[];
let sentencesOfDtos: string[];

beforeAll(async () => {
  problems = await problemsOfDtos();
  sentencesOfDtos = [...new Set(problems.flatMap(({ sentences }) => sentences))];
});

describe('what the service says of fields', () => {
  it('is recognised: what its DTOs refuse', () => {
    expect(sentencesOfDtos.length).toBeGreaterThan(100);
    expect(sentencesOfDtos.filter(isUnknown)).toEqual([]);
  });

  it('is recognised: what its rules refuse', () => {
    // No form sends query parameters.
    const sentences = sentencesOfRules().filter((text) => !text.startsWith('is unknown'));
    expect(sentences.length).toBeGreaterThan(40);
    expect(sentences.filter(isUnknown)).toEqual([]);
  });

  it.each([
    [['is required'], en.missing],
    [['must not be empty'], en.missing],
    [['must have at least 3 characters', 'must be an e-mail address'], en.email],
    [['must have at least 8 characters'], en.minLength('8')],
    [['must contain only texts of 1 to 100 characters'], en.maxLength('100')],
    [['must be at least 1'], en.min('1')],
    [['must contain only these values: call.rated'], en.choice],
    [['contains "ftp://x", which is not the https URL of a site'], en.site('ftp://x')],
    [['must contain at most 3 items'], en.maxItems('3')],
    [['must have at most 20 sites'], en.maxItems('20')],
    [['is one of the most common passwords; choose another'], en.commonPassword],
    [['is required, because the customer joined without one'], en.missing],
    [['must be something new'], en.invalid],
  ])('%j is "%s"', (sentences, text) => {
    expect(problemText(sentences, en)).toBe(text);
  });
});

describe('each sentence that the service says of a field', () => {
  /** It follows the name of the field, which is not repeated, and has no full stop. */
  const STYLE = /^(must|is|has|names|contains|cannot|would|overlaps) [^.]|^are too/;
  /** Words of class-validator, and numbers that only say what a computer can count. */
  const FOREIGN =
    /equal to|\$|each value|regular expression|conforming|an array|string|boolean|integer|9007199254740991|undefined|null$/;

  const isForeign = (text: string) => !STYLE.test(text) || FOREIGN.test(text) || text.endsWith('.');

  it('is written for people, whatever a DTO refuses', () => {
    expect(sentencesOfDtos.filter(isForeign)).toEqual([]);
    expect(sentencesOfDtos).toContain('is required');
  });

  it('is written for people, whatever a rule refuses', () => {
    const wrong = sentencesOfRules().filter((text) => !STYLE.test(text) || text.endsWith('.'));
    expect(wrong).toEqual([]);
  });

  it('is the only one about its field, and does not name it', () => {
    for (const { name, field, sentences } of problems) {
      const of = `${name}.${field}: ${sentences.join(', ')}`;
      expect({ of, count: sentences.length }).toEqual({ of, count: 1 });
      expect({ of, names: sentences[0]?.startsWith(`${field} `) }).toEqual({ of, names: false });
    }
  });

  it('is "is required" for each field of a DTO that is missing or null', () => {
    const missing = problems.filter(({ value }) => value === undefined || value === null);
    expect(missing.length).toBeGreaterThan(100);
    for (const { name, field, sentences } of missing)
      expect({ name, field, sentences }).toEqual({ name, field, sentences: ['is required'] });
  });

  it('lists the known values', () => {
    const choices = problems.flatMap(({ name, field, sentences, type }) => {
      const rules = rulesOf(type);
      const rule = rules.find((of) => of.propertyName === field && of.name === 'isIn');
      return rule && /one of|only these/.test(sentences[0] ?? '') ? [{ name, field, rule, sentences }] : [];
    });
    expect(choices.length).toBeGreaterThan(20);
    for (const { rule, sentences } of choices)
      for (const known of rule.constraints[0] as string[]) expect(sentences[0]).toContain(known);
  });
});

const isUnknown = (sentence: string): boolean =>
  problemText([sentence], en) === en.invalid && !FAULTS.some((fault) => fault.test(sentence));

interface Problem {
  name: string;
  type: Type<object>;
  field: string;
  value: unknown;
  sentences: string[];
}

const pipe = new InputPipe();

const rulesOf = (type: Type<object>) =>
  getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);

/** What validation says when each field of each DTO has each of the bad values. */
async function problemsOfDtos(): Promise<Problem[]> {
  const types = globSync('**/*.dto.ts', { cwd: SOURCES }).flatMap((file) =>
    Object.values(require(join(SOURCES, file)) as Record<string, unknown>).filter(
      (value) => typeof value === 'function' && rulesOf(value as Type<object>).length > 0,
    ),
  ) as Type<object>[];
  return (await Promise.all(types.map(problemsOf))).flat();
}

async function problemsOf(type: Type<object>): Promise<Problem[]> {
  const rules = rulesOf(type);
  const fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
  // What has another form than a nested DTO is refused before other fields are checked.
  const nested = rules.filter((rule) => rule.type === 'nestedValidation').map((rule) => rule.propertyName);
  const groups = [fields.filter((field) => !nested.includes(field)), ...nested.map((field) => [field])];
  const cases = groups.flatMap((group) => BAD_VALUES.map((value) => ({ group, value })));
  const found = await Promise.all(
    cases.map(async ({ group, value }) => {
      const body = Object.fromEntries(group.map((field) => [field, value]));
      return Object.entries(await refusedFields(type, body)).map(([field, sentences]) => ({
        name: type.name,
        type,
        field,
        value: field.includes('.') ? 'an item' : body[field],
        sentences,
      }));
    }),
  );
  return found.flat();
}

async function refusedFields(metatype: Type<object>, value: object): Promise<FieldErrors> {
  try {
    await pipe.transform(value, { type: 'body', metatype });
    return {};
  } catch (error) {
    if (error instanceof ApiError) return error.fields ?? {};
    throw error;
  }
}

/** The sentences in the sources that are made for one field: `invalidField('name', '…')`, `{ name: ['…'] }` and the like. */
function sentencesOfRules(): string[] {
  const MADE = [
    /invalidField\(\s*[^,]+,\s*(['"`])(.+?)\1/gs,
    /[{,]\s*\w+: \[(['"`])((?:is|must|names) .+?)\1\]/gs,
    /(?:return|message:|[?:]) (['"`])((?:must|is|would) .+?)\1/g,
  ];
  const files = globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/*.spec.ts', 'platform/config/**'] });
  const found = files.flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    return MADE.flatMap((pattern) => [...source.matchAll(pattern)].map(([, , sentence = '']) => sentence));
  });
  // Names and numbers take the places of what the sources insert.
  return [...new Set(found)].map((text) =>
    text.replaceAll(/\$\{type.*?\}/g, 'CPF').replaceAll(/\$\{.*?\}/g, '5'),
  );
}
