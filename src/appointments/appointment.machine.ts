/** The states of an appointment and the moves between them. Pure: no imports, no clock, no database. */

export const APPOINTMENT_STATUSES = ['scheduled', 'confirmed', 'completed', 'cancelled', 'no_show'] as const;

export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** What keeps the agent's time taken; everything else is final. */
export const LIVE_STATUSES = ['scheduled', 'confirmed'] as const satisfies readonly AppointmentStatus[];

export const isLive = (status: AppointmentStatus): boolean =>
  (LIVE_STATUSES as readonly AppointmentStatus[]).includes(status);

export type AppointmentTrigger = 'confirm' | 'complete' | 'cancel' | 'no_show';

interface Rule {
  from: readonly AppointmentStatus[];
  to: AppointmentStatus;
}

/** Every move there is, whatever the hour. */
export const TRANSITIONS: Record<AppointmentTrigger, Rule> = {
  confirm: { from: ['scheduled'], to: 'confirmed' },
  complete: { from: LIVE_STATUSES, to: 'completed' },
  cancel: { from: LIVE_STATUSES, to: 'cancelled' },
  no_show: { from: LIVE_STATUSES, to: 'no_show' },
};

export type Decision = { kind: 'move'; to: AppointmentStatus } | { kind: 'refuse'; detail: string };

/** Decides what a step does to an appointment; nothing is changed here. */
export function decide(status: AppointmentStatus, step: AppointmentTrigger): Decision {
  const { from, to } = TRANSITIONS[step];
  if (from.includes(status)) return { kind: 'move', to };
  return { kind: 'refuse', detail: `An appointment that is ${status} cannot take the step ${step}.` };
}
