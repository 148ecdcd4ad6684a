import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { MailRejectedError } from '../../src/platform/mail/mail-transport';
import { type MailMessage, Mailer } from '../../src/platform/mail/mailer';
import { parseMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Sends mail from a durable job, as the contexts do. */
@Injectable()
class ProbeMails implements OnModuleInit {
  readonly attempts: string[] = [];

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<MailMessage>('probe-mail', async (message) => {
      this.attempts.push(message.to.address);
      await this.mailer.deliver(message);
    });
  }

  async enqueue(message: MailMessage): Promise<void> {
    await this.database.system((tx) => this.jobs.enqueue(tx, 'probe-mail', message));
  }

  attemptsFor(address: string): number {
    return this.attempts.filter((recipient) => recipient === address).length;
  }
}

@Module({ providers: [ProbeMails] })
class ProbeModule {}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

let addresses = 0;
const someAddress = () => `person-${++addresses}@example.com`;

const aMessage = (changes: Partial<MailMessage> = {}): MailMessage => ({
  to: { name: 'João Conceição', address: someAddress() },
  subject: 'Açaí & pão: sua senha — 日本',
  text: 'Olá, João!\n\nSegue o açaí.\n.\nA line after a lonely dot.\n',
  html: '<p lang="pt">Olá, <b>João</b>! Segue o açaí.</p>\n',
  ...changes,
});

const failureOf = async (work: Promise<unknown>): Promise<Error & { code?: string }> => {
  const error = await work.then(
    () => undefined,
    (error: Error) => error,
  );
  if (!error) throw new Error('the operation did not fail');
  return error;
};

/** Collects the lines that the application logs about mail from now on. */
function logOf(test: TestApp): string[] {
  const lines: string[] = [];
  const collect = (line: unknown, ...rest: unknown[]) => {
    if (rest.at(-1) === 'Mail') lines.push(String(line));
  };
  test.app.useLogger({
    log: collect,
    error: collect,
    warn: collect,
    debug: collect,
    verbose: collect,
    fatal: collect,
  });
  return lines;
}

