import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import type { MailTransport } from './mail-transport';

/**
 * Used without an SMTP server: writes each message to a file (RFC 5322) that only the user of the service can
 * read.
 */
export class FolderTransport implements MailTransport {
  private readonly logger = new Logger('Mail');
  private readonly folder: string;
  private readonly writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(dataDir: string) {
    this.folder = resolve(dataDir, 'mail');
  }

  async send(message: SendMailOptions): Promise<void> {
    const { message: content } = await this.writer.sendMail(message);
    const file = join(this.folder, fileName(new Date(message.date ?? Date.now())));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // Renamed once it is complete, so that no reader finds half a message.
    await writeFile(`${file}.part`, content, { mode: 0o600, flag: 'wx' });
    await rename(`${file}.part`, file);
    this.logger.warn(`No SMTP_URL is set: a message was not sent but saved to ${file}`);
  }

  close(): void {}
}

/** A unique name that sorts by time. */
function fileName(date: Date): string {
  return `${date.toISOString().replace(/[:.]/g, '-')}-${randomBytes(6).toString('hex')}.eml`;
}
