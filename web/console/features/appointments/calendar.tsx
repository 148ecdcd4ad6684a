import '@event-calendar/core/index.css';
import './calendar.css';
import {
  createCalendar,
  DayGrid,
  destroyCalendar,
  Interaction,
  List,
  TimeGrid,
  type Calendar as EventCalendar,
} from '@event-calendar/core';
import { useEffect, useRef } from 'react';
import type { Language } from '../../../shared/texts/texts';
import { formatRangeAs, formatTimeAs, type DateForm } from '../../ui/dates';
import { useLanguage } from '../../texts/language';
import { addMinutes, zoneOffset, type WallTime } from '../../ui/wall-time';
import { wallTimeFrom, type CalendarEvent } from './calendar.rules';
import { appointmentTexts } from './texts/texts';

export interface Span {
  start: WallTime;
  end: WallTime;
}

interface CalendarProps {
  events: readonly CalendarEvent[];
  /** The IANA name. */
  zone: string;
  onPeriod: (span: Span) => void;
  onOpen: (id: string) => void;
  onSelect: (span: Span) => void;
  /** After a drag. @param revert puts it back */
  onMove: (id: string, span: Span, revert: () => void) => void;
}

const NARROW = '(max-width: 48em)';

/** The calendar by day, week, month or as a list. Everything that dragging does can also be done in a form. */
export function Calendar(props: CalendarProps) {
  const texts = appointmentTexts.use();
  const language = useLanguage();
  const target = useRef<HTMLDivElement>(null);
  const calendar = useRef<EventCalendar | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { zone } = props;
  // The same events again must not disturb a drag.
  const events = JSON.stringify(props.events);
  useEffect(() => {
    if (!target.current) return undefined;
    const made = createCalendar(target.current, [TimeGrid, DayGrid, List, Interaction], {
      view: matchMedia(NARROW).matches ? 'listWeek' : 'timeGridWeek',
      firstDay: language === 'pt' ? 0 : 1,
      // Only for today and now: the events have times of the zone already.
      timeZone: offsetText(zone),
      allDaySlot: false,
      nowIndicator: true,
      selectable: true,
      editable: true,
      scrollTime: '08:00:00',
      slotDuration: '00:30:00',
      snapDuration: '00:15:00',
      dayMaxEvents: true,
      height: '40rem',
      headerToolbar: {
        start: 'prev,next today',
        center: 'title',
        end: 'timeGridDay,timeGridWeek,dayGridMonth,listWeek',
      },
      buttonText: (known) => ({ ...known, ...texts.calendar }),
      noEventsContent: texts.noneInPeriod,
      moreLinkContent: ({ num }) => texts.more(num),
      ...formatsOf(language),
      viewDidMount: () => removeWrongRoles(target.current),
      eventAllUpdated: () => removeWrongRoles(target.current),
      datesSet: ({ start, end }) => latest.current.onPeriod(spanOf({ start, end })),
      eventClick: ({ event }) => latest.current.onOpen(String(event.id)),
      select: ({ start, end, allDay }) => {
        const from = wallTimeFrom(start);
        latest.current.onSelect(
          allDay
            ? { start: addMinutes(from, 9 * 60), end: addMinutes(from, 9.5 * 60) }
            : spanOf({ start, end }),
        );
        made.unselect();
      },
      eventDrop: ({ event, revert }) => latest.current.onMove(String(event.id), spanOf(event), revert),
      eventResize: ({ event, revert }) => latest.current.onMove(String(event.id), spanOf(event), revert),
    });
    calendar.current = made;
    return () => {
      calendar.current = null;
      void destroyCalendar(made);
    };
  }, [language, texts, zone]);
  useEffect(() => {
    calendar.current?.setOption('events', JSON.parse(events) as CalendarEvent[]);
  }, [events, language, texts, zone]);
  return (
    <div
      ref={target}
      className="appointments"
      role="region"
      aria-label={texts.title}
      data-testid="calendar"
    />
  );
}

/** All texts with days and times, which the calendar would otherwise write in forms of its own. Its dates are those of a clock. */
function formatsOf(language: Language): EventCalendar.Options {
  const as = (form: DateForm) => (time: Date) => formatTimeAs(form, time, language, undefined);
  const range = (form: DateForm) => (start: Date, end: Date) =>
    formatRangeAs(form, [start, end], language, undefined);
  return {
    titleFormat: range('date'),
    dayHeaderFormat: as('weekday'),
    dayHeaderAriaLabelFormat: as('fullDate'),
    dayPopoverFormat: as('date'),
    listDayFormat: as('weekdayName'),
    listDaySideFormat: as('date'),
    slotLabelFormat: as('clock'),
    // Not as one range, which names the days of an appointment that goes past midnight.
    eventTimeFormat: (start, end) => [start, ...(end ? [end] : [])].map(as('clock')).join(' – '),
    views: {
      dayGridMonth: {
        titleFormat: range('month'),
        dayHeaderFormat: as('weekdayShort'),
        dayHeaderAriaLabelFormat: as('weekdayName'),
      },
    },
  };
}

const WRONG_ROLES = [
  'table',
  'rowgroup',
  'row',
  'columnheader',
  'rowheader',
  'cell',
  'gridcell',
  'list',
  'listitem',
];

const TABLE_PROPERTIES = ['aria-colindex', 'aria-rowindex', 'aria-colcount', 'aria-rowcount', 'aria-colspan'];

/** The calendar claims to be a table or a list, but has buttons where these may not have any: screen readers would skip them. */
function removeWrongRoles(calendar: HTMLElement | null): void {
  for (const name of ['role', ...TABLE_PROPERTIES]) {
    for (const element of calendar?.querySelectorAll(`[${name}]`) ?? []) {
      if (name !== 'role' || WRONG_ROLES.includes(element.getAttribute('role') ?? '')) {
        element.removeAttribute(name);
      }
    }
  }
}

const spanOf = ({ start, end }: { start: Date; end: Date }): Span => ({
  start: wallTimeFrom(start),
  end: wallTimeFrom(end),
});

/** @returns `-03:00`, what the calendar understands */
function offsetText(zone: string): string {
  const minutes = zoneOffset(new Date(), zone);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
