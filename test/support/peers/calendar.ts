import PostalMime from 'postal-mime';
import type { ReceivedMail } from './smtp-peer';

/** What a mail tells calendars, as a calendar would find it. */
export interface ReceivedCalendar {
  /** Of the part's content type; has to be the object's own (RFC 6047, 2.4). */
  method: string | undefined;
  /** As they were before they were folded (RFC 5545, 3.1). */
  lines: string[];
  /** The value of the first line of that name, whatever its parameters. */
  field(name: string): string | undefined;
}

/** Finds it beside text and HTML; a copy is attached, for whoever has to save it. */
export async function calendarIn({ raw }: ReceivedMail): Promise<ReceivedCalendar> {
  const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const [part, copy, ...others] = attachments;
  if (part?.mimeType !== 'text/calendar' || copy?.mimeType !== 'application/ics' || others.length > 0) {
    throw new Error(`no calendar among ${attachments.map(({ mimeType }) => mimeType).join(', ')}`);
  }
  if (copy.content !== part.content) throw new Error('the attached copy says something else');
  const lines = (part.content as string).replaceAll('\r\n ', '').replaceAll('\n ', '').split(/\r?\n/);
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))?.replace(/^[^:]*:/, '');
  if (field('METHOD') !== part.method) throw new Error(`${part.method} brings ${field('METHOD')}`);
  return { method: part.method, lines, field };
}