describe('mail over SMTP', () => {
  let peer: SmtpPeer;
  let test: TestApp;
  let mails: ProbeMails;

  const send = (message: MailMessage) => test.get(Mailer).send(message);

  const jobOf = async (address: string) => {
    const { rows } = await test.db.query<{ state: string; retry_count: number }>(
      `SELECT state, retry_count FROM pgboss.job WHERE name = 'probe-mail' AND data->'to'->>'address' = $1`,
      [address],
    );
    return rows[0];
  };

  beforeAll(async () => {
    peer = await SmtpPeer.start();
    test = await startTestApp({
      env: { SMTP_URL: peer.url(), MAIL_FROM: 'Café da Manhã <ola@cafe.example>' },
      imports: [ProbeModule],
    });
    mails = test.get(ProbeMails);
  });

  afterAll(async () => {
    await test.close();
    await peer.stop();
  });

  describe('a message', () => {
    it('arrives unchanged with its text and HTML parts', async () => {
      const message = aMessage();
      await send(message);
      const received = await peer.messageTo(message.to.address);
      expect(received).toMatchObject({
        envelope: { from: 'ola@cafe.example', to: [message.to.address] },
        from: { name: 'Café da Manhã', address: 'ola@cafe.example' },
        to: [message.to],
        subject: message.subject,
        text: message.text,
        html: message.html,
      });
      expect(received.headers['content-type']).toMatch(/^multipart\/alternative/);
      const [head = ''] = received.raw.split('\r\n\r\n');
      expect(head).toMatch(/^[\r\n\x20-\x7e]+$/);
    });

    it('has the headers Date, Message-ID and Auto-Submitted', async () => {
      const [first, second] = [aMessage(), aMessage()];
      await send(first);
      test.clock.advance(3600);
      await send(second);
      const [before, after] = [
        await peer.messageTo(first.to.address),
        await peer.messageTo(second.to.address),
      ].map(({ headers }) => headers);
      expect(before).toMatchObject({
        'auto-submitted': 'auto-generated',
        'x-auto-response-suppress': 'OOF, AutoReply',
        'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@localhost>$/) as string,
      });
      expect(before).not.toHaveProperty('x-mailer');
      expect(after?.['message-id']).not.toBe(before?.['message-id']);
      const apart = Date.parse(after?.date ?? '') - Date.parse(before?.date ?? '');
      expect(apart / 1000).toBeGreaterThanOrEqual(3599);
      expect(apart / 1000).toBeLessThan(3660);
    });

    it('may have a recipient without a name', async () => {
      const message = aMessage({ to: { name: '', address: someAddress() } });
      await send(message);
      const { headers } = await peer.messageTo(message.to.address);
      expect(headers.to).toBe(message.to.address);
    });

    it('reuses the connection of earlier messages', async () => {
      await send(aMessage());
      const { connections } = peer;
      for (let n = 0; n < 3; n++) await send(aMessage());
      expect(peer.connections).toBe(connections);
    });
  });

  describe('hostile data', () => {
    it.each([
      ['CR LF', '\r\n'],
      ['LF', '\n'],
      ['CR', '\r'],
      ['an end of the headers', '\r\n\r\n'],
      ['a line separator', '\u2028'],
      ['NUL and LF', '\0\n'],
    ])('cannot inject a header: %s', async (_what, gap) => {
      const evil = `Eve${gap}Bcc: evil@example.com${gap}X-Evil: yes`;
      const message = aMessage({ to: { name: evil, address: someAddress() }, subject: evil });
      await send(message);
      const { headers, envelope, subject, to } = await peer.messageTo(message.to.address);
      expect(envelope.to).toEqual([message.to.address]);
      expect(Object.keys(headers).sort()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
        'x-auto-response-suppress',
      ]);
      expect(subject).toBe('Eve Bcc: evil@example.com X-Evil: yes');
      expect(to).toEqual([{ name: subject, address: message.to.address }]);
    });

    it.each([
      ['a command', 'a@example.com>\r\nRCPT TO:<evil@example.com'],
      ['angle brackets', 'a@example.com> <evil@example.com'],
      ['a list', 'a@example.com, evil@example.com'],
      ['an empty string', ''],
    ])('is rejected as an address: %s', async (_what, address) => {
      const before = peer.messages.length;
      const failure = await failureOf(send(aMessage({ to: { name: 'Eve', address } })));
      expect(failure).toBeInstanceOf(MailRejectedError);
      expect(failure.message).not.toContain('example.com');
      expect(peer.messages).toHaveLength(before);
      expect(peer.messagesTo('evil@example.com')).toEqual([]);
    });
  });

  describe('a rejection', () => {
    it.each([550, 501, 553, 554])('of the recipient with %d is permanent', async (reply) => {
      peer.refuseRecipients(1, reply);
      const failure = await failureOf(send(aMessage()));
      expect(failure).toBeInstanceOf(MailRejectedError);
      expect(failure).toMatchObject({ reason: `EENVELOPE, ${reply} to RCPT TO` });
    });

    it('of the message with 5yz is permanent', async () => {
      peer.refuseMessages(1, 554);
      const failure = await failureOf(send(aMessage()));
      expect(failure).toMatchObject({ name: 'MailRejectedError', reason: 'EMESSAGE, 554 to DATA' });
    });

    it.each([
      ['recipient', 450],
      ['message', 451],
    ])('of the %s with %d is temporary', async (what, reply) => {
      if (what === 'recipient') peer.refuseRecipients(1, reply);
      else peer.refuseMessages(1, reply);
      const failure = await failureOf(send(aMessage()));
      expect(failure).not.toBeInstanceOf(MailRejectedError);
      expect(failure).toMatchObject({ responseCode: reply });
    });

    it('does not affect the next message', async () => {
      peer.refuseRecipients(1, 550);
      const [refused, next] = [aMessage(), aMessage()];
      await failureOf(send(refused));
      await send(next);
      await peer.messageTo(next.to.address);
      expect(peer.messagesTo(refused.to.address)).toEqual([]);
    });
  });

  describe('a durable job', () => {
    it('retries after a temporary rejection and sends the message once', async () => {
      const lines = logOf(test);
      const message = aMessage();
      const { address } = message.to;
      peer.refuseRecipients(1, 450);
      await mails.enqueue(message);
      await peer.messageTo(address);
      await until(async () => (await jobOf(address))?.state === 'completed');
      expect(await jobOf(address)).toEqual({ state: 'completed', retry_count: 1 });
      expect(peer.messagesTo(address)).toHaveLength(1);
      expect(lines).toEqual(['A message could not be sent in this attempt (EENVELOPE, 450 to RCPT TO)']);
    });

    it('ends after a permanent rejection and logs no address', async () => {
      const lines = logOf(test);
      const message = aMessage();
      const { address } = message.to;
      peer.refuseRecipients(1, 550);
      await mails.enqueue(message);
      await until(async () => (await jobOf(address))?.state === 'completed');
      expect(mails.attemptsFor(address)).toBe(1);
      expect(peer.messagesTo(address)).toEqual([]);
      expect(lines).toEqual(['The message was rejected permanently (EENVELOPE, 550 to RCPT TO)']);
    });

    it('retries while the server is down', async () => {
      const message = aMessage();
      const { address } = message.to;
      await peer.stop();
      try {
        await mails.enqueue(message);
        await until(async () => (await jobOf(address))?.state === 'retry');
      } finally {
        await peer.listen();
      }
      await peer.messageTo(address);
      await until(async () => (await jobOf(address))?.state === 'completed');
      expect(mails.attemptsFor(address)).toBeGreaterThanOrEqual(2);
      expect(peer.messagesTo(address)).toHaveLength(1);
    });
  });

  it('reconnects when the server closed the connection between two messages', async () => {
    await send(aMessage());
    await peer.stop();
    await peer.listen();
    const message = aMessage();
    await send(message);
    await peer.messageTo(message.to.address);
  });
});

