import { inviteesIn } from './invitation-lines';

describe('inviteesIn', () => {
  it.each([
    ['', []],
    ['ana.souza@example.com', [{ name: 'Ana Souza', email: 'ana.souza@example.com' }]],
    ['Ana <a@example.com>', [{ name: 'Ana', email: 'a@example.com' }]],
    ['"Souza, Ana" <a@example.com>;', [{ name: 'Souza, Ana', email: 'a@example.com' }]],
    ['<a@example.com>', [{ name: 'A', email: 'a@example.com' }]],
    [
      '  bo@example.com,\r\n\n nobody ',
      [
        { name: 'Bo', email: 'bo@example.com' },
        { name: 'Nobody', email: 'nobody' },
      ],
    ],
    ['@example.com', [{ name: '@example.com', email: '@example.com' }]],
  ])('%j', (text, invitees) => {
    expect(inviteesIn(text)).toEqual(invitees);
  });
});
