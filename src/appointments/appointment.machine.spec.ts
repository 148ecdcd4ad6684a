import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  type AppointmentTrigger,
  decide,
  isLive,
  TRANSITIONS,
} from './appointment.machine';

/** Where each step leads from each status; unlisted: nowhere. */
const TABLE: Record<AppointmentTrigger, Partial<Record<AppointmentStatus, AppointmentStatus>>> = {
  confirm: { scheduled: 'confirmed' },
  complete: { scheduled: 'completed', confirmed: 'completed' },
  cancel: { scheduled: 'cancelled', confirmed: 'cancelled' },
  no_show: { scheduled: 'no_show', confirmed: 'no_show' },
};

describe('the appointment machine', () => {
  const cases = (Object.keys(TRANSITIONS) as AppointmentTrigger[]).flatMap((step) =>
    APPOINTMENT_STATUSES.map((status) => ({ step, status, to: TABLE[step][status] })),
  );

  it.each(cases)('$step while $status: $to', ({ step, status, to }) => {
    const decision = decide(status, step);
    if (to) expect(decision).toEqual({ kind: 'move', to });
    else expect(decision).toEqual({ kind: 'refuse', detail: expect.stringContaining(status) });
  });

  it('is live exactly where there is a way on', () => {
    const leaving = APPOINTMENT_STATUSES.filter((status) =>
      Object.values(TRANSITIONS).some(({ from }) => from.includes(status)),
    );
    expect(APPOINTMENT_STATUSES.filter(isLive)).toEqual(leaving);
  });

  it('reaches every status from scheduled', () => {
    const reached = new Set<AppointmentStatus>(['scheduled']);
    for (const status of reached) {
      for (const { from, to } of Object.values(TRANSITIONS)) if (from.includes(status)) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual(APPOINTMENT_STATUSES.toSorted());
  });
});
