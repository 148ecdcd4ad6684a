import { ICalAttendeeRole, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Recipient } from './appointment-mail-queue';

/** What a calendar is told of an appointment. */
export interface CalendarEvent {
  /** The same in every version. */
  uid: string;
  /** Grows with every version (RFC 5545, 3.8.7.4). */
  sequence: number;
  is_cancelled: boolean;
  starts_at: Date;
  ends_at: Date;
  summary: string;
  description: string;
  url: string | null;
  organizer: Recipient;
  attendee: Recipient;
  /** When this version was made. */
  stamp: Date;
}

const PRODUCT = { company: 'video-call-queue', product: 'appointments' };

/**
 * The entry as an iCalendar object (RFC 5545) for one who is invited, or no longer is (iTIP, RFC 5546). Nobody reads
 * an answer, so none is asked for.
 */
export function toICalendar(entry: CalendarEvent): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const { REQUEST, CANCEL } = ICalCalendarMethod;
  const method = entry.is_cancelled ? CANCEL : REQUEST;
  const calendar = new ICalCalendar({ prodId: PRODUCT, method });
  calendar.createEvent({
    id: entry.uid,
    sequence: entry.sequence,
    stamp: entry.stamp,
    start: entry.starts_at,
    end: entry.ends_at,
    summary: entry.summary,
    description: entry.description,
    url: entry.url,
    location: entry.url,
    status: entry.is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: entry.organizer.name, email: entry.organizer.address },
    attendees: [
      { name: entry.attendee.name, email: entry.attendee.address, role: ICalAttendeeRole.REQ, rsvp: false },
    ],
  });
  return { method, content: calendar.toString() };
}
