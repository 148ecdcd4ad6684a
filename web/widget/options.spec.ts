import { readOptions } from './options';

const SRC = 'https://calls.example/widget.js?v=1';
const read = (dataset: Record<string, string>, languages = ['es-MX', 'en']) =>
  readOptions({ src: SRC, dataset }, languages);

describe('readOptions', () => {
  it('has defaults for all but the link', () => {
    expect(read({ link: 'V1StGXR8_Z5-' })).toEqual({
      origin: 'https://calls.example',
      token: 'V1StGXR8_Z5-',
      label: '',
      position: 'bottom-right',
      language: 'es',
    });
  });

  it('reads all attributes', () => {
    expect(
      read({ link: 'abc', label: ' Fale conosco ', position: 'inline', language: 'pt-BR' }),
    ).toMatchObject({
      label: 'Fale conosco',
      position: 'inline',
      language: 'pt',
    });
  });

  it.each([
    'https://calls.example/c/abc',
    'https://calls.example/c/abc?lang=pt#x',
    '/c/abc',
    '/c/abc. ',
    'abc)',
  ])('finds the token in %s', (link) => expect(read({ link }).token).toBe('abc'));

  it.each(['', 'https://calls.example/c/', 'a b', '<img>', 'x'.repeat(129)])(
    'refuses the link %j',
    (link) => {
      expect(() => read({ link })).toThrow('data-link');
    },
  );

  it('places the button at the bottom right if the position is unknown', () => {
    expect(read({ link: 'abc', position: 'top' }).position).toBe('bottom-right');
  });
});
