import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  type AppointmentTrigger,
  decide,
  isLive,
  TRANSITIONS,
} from './appointment.machine';

/** The status that each trigger leads to from each status; it is repeated in that status, and all others are refused. */
const TABLE: Record<AppointmentTrigger, Partial<Record<AppointmentStatus, AppointmentStatus>>> = {
  confirm: { scheduled: 'confirmed' },
  complete: { scheduled: 'completed', confirmed: 'completed' },
  cancel: { scheduled: 'cancelled', confirmed: 'cancelled' },
  no_show: { scheduled: 'no_show', confirmed: 'no_show' },
};

describe('the appointment machine', () => {
  const cases = (Object.keys(TRANSITIONS) as AppointmentTrigger[]).flatMap((trigger) =>
    APPOINTMENT_STATUSES.map((status) => ({ trigger, status, to: TABLE[trigger][status] })),
  );

  it.each(cases)('$trigger from $status: $to', ({ trigger, status, to }) => {
    const decision = decide(status, trigger);
    if (to) expect(decision).toEqual({ kind: 'move', to });
    else if (status === TRANSITIONS[trigger].to) expect(decision).toEqual({ kind: 'repeat' });
    else expect(decision).toEqual({ kind: 'refuse', detail: expect.stringContaining(status) });
  });

  it('has a transition from exactly the live statuses', () => {
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
