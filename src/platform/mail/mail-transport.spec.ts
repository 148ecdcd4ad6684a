import { isPermanentFailure, MailRejectedError, describeSmtpFailure } from './mail-transport';

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
    ['a message rejected as spam', reply(554, 'DATA', 'EMESSAGE')],
    ['an address that SMTP cannot express', { code: 'EENVELOPE', command: 'API' }],
    ['a message above the size limit of the server', { code: 'EMESSAGE', command: 'MAIL FROM' }],
  ])('is true for %s', (_what, failure) => {
    expect(isPermanentFailure(failure)).toBe(true);
  });

  it.each([
    ['greylisting', reply(450, 'RCPT TO')],
    ['a full mailbox', reply(452, 'RCPT TO')],
    ['a message deferred', reply(451, 'DATA', 'EMESSAGE')],
    ['a bad sequence of commands', reply(503, 'RCPT TO')],
    ['a rejected sender', reply(553, 'MAIL FROM')],
    ['required authentication', reply(530, 'RCPT TO')],
    ['a wrong password', reply(535, 'AUTH PLAIN', 'EAUTH')],
    ['a server that rejects the connection', reply(554, 'CONN', 'EPROTOCOL')],
    ['no connection', { code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }],
    ['a timeout', { code: 'ETIMEDOUT', command: 'CONN' }],
    ['an error without a code', new Error('Connection pool was closed')],
  ])('is false for %s', (_what, failure) => {
    expect(isPermanentFailure(failure)).toBe(false);
  });
});

describe('describeSmtpFailure', () => {
  it.each([
    [reply(550, 'RCPT TO'), 'EENVELOPE, 550 to RCPT TO'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'ESOCKET, ECONNREFUSED'],
    [{ code: 'EACCES' }, 'EACCES'],
    [new Error('550 <ana@example.com> unknown'), 'no code'],
  ])('of %j is %s', (failure, reason) => {
    expect(describeSmtpFailure(failure)).toBe(reason);
    expect(new MailRejectedError(describeSmtpFailure(failure)).message).toBe(
      `The message was rejected permanently (${reason})`,
    );
  });
});