describe('mail over SMTP with a separate application per test', () => {
  let test: TestApp | undefined;
  let peer: SmtpPeer | undefined;

  const mailerAt = async (SMTP_URL: string): Promise<Mailer> => {
    test = await startTestApp({ env: { SMTP_URL } });
    return test.get(Mailer);
  };

  afterEach(async () => {
    await test?.close();
    await peer?.stop();
    test = peer = undefined;
  });

  describe('with authentication', () => {
    const credentials = { user: 'calls@example.com', password: 'p@ss/word: Açaí?#' };

    it('sends with the user and password of SMTP_URL', async () => {
      peer = await SmtpPeer.start({ credentials });
      const message = aMessage();
      await (await mailerAt(peer.url())).send(message);
      const { from } = await peer.messageTo(message.to.address);
      expect(from).toEqual({ name: '', address: 'no-reply@localhost' });
    });

    it.each([
      ['a wrong password', (url: URL) => (url.password = 'wrong'), 535],
      ['a missing password', (url: URL) => (url.username = url.password = ''), 530],
    ])('treats %s as a temporary failure', async (_what, change, reply) => {
      peer = await SmtpPeer.start({ credentials });
      const url = new URL(peer.url());
      change(url);
      const failure = await failureOf((await mailerAt(url.toString())).send(aMessage()));
      expect(failure).not.toBeInstanceOf(MailRejectedError);
      expect(failure).toMatchObject({ responseCode: reply });
      expect(peer.messages).toEqual([]);
    });
  });

  describe('over TLS', () => {
    it('sends nothing to a server with an untrusted certificate', async () => {
      peer = await SmtpPeer.start({ secure: true });
      const failure = await failureOf((await mailerAt(peer.url())).send(aMessage()));
      expect(failure).not.toBeInstanceOf(MailRejectedError);
      expect(failure.message).toMatch(/self-signed|certificate/);
      expect(peer.messages).toEqual([]);
    });

    it('sends neither message nor password unencrypted when TLS is required', async () => {
      peer = await SmtpPeer.start({ credentials: { user: 'calls', password: 'secret' } });
      const mailer = await mailerAt(peer.url({ requireTLS: 'true' }));
      expect(await failureOf(mailer.send(aMessage()))).toMatchObject({ code: 'ETLS' });
      expect(peer.messages).toEqual([]);
      expect(peer.logins).toBe(0);
    });

    it('sends to a server with an untrusted certificate when the check is disabled', async () => {
      peer = await SmtpPeer.start({ secure: true });
      const message = aMessage();
      await (await mailerAt(peer.url({ 'tls.rejectUnauthorized': 'false' }))).send(message);
      await peer.messageTo(message.to.address);
    });
  });

  describe('a server that stops responding', () => {
    let silent: Server;
    const sockets: Socket[] = [];

    const silentAfter = async (words: string): Promise<string> => {
      silent = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        socket.write(words);
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      return `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    };

    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
      silent.close();
    });

    it.each([
      ['before it greets', '', 'greetingTimeout', 'GREETING_TIMEOUT'],
      ['after it greeted', '220 hello\r\n', 'socketTimeout', 'SOCKET_TIMEOUT'],
    ])('%s causes a timeout', async (_when, words, option, timeoutType) => {
      const mailer = await mailerAt(`${await silentAfter(words)}?${option}=300`);
      const start = Date.now();
      const failure = await failureOf(mailer.send(aMessage()));
      expect(Date.now() - start).toBeGreaterThanOrEqual(290);
      expect(Date.now() - start).toBeLessThan(9000);
      expect(failure).not.toBeInstanceOf(MailRejectedError);
      expect(failure).toMatchObject({ code: 'ETIMEDOUT', timeoutType });
    });
  });

  it('closes its connections when the application stops', async () => {
    peer = await SmtpPeer.start();
    await (await mailerAt(peer.url())).send(aMessage());
    expect(peer.openConnections).toBe(1);
    await test?.close();
    test = undefined;
    await until(() => peer?.openConnections === 0);
  });
});

describe('mail without SMTP_URL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-mail-'));
  const folder = join(dataDir, 'mail');
  let test: TestApp;

  const files = () => readdirSync(folder).map((name) => join(folder, name));

  beforeAll(async () => {
    test = await startTestApp({ env: { DATA_DIR: dataDir, PUBLIC_URL: 'https://calls.example.com' } });
  });

  afterAll(async () => {
    await test.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is saved to DATA_DIR/mail with private permissions, and the log names the file', async () => {
    const lines = logOf(test);
    const message = aMessage({ to: { name: 'Ana\r\nBcc: evil@example.com', address: 'ana@example.org' } });
    await test.get(Mailer).deliver(message);
    const [file = '', ...others] = files();
    expect(others).toEqual([]);
    expect([modeOf(folder), modeOf(file)]).toEqual(['700', '600']);
    expect(file).toMatch(/\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{12}\.eml$/);
    expect(lines).toEqual([`No SMTP_URL is set: a message was not sent but saved to ${file}`]);
    const raw = readFileSync(file);
    expect(raw.toString()).not.toMatch(/[^\r]\n/);
    const mail = await parseMail(raw, { from: '', to: [] });
    expect(mail).toMatchObject({
      from: { name: '', address: 'no-reply@calls.example.com' },
      to: [{ name: 'Ana Bcc: evil@example.com', address: 'ana@example.org' }],
      subject: message.subject,
      text: message.text,
      html: message.html,
      headers: {
        'auto-submitted': 'auto-generated',
        'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@calls\.example\.com>$/) as string,
      },
    });
    expect(mail.headers).not.toHaveProperty('bcc');
  });

  it('is never visible half written', async () => {
    const big = aMessage({ html: `<p>${'açaí '.repeat(100_000)}</p>` });
    const before = files().length;
    const sent = Promise.all(Array.from({ length: 4 }, () => test.get(Mailer).send(big)));
    const areComplete: boolean[] = [];
    const checkFiles = async (): Promise<false> => {
      for (const file of files().filter((name) => name.endsWith('.eml'))) {
        areComplete.push(/\r\n--[^\r\n]+--\r\n$/.test(readFileSync(file).subarray(-200).toString()));
      }
      return new Promise((resolve) => setImmediate(resolve, false));
    };
    while (!(await Promise.race([sent, checkFiles()])));
    expect(areComplete).not.toContain(false);
    expect(files()).toHaveLength(before + 4);
    expect(files().every((file) => file.endsWith('.eml'))).toBe(true);
  });
});
