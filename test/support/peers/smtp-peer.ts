import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server';
import { until } from '../until';

/** A message as the server was handed it: the envelope, and what the parser found inside. */
export interface ReceivedMail {
  envelope: { from: string; to: string[] };
  from: Email['from'];
  to: Email['to'];
  subject: string | undefined;
  text: string;
  html: string;
  /** By lower-case name; of headers that came twice, both. */
  headers: Record<string, string>;
  raw: string;
}

interface Options {
  /** Whoever comes without them is turned away. */
  credentials?: { user: string; password: string };
  /** TLS from the first byte, with a certificate that nobody trusts. */
  secure?: boolean;
}

/** A real SMTP server on a free loopback port. It keeps what it is sent, and refuses what it is told to. */
export class SmtpPeer {
  readonly messages: ReceivedMail[] = [];
  /** How often somebody has connected. */
  connections = 0;
  /** How often somebody has sent a password, right or wrong. */
  logins = 0;
  private port = 0;
  private server: SMTPServer;
  private readonly refusals = { recipients: [] as number[], messages: [] as number[] };

  private constructor(private readonly options: Options) {}

  static async start(options: Options = {}): Promise<SmtpPeer> {
    const peer = new SmtpPeer(options);
    await peer.listen();
    return peer;
  }

  /** What SMTP_URL has to be; `query` takes options of nodemailer. */
  url(query: Record<string, string> = {}): string {
    const { credentials, secure } = this.options;
    const login = credentials && [credentials.user, credentials.password].map(encodeURIComponent).join(':');
    const url = new URL(`${secure ? 'smtps' : 'smtp'}://${login ? `${login}@` : ''}127.0.0.1:${this.port}`);
    url.search = new URLSearchParams(query).toString();
    return url.toString();
  }

  get openConnections(): number {
    return this.server.connections.size;
  }

  /** Answers the next `count` recipients with this SMTP reply, such as 450 or 550. */
  refuseRecipients(count: number, reply: number): void {
    this.refusals.recipients.push(...Array<number>(count).fill(reply));
  }

  /** Answers the next `count` messages with this SMTP reply, once it has read them. */
  refuseMessages(count: number, reply: number): void {
    this.refusals.messages.push(...Array<number>(count).fill(reply));
  }

  messagesTo(address: string): ReceivedMail[] {
    return this.messages.filter(({ envelope }) => envelope.to.includes(address));
  }

  /** The latest message to this recipient, as soon as there is one (that fits). */
  async messageTo(
    address: string,
    fits: (message: ReceivedMail) => boolean = () => true,
  ): Promise<ReceivedMail> {
    return until(
      () => this.messagesTo(address).findLast(fits),
      () => `no such message to ${address} among those to ${this.messages.map((m) => m.envelope.to).join()}`,
    );
  }

  /** Begins, or begins again on the same port. */
  async listen(): Promise<void> {
    this.server = new SMTPServer(this.serverOptions());
    this.server.on('error', () => {
      // A client that goes away, or does not trust the certificate, is no failure of the server.
    });
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', () => resolve()));
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  /** Hangs up on everybody and listens no more. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private serverOptions(): SMTPServerOptions {
    const { credentials, secure = false } = this.options;
    return {
      secure,
      // No warning about the certificate, either.
      logger: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      authOptional: !credentials,
      disableReverseLookup: true,
      closeTimeout: 1,
      onConnect: (_session, done) => {
        this.connections++;
        done();
      },
      onAuth: ({ username, password }, _session, done) => {
        this.logins++;
        const known = username === credentials?.user && password === credentials?.password;
        done(null, known ? { user: username } : {});
      },
      onRcptTo: ({ address }, _session, done) => done(refusal(this.refusals.recipients, `<${address}>`)),
      onData: (stream, { envelope }, done) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        this.receive(stream, { from, to }).then(
          () => done(),
          (error: Error) => done(error),
        );
      },
    };
  }

  private async receive(stream: SMTPServerDataStream, envelope: ReceivedMail['envelope']): Promise<void> {
    const raw = await buffer(stream);
    const refused = refusal(this.refusals.messages, 'This message');
    if (refused) throw refused;
    this.messages.push(await parseMail(raw, envelope));
  }
}

/** What is in a message of RFC 5322. */
export async function parseMail(raw: Buffer, envelope: ReceivedMail['envelope']): Promise<ReceivedMail> {
  const { from, to, subject, text = '', html = '', headers } = await PostalMime.parse(raw);
  const byName: Record<string, string> = {};
  for (const { key, value } of headers) byName[key] = key in byName ? `${byName[key]}, ${value}` : value;
  return {
    envelope,
    from,
    to,
    subject,
    text: withoutLastBreak(text),
    html: withoutLastBreak(html),
    headers: byName,
    raw: raw.toString('utf8'),
  };
}

/** The break before a boundary belongs to the boundary (RFC 2046, 5.1.1); the parser leaves it on the part. */
const withoutLastBreak = (part: string) => part.replace(/\n$/, '');

/** The next of these replies, in words that repeat who or what was refused, as servers do. */
function refusal(replies: number[], what: string): Error | null {
  const responseCode = replies.shift();
  return responseCode ? Object.assign(new Error(`${what} is not taken here`), { responseCode }) : null;
}
