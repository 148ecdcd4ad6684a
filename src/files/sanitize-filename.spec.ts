import { sanitizeFilename } from './sanitize-filename';

const long = (length: number) => 'a'.repeat(length);

describe('sanitizeFilename', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['Relatório nº 7 (final).pdf', 'Relatório nº 7 (final).pdf'],
    ['写真 🙂.jpg', '写真 🙂.jpg'],
    ['a "quoted"; 50%.txt', 'a "quoted"; 50%.txt'],
    ['.htaccess', '.htaccess'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['a..b', 'a..b'],
  ])('keeps %j', (name, kept) => {
    expect(sanitizeFilename(name)).toBe(kept);
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
  ])('turns %j into %j', (name, kept) => {
    expect(sanitizeFilename(name)).toBe(kept);
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
  ])('names %j `file`', (name) => {
    expect(sanitizeFilename(name)).toBe('file');
  });

  it.each([
    ['a name that just fits', `${long(251)}.pdf`, `${long(251)}.pdf`],
    ['a name that does not fit', `${long(252)}.pdf`, `${long(251)}.pdf`],
    ['a very long name', `${long(5000)}.jpeg`, `${long(250)}.jpeg`],
    ['a name without extension', long(300), long(255)],
    ['a name with only a leading dot', `.${long(300)}`, `.${long(254)}`],
    ['a suffix too long for an extension', `a.${long(300)}`, `a.${long(253)}`],
    ['a name of surrogate pairs', `${'🙂'.repeat(300)}.png`, `${'🙂'.repeat(251)}.png`],
  ])('cuts to 255 characters: %s', (_what, name, kept) => {
    expect(sanitizeFilename(name)).toBe(kept);
  });
});
