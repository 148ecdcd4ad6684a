/**
 * Something that happened to one record of one tenant. A context declares its events as subclasses in
 * `<context>.events.ts`; public fields are plain JSON values, since they are stored and travel in jobs.
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
}

export type EventClass<Event extends DomainEvent = DomainEvent> = abstract new (...args: never[]) => Event;
