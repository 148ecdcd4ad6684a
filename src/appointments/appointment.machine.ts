/** The statuses of an appointment and the transitions between them. Pure: no imports, no clock, no database. */

export const APPOINTMENT_STATUSES = ['scheduled', 'confirmed', 'completed', 'cancelled', 'no_show'] as const;

export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** Statuses in which the appointment blocks the agent's time; all others are final. */
export const LIVE_STATUSES = ['scheduled', 'confirmed'] as const satisfies readonly AppointmentStatus[];

export const isLive = (status: AppointmentStatus): boolean =>
  (LIVE_STATUSES as readonly AppointmentStatus[]).includes(status);

export type AppointmentTrigger = 'confirm' | 'complete' | 'cancel' | 'no_show';

interface Transition {
  from: readonly AppointmentStatus[];
  to: AppointmentStatus;
}

/** All transitions. They do not depend on the time. */
export const TRANSITIONS: Record<AppointmentTrigger, Transition> = {
  confirm: { from: ['scheduled'], to: 'confirmed' },
  complete: { from: LIVE_STATUSES, to: 'completed' },
  cancel: { from: LIVE_STATUSES, to: 'cancelled' },
  no_show: { from: LIVE_STATUSES, to: 'no_show' },
};

export type Decision =
  | { kind: 'move'; to: AppointmentStatus }
  /** The appointment is in that status already: answered as if the request had just succeeded. */
  | { kind: 'repeat' }
  | { kind: 'refuse'; detail: string };

/** Decides whether a trigger is allowed in a status, and where it leads. */
export function decide(status: AppointmentStatus, trigger: AppointmentTrigger): Decision {
  const { from, to } = TRANSITIONS[trigger];
  if (status === to) return { kind: 'repeat' };
  if (from.includes(status)) return { kind: 'move', to };
  return { kind: 'refuse', detail: `An appointment that is ${status} cannot change to ${to}.` };
}
