import {
  CALL_STATUSES,
  type CallStatus,
  decide,
  type EndReason,
  FINAL_STATUSES,
  isFinal,
  type TransitionRequest,
  TRANSITIONS,
  type TransitionRule,
  type Trigger,
} from './call.machine';

const RULES: TransitionRule[] = Object.values(TRANSITIONS);

const ANA = 'ana';
/** Ana is the call's agent, Bob a colleague, Sue a supervisor. */
const ACTORS = {
  ana: { user_id: ANA, supervises: false },
  bob: { user_id: 'bob', supervises: false },
  sue: { user_id: 'sue', supervises: true },
};
type ActorName = keyof typeof ACTORS;

const assignTo = (id: string, explicit = true): Partial<TransitionRequest> => ({
  assignee: { id, name: id, explicit },
});

const callWith = (status: CallStatus, awaits_callback = false) => ({
  status,
  user_id: status === 'queued' ? null : ANA,
  awaits_callback,
});

/** The decisions for Ana, Bob and Sue, by status: m = transition, r = repeat, - = refuse. Other statuses refuse all. */
type DecisionsByStatus = Partial<Record<CallStatus, string>>;

const STAFF_CASES: {
  name: string;
  trigger: Trigger;
  requestFor: (actor: ActorName) => Partial<TransitionRequest>;
  decisions: DecisionsByStatus;
}[] = [
  {
    name: 'takes the call',
    trigger: 'assign',
    requestFor: (actor) => assignTo(actor, false),
    decisions: { queued: 'mmm', assigned: 'r--' },
  },
  {
    name: 'assigns the call to themselves',
    trigger: 'assign',
    requestFor: (actor) => assignTo(actor),
    decisions: { queued: 'mmm', assigned: 'r-m' },
  },
  {
    name: 'assigns the call to Ana',
    trigger: 'assign',
    requestFor: () => assignTo(ANA),
    decisions: { queued: 'mmm', assigned: 'r-r' },
  },
  {
    name: 'assigns the call to Bob',
    trigger: 'assign',
    requestFor: () => assignTo('bob'),
    decisions: { queued: 'mmm', assigned: 'm-m' },
  },
  {
    name: 'starts the call',
    trigger: 'start',
    requestFor: () => ({}),
    decisions: { assigned: 'm-m', active: 'r--' },
  },
  {
    name: 'completes the call',
    trigger: 'complete',
    requestFor: () => ({}),
    decisions: { assigned: 'm-m', active: 'm-m', completed: 'r-r' },
  },
  {
    name: 'transfers the call',
    trigger: 'transfer',
    requestFor: () => ({}),
    decisions: { active: 'm-m' },
  },
];

const DECISION_KINDS: Record<string, string> = { m: 'transition', r: 'repeat', '-': 'refuse' };

/** Transitions that customers, the service or deadlines cause: trigger, allowed statuses, new status, end reason. */
const OTHER_CASES: [Trigger, CallStatus[], CallStatus, EndReason | null][] = [
  ['hang_up', ['active'], 'completed', 'normal'],
  ['cancel', ['queued', 'assigned'], 'cancelled', 'abandoned'],
  ['department_deleted', ['queued'], 'cancelled', 'abandoned'],
  ['department_closed', ['queued'], 'abandoned', 'abandoned'],
  ['requeue', ['assigned'], 'queued', null],
  ['take_over', ['active'], 'active', null],
  ['ring_timeout', ['assigned'], 'missed', 'timeout'],
  ['wait_timeout', ['queued'], 'abandoned', 'abandoned'],
  ['absence_timeout', ['queued'], 'abandoned', 'abandoned'],
  ['callback_timeout', ['queued'], 'abandoned', 'abandoned'],
  ['grace_timeout', ['active'], 'completed', 'disconnect'],
];

/** The status in which a customer's request changes nothing. */
const REPEATS: Partial<Record<Trigger, CallStatus>> = { hang_up: 'completed', cancel: 'cancelled' };

describe('the call state machine', () => {
  const staffCases = STAFF_CASES.flatMap(({ name, trigger, requestFor, decisions }) =>
    CALL_STATUSES.flatMap((status) =>
      (Object.keys(ACTORS) as ActorName[]).map((actor, index) => ({
        title: `${actor} ${name} while it is ${status}`,
        status,
        request: { trigger, actor: ACTORS[actor], ...requestFor(actor) } as TransitionRequest,
        kind: DECISION_KINDS[(decisions[status] ?? '---')[index] ?? ''],
      })),
    ),
  );

  it.each(staffCases)('decides "$kind" when $title', ({ status, request, kind }) => {
    const decision = decide(callWith(status), request);
    expect(decision.kind).toBe(kind);
    if (decision.kind !== 'transition') return;
    const ends = request.trigger === 'complete';
    expect(decision.to).toBe(
      { assign: 'assigned', start: 'active', complete: 'completed', transfer: 'queued' }[
        request.trigger as 'start'
      ],
    );
    expect(decision.end_reason).toBe(ends ? 'normal' : null);
  });

  const otherCases = OTHER_CASES.flatMap(([trigger, from, target, end_reason]) =>
    CALL_STATUSES.map((status) => ({
      trigger,
      status,
      target,
      end_reason,
      isAllowed: from.includes(status),
    })),
  );

  it.each(otherCases)(
    'handles $trigger while the call is $status (allowed: $isAllowed)',
    ({ trigger, status, target, end_reason, isAllowed }) => {
      const decision = decide(callWith(status), { trigger });
      if (isAllowed) expect(decision).toEqual({ kind: 'transition', to: target, end_reason });
      else if (REPEATS[trigger] === status) expect(decision).toEqual({ kind: 'repeat' });
      else
        expect(decision).toEqual({
          kind: 'refuse',
          code: 'invalid_transition',
          detail: expect.stringContaining(status),
        });
    },
  );

  it('has no triggers other than the tested ones', () => {
    const tested = new Set<string>([
      ...STAFF_CASES.map((row) => row.trigger),
      ...OTHER_CASES.map(([trigger]) => trigger),
    ]);
    expect(new Set(Object.keys(TRANSITIONS))).toEqual(tested);
  });

  it('can reach every status from queued', () => {
    const reached = new Set<CallStatus>(['queued']);
    for (const status of reached) {
      for (const rule of RULES) if (rule.from.includes(status)) reached.add(rule.to);
    }
    expect([...reached].sort()).toEqual([...CALL_STATUSES].sort());
  });

  it.each(FINAL_STATUSES)('has no transition out of %s', (status) => {
    expect(RULES.some((rule) => rule.from.includes(status))).toBe(false);
  });

  it('has an end reason for exactly the transitions that end a call', () => {
    for (const rule of RULES) {
      expect(rule.end_reason !== undefined).toBe(isFinal(rule.to));
    }
    expect(CALL_STATUSES.filter(isFinal)).toEqual(['completed', 'missed', 'cancelled', 'abandoned']);
  });

  it('does not modify the call that it checks', () => {
    const call = Object.freeze(callWith('queued'));
    decide(call, { trigger: 'assign', actor: ACTORS.ana, ...assignTo(ANA, false) });
    expect(call).toEqual(callWith('queued'));
  });

  it.each([
    [true, 'callback_pending'],
    [false, undefined],
  ])('refuses to assign the call of a customer who is away (%s)', (isAway, code) => {
    const request = { trigger: 'assign', actor: ACTORS.sue, ...assignTo(ANA) } as const;
    const decision = decide(callWith('queued', isAway), request);
    expect(decision.kind === 'refuse' ? decision.code : undefined).toBe(code);
  });
});
