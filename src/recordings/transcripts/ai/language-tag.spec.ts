import { languageName, languageTag } from './language-tag';

describe('languageTag', () => {
  it.each([
    ['portuguese', 'pt'],
    ['English', 'en'],
    ['german', 'de'],
    ['chinese', 'zh'],
    ['haitian creole', 'ht'],
    ['hebrew', 'he'],
    ['pt', 'pt'],
    ['pt-br', 'pt-BR'],
    ['pt_BR', 'pt-BR'],
    ['PT', 'pt'],
    ['iw', 'he'],
    ['yue', 'yue'],
    ['zh-hans', 'zh-Hans'],
    ['klingonian', 'und'],
    ['x', 'und'],
    ['pt-', 'und'],
    ['<b>pt</b>', 'und'],
    ['', 'und'],
    [null, 'und'],
    [7, 'und'],
    [undefined, 'und'],
    [['pt'], 'und'],
  ])('of %j is %s', (language, tag) => {
    expect(languageTag(language)).toBe(tag);
  });
});

describe('languageName', () => {
  it.each([
    ['pt-BR', 'Brazilian Portuguese'],
    ['en', 'English'],
    ['not a tag', 'not a tag'],
  ])('of %s is %s', (tag, name) => {
    expect(languageName(tag)).toBe(name);
  });
});
