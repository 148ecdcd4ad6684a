import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../config/config';

/** Sends composed messages: by SMTP, or into a folder. */
export interface MailTransport {
  /** @throws MailRejectedError, or nodemailer's error if a retry may succeed */
  send(message: SendMailOptions): Promise<void>;
  /** Messages that are being sent are completed first. */
  close(): void;
}

export const mailTransport = ({ smtpUrl, dataDir }: Config): MailTransport =>
  smtpUrl ? smtpTransport(smtpUrl) : folderTransport(resolve(dataDir, 'mail'));

/** Milliseconds: to connect, until the greeting, and of silence. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends messages to an SMTP server (RFC 5321) over a pool of connections.
 * @param url smtp:// or smtps://; nodemailer's options in its query override the ones here
 */
function smtpTransport(url: string): MailTransport {
  const pool = createTransport({
    url,
    pool: true,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      try {
        await pool.sendMail(message);
      } catch (error) {
        throw isPermanentFailure(error) ? new MailRejectedError(describeSmtpFailure(error)) : error;
      }
    },
    close: () => pool.close(),
  };
}

/** Without an SMTP server: each message is a file (RFC 5322) that only the user of the service can read. */
function folderTransport(folder: string): MailTransport {
  const logger = new Logger('Mail');
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(message) {
      const { message: content } = await writer.sendMail(message);
      const file = join(folder, fileName(new Date(message.date ?? Date.now())));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Renamed once it is complete, so that no reader finds half a message.
      await writeFile(`${file}.part`, content, { mode: 0o600, flag: 'wx' });
      await rename(`${file}.part`, file);
      logger.warn(`No SMTP_URL is set: a message was not sent but saved to ${file}`);
    },
    close() {},
  };
}

/** A unique name that sorts by time. */
function fileName(date: Date): string {
  return `${date.toISOString().replace(/[:.]/g, '-')}-${randomBytes(6).toString('hex')}.eml`;
}

/** The properties of nodemailer's errors. Those of the SMTP reply are undefined if there was none. */
interface SmtpError {
  code?: string;
  originalCode?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** The server rejected the recipient or the content permanently, so retries cannot succeed. */
export class MailRejectedError extends Error {
  /** @param reason codes alone, since the server's text often repeats the recipient's address */
  constructor(readonly reason: string) {
    super(`The message was rejected permanently (${reason})`);
    this.name = 'MailRejectedError';
  }
}

/** Replies about credentials (RFC 4954, 6): the configuration is wrong, not the message. */
const AUTHENTICATION_REPLIES = [530, 534, 535, 538];

/**
 * Whether retries are pointless: a 5yz reply (RFC 5321, 4.2.1) to the recipient or the message, or an address
 * that SMTP cannot express. A rejected sender is a problem of the configuration and retried.
 */
export function isPermanentFailure(failure: unknown): boolean {
  const { code = '', command = '', responseCode, permanent } = failure as SmtpError;
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE';
  const aboutMessage = command === 'RCPT TO' || command === 'DATA';
  return aboutMessage && permanent === true && !AUTHENTICATION_REPLIES.includes(responseCode);
}

/** The codes of an error, which contain no address. */
export function describeSmtpFailure(failure: unknown): string {
  const { code, originalCode, command, responseCode } = failure as SmtpError;
  const codes = [code, originalCode, command && responseCode ? `${responseCode} to ${command}` : undefined];
  return codes.filter((part) => part !== undefined).join(', ') || 'no code';
}
