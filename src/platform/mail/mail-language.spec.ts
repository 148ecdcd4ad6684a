import { mailLanguage } from './mail-language';

describe('mailLanguage', () => {
  it.each([
    ['pt', 'pt'],
    ['pt-BR', 'pt'],
    ['PT-pt', 'pt'],
    ['pt_BR', 'pt'],
    ['en', 'en'],
    ['en-GB', 'en'],
    ['es', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
  ])('%j gives %s', (tag, language) => {
    expect(mailLanguage(tag)).toBe(language);
  });
});
