import { SetMetadata } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import type { JobOptions } from '../jobs/jobs';
import type { DomainEvent, EventClass } from './domain-event';

export const LISTENER = Symbol('LISTENER');

export type ListenerOptions =
  | { phase: 'in_transaction' | 'after_commit'; event: EventClass }
  | { phase: 'durable'; event: EventClass; name: string; options: JobOptions };

type Handler<Arguments extends unknown[]> = (...args: Arguments) => Promise<void>;
type MethodOf<Arguments extends unknown[]> = (
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler<Arguments>>,
) => void;

/** Called with the open transaction; a throw rolls the whole change back. Subclasses of `event` count. */
export function InTransaction<Event extends DomainEvent>(
  event: EventClass<Event>,
): MethodOf<[Event, Transaction]> {
  return SetMetadata(LISTENER, { phase: 'in_transaction', event } satisfies ListenerOptions) as never;
}

/** Called after commit, in this process; lost when the process dies, so only for what can be resent. */
export function AfterCommit<Event extends DomainEvent>(event: EventClass<Event>): MethodOf<[Event]> {
  return SetMetadata(LISTENER, { phase: 'after_commit', event } satisfies ListenerOptions) as never;
}

/**
 * Called from a job that was written with the change: at least once, on any instance, tried again after
 * a throw. Must be idempotent. `name` is the job queue's name and must stay the same over releases.
 */
export function Durable<Event extends DomainEvent>(
  event: EventClass<Event>,
  name: string,
  options: JobOptions = {},
): MethodOf<[Event]> {
  return SetMetadata(LISTENER, { phase: 'durable', event, name, options } satisfies ListenerOptions) as never;
}
