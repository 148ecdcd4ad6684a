import { withoutUrls } from './without-urls';

describe('withoutUrls', () => {
  it.each([
    ['Visit https://evil.example/win?a=b now', 'Visit … now'],
    ['HTTP://EVIL.example', '…'],
    ['see //evil.example/x', 'see …'],
    ['ftp://10.0.0.7/x', '…'],
    ['www.evil.example!', '…'],
    ['mailto:eve@evil.example?subject=x', '…'],
    ['evil.example/win', '…'],
    ['evil.example:8080', '…'],
    ['10.0.0.7/win', '…'],
    ['prêmio.exemplo/ganhe', '…'],
    ['Booking.com', 'Booking com'],
    ['@evil.example', '@evil example'],
    ['eve@evil.example/win', 'eve@…'],
    ['a.b.evil.example', 'a b evil example'],
    ['evil。example', 'evil example'],
    ['evil\n.example', 'evil .example'],
  ])('%j becomes %j', (text, expected) => {
    expect(withoutUrls(text)).toBe(expected);
  });

  it.each([
    'Padaria "Açaí" & Filhos S.A.',
    'Contrato; renovação, nº 7.5',
    'Reunião às 12:30, sala 3/4',
    'Sr. João: 1/2 hora',
    'v1.2.3',
    'and/or',
    'eve@mail.evil.example',
    'Nova data:10/05',
  ])('%j is not changed', (text) => {
    expect(withoutUrls(text)).toBe(text);
  });
});
