import { ICalAttendeeRole, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Recipient } from './appointment-mail-queue';

/** An appointment as a calendar event. */
export interface CalendarEvent {
  /** Stays the same in every version of the event. */
  uid: string;
  /** Increases with every version (RFC 5545, 3.8.7.4). */
  sequence: number;
  is_cancelled: boolean;
  starts_at: Date;
  ends_at: Date;
  summary: string;
  description: string;
  url: string | null;
  organizer: Recipient;
  attendee: Recipient;
  /** When this version was created. */
  stamp: Date;
}

const PRODUCT = { company: 'video-call-queue', product: 'appointments' };

/**
 * Returns the event as an iCalendar object (RFC 5545) that invites the attendee or cancels the invitation (iTIP,
 * RFC 5546). It requests no reply, because replies are not processed.
 */
export function toICalendar(event: CalendarEvent): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const { REQUEST, CANCEL } = ICalCalendarMethod;
  const method = event.is_cancelled ? CANCEL : REQUEST;
  const calendar = new ICalCalendar({ prodId: PRODUCT, method });
  calendar.createEvent({
    id: event.uid,
    sequence: event.sequence,
    stamp: event.stamp,
    start: event.starts_at,
    end: event.ends_at,
    summary: event.summary,
    description: event.description,
    url: event.url,
    location: event.url,
    status: event.is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: event.organizer.name, email: event.organizer.address },
    attendees: [
      {
        name: event.attendee.name,
        email: addressInUri(event.attendee.address),
        role: ICalAttendeeRole.REQ,
        rsvp: false,
      },
    ],
  });
  return { method, content: calendar.toString() };
}

/** Calendars take it as a `mailto:` URI, in which `?` would begin headers (RFC 6068). */
const addressInUri = (address: string): string =>
  address
    .split('@')
    .map((part) => encodeURIComponent(part).replaceAll('%2B', '+'))
    .join('@');
