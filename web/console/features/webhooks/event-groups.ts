import type { components } from '../../../shared/api/client';

export type WebhookEvent = components['schemas']['WebhookDto']['events'][number];

/** All events, by what they are about. */
export const EVENT_GROUPS = {
  calls: [
    'call.queued',
    'call.offered',
    'call.offer_ended',
    'call.assigned',
    'call.requeued',
    'call.transferred',
    'call.started',
    'call.completed',
    'call.missed',
    'call.cancelled',
    'call.abandoned',
    'call.rated',
    'call.peer_disconnected',
    'call.peer_reconnected',
    'callback.due',
  ],
  recordings: ['recording.ready', 'transcript.ready', 'summary.ready'],
  team: ['agent.state_changed', 'queue.alert', 'user.created', 'user.updated'],
  customers: ['customer.created', 'customer.updated', 'customer.merged', 'customer.deleted'],
  links: ['access_link.created', 'access_link.cancelled'],
  appointments: [
    'appointment.created',
    'appointment.confirmed',
    'appointment.cancelled',
    'appointment.completed',
    'appointment.no_show',
  ],
  departments: ['department.created', 'department.updated', 'department.deleted'],
} as const satisfies Record<string, readonly WebhookEvent[]>;

export type EventGroup = keyof typeof EVENT_GROUPS;

export const GROUP_NAMES = Object.keys(EVENT_GROUPS) as EventGroup[];

/** A compile error here names an event that no group has. */
type Missing = Exclude<WebhookEvent, (typeof EVENT_GROUPS)[EventGroup][number]>;
export const ALL_EVENTS: readonly ([Missing] extends [never] ? WebhookEvent : never)[] = GROUP_NAMES.flatMap(
  (group) => [...EVENT_GROUPS[group]] as WebhookEvent[],
);

/** @returns the chosen events after a group was chosen or left out as a whole */
export function setGroup(
  chosen: readonly WebhookEvent[],
  group: EventGroup,
  isChosen: boolean,
): WebhookEvent[] {
  const events: readonly WebhookEvent[] = EVENT_GROUPS[group];
  const others = chosen.filter((event) => !events.includes(event));
  return isChosen ? [...others, ...events] : others;
}

/** Whether all, none or some of a group are chosen. */
export function groupState(chosen: readonly WebhookEvent[], group: EventGroup): 'all' | 'none' | 'some' {
  const count = EVENT_GROUPS[group].filter((event) => chosen.includes(event)).length;
  if (count === 0) return 'none';
  return count === EVENT_GROUPS[group].length ? 'all' : 'some';
}
