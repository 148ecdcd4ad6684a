/**
 * An event of one record of one tenant. Contexts declare their events as subclasses in `<thing>.events.ts`.
 * Public fields are JSON values, since events are stored and passed to jobs. Other
 * properties are getters, because those are neither stored nor passed on.
 */
export abstract class DomainEvent {
  /** The resource and its change, such as `call.queued`. */
  abstract readonly type: string;

  constructor(
    readonly tenant_id: string,
    /** Id of the record. */
    readonly subject_id: string,
    readonly occurred_at: string,
  ) {}

  /**
   * Whether the audit log records the event: if a member of staff caused it, always, or never, for an event
   * that follows from another one.
   */
  get audited(): 'by_actor' | 'always' | 'never' {
    return 'by_actor';
  }

  /** Whether a row of `domain_events` records the event. Otherwise it only reaches its listeners. */
  get isStored(): boolean {
    return true;
  }

  /**
   * The names of fields with personal data. Listeners in this process see them, but they are not stored and not passed to
   * jobs: an erasure reaches the records of contexts, not the stored events.
   */
  get personalFields(): readonly string[] {
    return [];
  }

  /** The event as it is stored and passed to jobs: personal fields are null. */
  toJSON(): object {
    const hidden = this.personalFields;
    return hidden.length === 0
      ? this
      : { ...this, ...Object.fromEntries(hidden.map((name) => [name, null])) };
  }

  /** The kind of record that `subject_id` identifies. */
  get subject_type(): string {
    return this.type.split('.', 1)[0] ?? '';
  }

  /**
   * Additional data for the audit log: ids, values of enums, counts and names of fields. It must not
   * contain personal data or secrets, since the log cannot be corrected.
   */
  get details(): Record<string, unknown> {
    return {};
  }
}

export type EventClass<Event extends DomainEvent = DomainEvent> = abstract new (...args: never[]) => Event;
