import { isPermanentFailure, MailRejectedError, describeSmtpFailure } from './mail-rejected-error';

const reply = (responseCode: number, command: string, code = 'EENVELOPE') => ({
  code,
  command,
  responseCode,
  permanent: responseCode >= 500 && responseCode !== 503,
});

describe('isRefusal', () => {
  it.each([
    ['no such mailbox', reply(550, 'RCPT TO')],
    ['bad address syntax', reply(501, 'RCPT TO')],
    ['the message as spam', reply(554, 'DATA', 'EMESSAGE')],
    ['an address that fits in no command', { code: 'EENVELOPE', command: 'API' }],
    ['a message larger than the server takes', { code: 'EMESSAGE', command: 'MAIL FROM' }],
  ])('is %s', (_what, failure) => {
    expect(isPermanentFailure(failure)).toBe(true);
  });

  it.each([
    ['greylisting', reply(450, 'RCPT TO')],
    ['a full mailbox', reply(452, 'RCPT TO')],
    ['a message deferred', reply(451, 'DATA', 'EMESSAGE')],
    ['a session in disorder', reply(503, 'RCPT TO')],
    ['a sender refused', reply(553, 'MAIL FROM')],
    ['authentication demanded', reply(530, 'RCPT TO')],
    ['a wrong password', reply(535, 'AUTH PLAIN', 'EAUTH')],
    ['a server that greets with a refusal', reply(554, 'CONN', 'EPROTOCOL')],
    ['no connection', { code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }],
    ['silence', { code: 'ETIMEDOUT', command: 'CONN' }],
    ['an error without a code', new Error('Connection pool was closed')],
  ])('is not %s', (_what, failure) => {
    expect(isPermanentFailure(failure)).toBe(false);
  });
});

describe('the reason', () => {
  it.each([
    [reply(550, 'RCPT TO'), 'EENVELOPE, 550 to RCPT TO'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'ESOCKET, ECONNREFUSED'],
    [{ code: 'EACCES' }, 'EACCES'],
    [new Error('550 <ana@example.com> unknown'), 'no code'],
  ])('of %j is %s', (failure, reason) => {
    expect(describeSmtpFailure(failure)).toBe(reason);
    expect(new MailRejectedError(describeSmtpFailure(failure)).message).toBe(
      `The message was refused for good (${reason})`,
    );
  });
});
