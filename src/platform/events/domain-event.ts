/**
 * Something that happened to one record of one tenant. A context declares its events as subclasses in
 * `<context>.events.ts`; public fields are plain JSON values, since they are stored and travel in jobs.
 * What the audit log wants to know are getters, which are neither stored nor sent.
 */
export abstract class DomainEvent {
  /** For example `call.queued`: the resource and what happened to it. */
  abstract readonly type: string;

  constructor(
    readonly tenant_id: string,
    /** The record that it happened to. */
    readonly subject_id: string,
    readonly occurred_at: string,
  ) {}

  /**
   * Whether the audit log takes a row: if a member of staff acts, always, or never, since it follows from
   * another event.
   */
  get audited(): 'by_actor' | 'always' | 'never' {
    return 'by_actor';
  }

  /** What kind of record `subject_id` names. */
  get subject_type(): string {
    return this.type.split('.', 1)[0] ?? '';
  }

  /**
   * What the audit log keeps beside: ids, words of a fixed set, counts and names of fields. Nothing about
   * a person (names, addresses, numbers, texts) and no secret: the log cannot be corrected.
   */
  get details(): Record<string, unknown> {
    return {};
  }
}

export type EventClass<Event extends DomainEvent = DomainEvent> = abstract new (...args: never[]) => Event;
