import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { fieldErrors } from '../../src/platform/http/input/input.pipe';
import type { Type } from '@nestjs/common';
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
  /(be|in \w+ must be) (an array|an object|a string|a boolean value|either object or array)$/,
  /regular expression$/,
  /two words separated by a dot|a lower-case word/,
  /multipart\/form-data|is not a file that/,
  // The customer's page says it of a file that customers send.
  /be a JPEG, PNG, WebP or GIF picture or a PDF$/,
  /^cannot be combined with|^must not contain primary_id|^is not the call of this socket|^is not available:/,
  /^must have 1 to 64 letters/,
  /contain NUL$|not have more than|be nested deeper/,
  /^is not valid, or was used or has expired$/,
];

describe.each([
  ['pt', pt],
  ['es', es],
])('%s', (_language, texts) => itIsTranslated(texts, en));

describe('what the service says of fields', () => {
  it('is recognised: what its DTOs refuse', () => {
    const sentences = sentencesOfDtos();
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter(isUnknown)).toEqual([]);
  });

  it('is recognised: what its rules refuse', () => {
    const sentences = sentencesOfRules();
    expect(sentences.length).toBeGreaterThan(40);
    expect(sentences.filter(isUnknown)).toEqual([]);
  });

  it.each([
    [['name must be longer than or equal to 1 characters'], en.missing],
    [['name must be longer than or equal to 1 and shorter than or equal to 255 characters'], en.missing],
    [['email must be longer than or equal to 3 characters', 'email must be an email'], en.email],
    [['password must be longer than or equal to 8 characters'], en.minLength('8')],
    [['each value in pause_reasons must be shorter than or equal to 100 characters'], en.maxLength('100')],
    [['max_queue_size must not be less than 1'], en.min('1')],
    [['contains "ftp://x", which is not the https URL of a site'], en.site('ftp://x')],
    [['must contain no more than 3 items'], en.maxItems('3')],
    [['must have at most 20 sites'], en.maxItems('20')],
    [['is one of the most common passwords; choose another'], en.commonPassword],
    [['is required, because the customer joined without one'], en.missing],
    [['must be something new'], en.invalid],
  ])('%j is "%s"', (sentences, text) => {
    expect(problemText(sentences, en)).toBe(text);
  });
});

const isUnknown = (sentence: string): boolean =>
  problemText([sentence], en) === en.invalid && !FAULTS.some((fault) => fault.test(sentence));

/** What validation says when each field of each DTO has each of the bad values. */
function sentencesOfDtos(): string[] {
  const sentences = new Set<string>();
  for (const file of globSync('**/*.dto.ts', { cwd: SOURCES })) {
    const exported = Object.values(require(join(SOURCES, file)) as Record<string, unknown>);
    for (const type of exported.filter((value) => typeof value === 'function') as Type<object>[]) {
      for (const sentence of sentencesOf(type)) sentences.add(sentence);
    }
  }
  return [...sentences];
}

function sentencesOf(type: Type<object>): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = new Set(rules.map(({ propertyName }) => propertyName));
  return [...fields].flatMap((field) =>
    BAD_VALUES.flatMap((value) => {
      const errors = validateSync(plainToInstance(type, { [field]: value }));
      return Object.values(fieldErrors(errors)).flat();
    }),
  );
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
