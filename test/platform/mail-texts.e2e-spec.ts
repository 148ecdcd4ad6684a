import { globSync } from 'node:fs';
import { join } from 'node:path';
import { LAYOUT_TEXTS, type MailLanguage } from '../../src/tenancy/mail/mail-language';

const ROOT = join(__dirname, '../..');

type ByLanguage = Record<MailLanguage, unknown>;

const isByLanguage = (value: unknown): value is ByLanguage =>
  typeof value === 'object' && value !== null && ['pt', 'en', 'es'].every((language) => language in value);

/** All texts of mails, by the name of their constant. */
function mailTexts(): [name: string, texts: ByLanguage][] {
  const files = globSync('src/**/*.texts.ts', { cwd: ROOT });
  const constants = files.flatMap((file) => Object.entries(require(join(ROOT, file)) as object));
  return [...constants, ['LAYOUT_TEXTS', LAYOUT_TEXTS]].filter(([, value]) => isByLanguage(value)) as [
    string,
    ByLanguage,
  ][];
}

/** What texts are made of. The values are no words of a language. */
const valuesOf = (reason: string) =>
  new Proxy(
    { reason, days: 5, [Symbol.toPrimitive]: () => '0' },
    { get: (known, name) => Reflect.get(known, name) ?? '0' },
  );

/** The sentences of texts, with their place. */
function sentencesOf(texts: unknown, reason: string, place = ''): [place: string, sentence: string][] {
  if (typeof texts === 'string') return [[place, texts]];
  if (typeof texts === 'function') return sentencesOf(texts(valuesOf(reason), '0'), reason, place);
  return Object.entries(texts as object).flatMap(([name, text]) =>
    sentencesOf(text, reason, `${place}.${name}`),
  );
}

/** Words and letters that are no Spanish. */
const FOREIGN =
  /[ãõç]|(?<!\p{L})(the|your|you|this|was|is|with|hello|if|link|for|você|seu|sua|não|uma|pelo|pela|em|olá|há|senha)(?!\p{L})/iu;

describe.each(mailTexts())('the mail %s', (_name, texts) => {
  it.each(['gone', 'failing', 'backlog'])('is Spanish for Spanish companies (%s)', (reason) => {
    const spanish = sentencesOf(texts.es, reason);
    expect(spanish.filter(([, sentence]) => FOREIGN.test(sentence))).toEqual([]);
    for (const language of ['pt', 'en'] as const) {
      const others = sentencesOf(texts[language], reason);
      expect(others.map(([place]) => place)).toEqual(spanish.map(([place]) => place));
      const same = others.filter(([, sentence], index) => sentence === spanish[index]?.[1]);
      expect(same.filter(([, sentence]) => /\p{L}/u.test(sentence))).toEqual([]);
    }
  });
});

it('there are texts for each kind of mail', () => {
  expect(mailTexts().map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'INVITATION_TEXTS',
      'RESET_TEXTS',
      'CHANGED_TEXTS',
      'SET_TEXTS',
      'ADDRESS_CHANGED_TEXTS',
      'CONFIRMATION_TEXTS',
      'CALLBACK_TEXTS',
      'DISABLED_MAIL_TEXTS',
      'APPOINTMENT_TEXTS',
      'LAYOUT_TEXTS',
    ]),
  );
});
