import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { settleAll } from '../database/settle-all';
import type { Transaction } from '../database/transaction';
import { Jobs } from '../jobs/jobs';
import { BackgroundListeners } from './background-listeners';
import type { DomainEvent } from './domain-event';
import { LISTENER, type ListenerOptions } from './listeners';

type Listener = ListenerOptions & { call: (...args: unknown[]) => Promise<void> | void };

/** Stores data about the events of a transaction in that transaction; a throw rolls it back. */
export interface EventStore {
  /** Called when events are expected or recorded: sends early what `store` has to wait for. */
  prepare?(tx: Transaction, tenantId: string, types: readonly string[]): void;
  /** Called once for each transaction, before it commits, with all of its events. */
  store(tx: Transaction, events: readonly DomainEvent[]): Promise<void> | void;
}

/** Records events in the transaction of their change and calls the listeners of each phase. */
@Injectable()
export class EventBus implements OnModuleInit {
  private readonly logger = new Logger(EventBus.name);
  private readonly listeners: Listener[] = [];
  /** The listeners of each class of events, which are looked up at every change of a call. */
  private readonly listenersByEvent = new Map<unknown, Listener[]>();
  private readonly recorded = new WeakMap<Transaction, DomainEvent[]>();
  private readonly stores: EventStore[] = [{ store: insertEvents }];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly jobs: Jobs,
    private readonly background: BackgroundListeners,
  ) {}

  /** Collects the decorated methods of all providers. */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (!instance || typeof instance !== 'object') continue;
      const target = instance as Record<string, (...args: unknown[]) => Promise<void> | void>;
      for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = target[key];
        const options = method && this.reflector.get<ListenerOptions | undefined>(LISTENER, method);
        if (method && options) this.add({ ...options, call: method.bind(instance) });
      }
    }
  }

  private add(listener: Listener): void {
    this.listeners.push(listener);
    this.listenersByEvent.clear();
    if (listener.phase === 'durable') {
      const { name, options } = listener;
      this.jobs.handle<DomainEvent>(name, async (event) => listener.call(event), options);
    }
  }

  registerStore(store: EventStore): void {
    this.stores.push(store);
  }

  /**
   * Announces the types of events that the transaction will probably record, together with the statements that it sends
   * first. What their storage depends on is then read in the same round trip.
   */
  expect(tx: Transaction, tenantId: string, types: readonly string[]): void {
    for (const store of this.stores) store.prepare?.(tx, tenantId, types);
  }

  /**
   * Records `event` as part of the open transaction. Listeners of the phase `in_transaction` have run when
   * this resolves; the others are called only if the transaction commits.
   */
  async record(tx: Transaction, event: DomainEvent): Promise<void> {
    this.eventsOf(tx).push(event);
    this.expect(tx, event.tenant_id, [event.type]);
    for (const listener of this.listenersOf(event, 'in_transaction')) await listener.call(event, tx);
  }

  private eventsOf(tx: Transaction): DomainEvent[] {
    const known = this.recorded.get(tx);
    if (known) return known;
    const events: DomainEvent[] = [];
    this.recorded.set(tx, events);
    tx.beforeCommit(() => this.store(tx, events));
    tx.afterCommit(async () => this.notifyListeners(events));
    return events;
  }

  private async store(tx: Transaction, events: DomainEvent[]): Promise<void> {
    await settleAll(this.stores.map(async (store) => store.store(tx, events)));
    for (const event of events) {
      for (const listener of this.listenersOf(event, 'durable')) {
        if (listener.phase === 'durable') await this.jobs.enqueue(tx, listener.name, event);
      }
    }
  }

  /** Calls the listeners of both phases that follow the commit; those of the second one continue in the background. */
  private notifyListeners(events: DomainEvent[]): void {
    for (const event of events) {
      for (const listener of this.listenersOf(event, 'on_commit')) this.notifyNow(event, listener);
    }
    for (const event of events) {
      const listeners = this.listenersOf(event, 'after_commit');
      if (listeners.length > 0) this.background.run(event.subject_id, () => this.notify(event, listeners));
    }
  }

  private notifyNow(event: DomainEvent, listener: Listener): void {
    try {
      void listener.call(event);
    } catch (error) {
      this.logger.error(error, `A listener of ${event.type} failed`);
    }
  }

  private async notify(event: DomainEvent, listeners: Listener[]): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener.call(event);
      } catch (error) {
        // The change is committed, and the other listeners must still be called.
        this.logger.error(error, `A listener of ${event.type} failed`);
      }
    }
  }

  private listenersOf(event: DomainEvent, phase: ListenerOptions['phase']): Listener[] {
    const known = this.listenersByEvent.get(event.constructor);
    const listeners = known ?? this.listeners.filter((listener) => event instanceof listener.event);
    if (!known) this.listenersByEvent.set(event.constructor, listeners);
    return listeners.filter((listener) => listener.phase === phase);
  }
}

function insertEvents(tx: Transaction, events: readonly DomainEvent[]): void {
  const stored = events.filter(({ isStored }) => isStored);
  if (stored.length === 0) return;
  tx.send({
    text: `INSERT INTO domain_events (tenant_id, type, subject_id, payload, occurred_at)
      SELECT (e->>'tenant_id')::uuid, e->>'type', (e->>'subject_id')::uuid, e, (e->>'occurred_at')::timestamptz
      FROM jsonb_array_elements($1::jsonb) AS e`,
    values: [JSON.stringify(stored)],
  });
}
