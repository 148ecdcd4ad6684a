import { mailLink, phoneLink } from './contact-links';

describe('the link of an e-mail address', () => {
  it.each([
    ['joao@example.com', 'mailto:joao@example.com'],
    ['joao+shop@example.com', 'mailto:joao+shop@example.com'],
    ['x?bcc=eve@evil.example', 'mailto:x%3Fbcc%3Deve@evil.example'],
    ['x?subject=a&body=b@evil.example', 'mailto:x%3Fsubject%3Da%26body%3Db@evil.example'],
    ['a,b@evil.example', 'mailto:a%2Cb@evil.example'],
    ['x%3Fbcc%3Deve@evil.example', 'mailto:x%253Fbcc%253Deve@evil.example'],
    ['x#y@evil.example\r\nBcc: z', 'mailto:x%23y@evil.example%0D%0ABcc%3A%20z'],
    ['josé@exämple.com', 'mailto:jos%C3%A9@ex%C3%A4mple.com'],
  ])('%j is %s', (email, link) => {
    expect(mailLink(email)).toBe(link);
    // What a mail program reads from it: one address and no header.
    const { search, hash, pathname } = new URL(link);
    expect([search, hash, decodeURIComponent(pathname)]).toEqual(['', '', email]);
  });
});

describe('the link of a phone number', () => {
  it.each([
    ['+55 11 91234-5678', 'tel:+5511912345678'],
    ['(11) 3333-4444', 'tel:1133334444'],
    ['(11) 3333-4444 ramal 22', 'tel:1133334444'],
    ['+55 11 3333-4444;ext=22', 'tel:+551133334444'],
    ['(0xx11) 98765-4321', 'tel:11987654321'],
    ['0 XX 11 98765-4321', 'tel:11987654321'],
    ['+55 (0xx11) 3333-4444', 'tel:+551133334444'],
    ['+55 (0)11 3333-4444', 'tel:+551133334444'],
    ['(+55) 11 3333–4444', 'tel:+551133334444'],
    ['＋５５ １１ ３３３３-４４４４', 'tel:+551133334444'],
    ['Tel: 11 3333-4444', 'tel:1133334444'],
    ['tel:+55-11-3333-4444', 'tel:+551133334444'],
    ['Tel. (11) 3333-4444', 'tel:1133334444'],
    ['11 3333-4444 (Maria, after 18h)', 'tel:1133334444'],
    ['030/1234567', 'tel:0301234567'],
    ['190', 'tel:190'],
    ['+551133334444;phone-context=evil.example', 'tel:+551133334444'],
  ])('%j is %s', (phone, link) => {
    expect(phoneLink(phone)).toBe(link);
  });

  it.each([
    '',
    'none',
    '*#',
    '+',
    '1',
    '11+22',
    '*#06#',
    '*21*1133334444#',
    '0800?x=1&y',
    '11 3333-4444 / 11 99999-8888',
    '3333-4444/5555',
    '11 3333-4444 11 99999-8888',
    '11 3333-4444, 11 99999-8888',
    '11 3333-4444 ou 99999-8888',
    'after 18h 11 3333-4444',
  ])('%j has none, for it is not one number', (phone) => {
    expect(phoneLink(phone)).toBeUndefined();
  });
});
