import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server';
import { until } from '../until';

/** A message that the server received: its envelope and its parsed content. */
export interface ReceivedMail {
  envelope: { from: string; to: string[] };
  from: Email['from'];
  to: Email['to'];
  subject: string | undefined;
  text: string;
  html: string;
  /** By lower-case name. The values of repeated headers are joined. */
  headers: Record<string, string>;
  raw: string;
}

interface Options {
  /** Clients without these credentials are rejected. */
  credentials?: { user: string; password: string };
  /** Implicit TLS with an untrusted certificate. */
  secure?: boolean;
}

/** A real SMTP server on a free loopback port. It stores the messages and can reject recipients and messages. */
export class SmtpPeer {
  readonly messages: ReceivedMail[] = [];
  /** The number of connections so far. */
  connections = 0;
  /** The number of login attempts, successful or not. */
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

  /** The value for SMTP_URL. @param query options of nodemailer */
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

  /** Answers the next `count` messages with this SMTP reply after reading them. */
  refuseMessages(count: number, reply: number): void {
    this.refusals.messages.push(...Array<number>(count).fill(reply));
  }

  /** Ends what refuseMessages has begun. */
  acceptMessages(): void {
    this.refusals.messages.length = 0;
  }

  messagesTo(address: string): ReceivedMail[] {
    return this.messages.filter(({ envelope }) => envelope.to.includes(address));
  }

  /** Waits for a message to this recipient. @returns the latest one that `matches` accepts */
  async messageTo(
    address: string,
    matches: (message: ReceivedMail) => boolean = () => true,
  ): Promise<ReceivedMail> {
    return until(
      () => this.messagesTo(address).findLast(matches),
      () => `no such message to ${address} among those to ${this.messages.map((m) => m.envelope.to).join()}`,
    );
  }

  /** Starts, or restarts on the same port. */
  async listen(): Promise<void> {
    this.server = new SMTPServer(this.serverOptions());
    this.server.on('error', () => {
      // Clients may disconnect or reject the certificate.
    });
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', () => resolve()));
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  /** Closes all connections and stops listening. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private serverOptions(): SMTPServerOptions {
    const { credentials, secure = false } = this.options;
    return {
      secure,
      // Also suppresses a warning about the certificate.
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

/** Parses a message (RFC 5322). */
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

/** The line break before a boundary belongs to the boundary (RFC 2046, 5.1.1), but the parser adds it to the part. */
const withoutLastBreak = (part: string) => part.replace(/\n$/, '');

/** Takes the next reply. Its text names the rejected recipient or message, as servers do. */
function refusal(replies: number[], what: string): Error | null {
  const responseCode = replies.shift();
  return responseCode ? Object.assign(new Error(`${what} is not accepted here`), { responseCode }) : null;
}
