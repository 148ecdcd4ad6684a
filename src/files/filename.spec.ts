import { keptFilename } from './filename';

const long = (length: number) => 'a'.repeat(length);

describe('keptFilename', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['Relatório nº 7 (final).pdf', 'Relatório nº 7 (final).pdf'],
    ['写真 🙂.jpg', '写真 🙂.jpg'],
    ['a "quoted"; 50%.txt', 'a "quoted"; 50%.txt'],
    ['.htaccess', '.htaccess'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['a..b', 'a..b'],
  ])('keeps %j', (name, kept) => {
    expect(keptFilename(name)).toBe(kept);
  });

  it.each([
    ['/etc/passwd', 'passwd'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Ana\\photo.png', 'photo.png'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['a/b\\c.txt', 'c.txt'],
    ['a\\b/c.txt', 'c.txt'],
    ['evil.txt\u0000.png', 'evil.txt.png'],
    ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie: x.txt'],
    ['tab\there\u007f\u0085.txt', 'tabhere.txt'],
    ['invoice\u202Egpj.exe', 'invoicegpj.exe'],
    ['\u2066a\u2069\u200e\u200f\u061c.txt', 'a.txt'],
    ['two\u2028lines\u2029.txt', 'twolines.txt'],
    ['half \ud83d of a pair.txt', 'half  of a pair.txt'],
    ['  spaces.txt \u00a0', 'spaces.txt'],
  ])('makes %j %j', (name, kept) => {
    expect(keptFilename(name)).toBe(kept);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    '...',
    '/',
    'folder/',
    'folder\\',
    '../..',
    '\u0000',
    '\u202e\u2066',
    '.\u0001.',
  ])('makes %j a file', (name) => {
    expect(keptFilename(name)).toBe('file');
  });

  it.each([
    ['a name that just fits', `${long(251)}.pdf`, `${long(251)}.pdf`],
    ['one that does not', `${long(252)}.pdf`, `${long(251)}.pdf`],
    ['a long one', `${long(5000)}.jpeg`, `${long(250)}.jpeg`],
    ['one without extension', long(300), long(255)],
    ['one with a dot at its beginning alone', `.${long(300)}`, `.${long(254)}`],
    ['one with an extension that is none', `a.${long(300)}`, `a.${long(253)}`],
    ['one of characters that are two units each', `${'🙂'.repeat(300)}.png`, `${'🙂'.repeat(251)}.png`],
  ])('cuts to 255 characters: %s', (_what, name, kept) => {
    expect(keptFilename(name)).toBe(kept);
  });
});
