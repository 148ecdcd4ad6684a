import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../config/config';
import { describeSmtpFailure, isPermanentFailure, MailRejectedError } from './mail-rejected-error';

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
