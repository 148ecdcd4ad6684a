import { chooseLanguage, loadTexts } from './texts';

describe('chooseLanguage', () => {
  it.each([
    [['pt-BR', 'en'], 'pt'],
    [['de', 'ES-mx', 'en'], 'es'],
    [['de', 'fr'], 'en'],
    [['', 'pt'], 'pt'],
    [[], 'en'],
  ])('%p is %s', (wanted, language) => {
    expect(chooseLanguage(wanted)).toBe(language);
  });
});

const load = (text: string) => jest.fn(() => Promise.resolve({ default: { text } }));

describe('loadTexts', () => {
  it('loads the one language', async () => {
    const loaders = { pt: load('olá'), en: load('hello'), es: load('hola') };
    await expect(loadTexts(loaders, 'es')).resolves.toEqual({ text: 'hola' });
    expect(loaders.en).not.toHaveBeenCalled();
  });
});
