import { mailboxOf } from './mailbox';

describe('mailboxOf', () => {
  it.each([
    ['ana@example.com', 'ana@example.com'],
    [' ANA+news@Example.com', 'ana@example.com'],
    ['"ana"@example.com', 'ana@example.com'],
    ['a.n.a+x@googlemail.com', 'ana@gmail.com'],
    ['Ana@GMAIL.com', 'ana@gmail.com'],
    ['a.n.a@example.com', 'a.n.a@example.com'],
    ['\u00c1na@example.com', 'ana@example.com'],
    ['A\u0301na@example.com', 'ana@example.com'],
    ['ana@B\u00dcCHER.example', 'ana@xn--bcher-kva.example'],
    ['ana@bu\u0308cher.example', 'ana@xn--bcher-kva.example'],
    ['ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
  ])('gives %s the mailbox %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });

  it.each([
    ['ana@example.com', 'bia@example.com'],
    ['ana@b\u00fccher.example', 'ana@bucher.example'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(mailboxOf(one)).not.toBe(mailboxOf(other));
  });
});
