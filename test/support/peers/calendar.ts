import PostalMime from 'postal-mime';
import type { ReceivedMail } from './smtp-peer';

/** The iCalendar object of a mail, as a calendar application reads it. */
export interface ReceivedCalendar {
  /** The method of the part's content type, which equals the method of the object (RFC 6047, 2.4). */
  method: string | undefined;
  /** The unfolded lines (RFC 5545, 3.1). */
  lines: string[];
  /** The value of the first line with that name, ignoring its parameters. */
  field(name: string): string | undefined;
}

/** Finds the calendar part of a mail. @throws Error unless the mail also has an identical copy as an attachment */
export async function calendarIn({ raw }: ReceivedMail): Promise<ReceivedCalendar> {
  const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const [part, copy, ...others] = attachments;
  if (part?.mimeType !== 'text/calendar' || copy?.mimeType !== 'application/ics' || others.length > 0) {
    throw new Error(`no calendar among ${attachments.map(({ mimeType }) => mimeType).join(', ')}`);
  }
  if (copy.content !== part.content) throw new Error('the attached copy differs');
  const lines = (part.content as string).replaceAll('\r\n ', '').replaceAll('\n ', '').split(/\r?\n/);
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))?.replace(/^[^:]*:/, '');
  if (field('METHOD') !== part.method)
    throw new Error(`the part has the method ${part.method}, the calendar ${field('METHOD')}`);
  return { method: part.method, lines, field };
}
