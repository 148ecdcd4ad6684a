import { SetMetadata } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import type { JobOptions } from '../jobs/job-workers';
import type { DomainEvent, EventClass } from './domain-event';

export const LISTENER = Symbol('LISTENER');

export type ListenerOptions =
  | { phase: 'in_transaction' | 'on_commit' | 'after_commit'; event: EventClass }
  | { phase: 'durable'; event: EventClass; name: string; options: JobOptions };

type DecoratorOf<Method> = (
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;
type MethodOf<Arguments extends unknown[]> = DecoratorOf<(...args: Arguments) => Promise<void>>;
type SyncMethodOf<Arguments extends unknown[]> = DecoratorOf<(...args: Arguments) => void>;

/** Calls the method with the open transaction; a throw rolls the change back. Subclasses of `event` match. */
export function InTransaction<Event extends DomainEvent>(
  event: EventClass<Event>,
): MethodOf<[Event, Transaction]> {
  return SetMetadata(LISTENER, { phase: 'in_transaction', event } satisfies ListenerOptions) as never;
}

/**
 * Calls the method at commit, in this process, before the request is answered. It is for caches that must not be used
 * any more and for messages that need no further data, so it does not wait for anything.
 */
export function OnCommit<Event extends DomainEvent>(event: EventClass<Event>): SyncMethodOf<[Event]> {
  return SetMetadata(LISTENER, { phase: 'on_commit', event } satisfies ListenerOptions) as never;
}

/**
 * Calls the method after commit, in this process. The request does not wait for it. Calls for one record are in the
 * order of its changes; a throw is logged. The call is lost if the process ends, so use it only for
 * data that clients can fetch again.
 */
export function AfterCommit<Event extends DomainEvent>(event: EventClass<Event>): MethodOf<[Event]> {
  return SetMetadata(LISTENER, { phase: 'after_commit', event } satisfies ListenerOptions) as never;
}

/**
 * Calls the method from a job that is written with the change: at least once, on any instance, again after
 * a throw. The method must be idempotent.
 * @param name of the job queue; it must not change between releases
 */
export function Durable<Event extends DomainEvent>(
  event: EventClass<Event>,
  name: string,
  options: JobOptions = {},
): MethodOf<[Event]> {
  return SetMetadata(LISTENER, { phase: 'durable', event, name, options } satisfies ListenerOptions) as never;
}
