import { mailLanguage } from './mail-language';

describe('mailLanguage', () => {
  it.each([
    ['pt', 'pt'],
    ['pt-BR', 'pt'],
    ['PT-pt', 'pt'],
    ['pt_BR', 'pt'],
    ['en', 'en'],
    ['en-GB', 'en'],
    ['es', 'es'],
    ['es-MX', 'es'],
    ['ES_es', 'es'],
    ['est', 'en'],
    ['de', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
  ])('%j gives %s', (tag, language) => {
    expect(mailLanguage(tag)).toBe(language);
  });
});
