import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { currentConnectionKind, requestContext } from '../platform/logging/request-context';

/** Work that waits for a place in a batch. */
interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result | PromiseLike<Result>) => void;
  reject: (error: unknown) => void;
}

/** Long enough for a batch of many items under load, and too short to be noticed by a client. */
const MIN_INTERVAL_MS = 25;

/** All items of a batch get their results in the same turn of the event loop, which must not be blocked for long. */
const BATCH_SIZE = 50;

/**
 * Processes items that arrive at the same moment together, for example by one statement instead of one for each of them.
 * The first item is processed at once. Those that arrive meanwhile form the next batch, for which more are collected for
 * a moment: a single item does not wait, and the batches grow with the load.
 */
export class Batcher<Item, Result> {
  private readonly queues = new Map<string, Waiting<Item, Result>[]>();

  /**
   * @param process returns a result for each item, in their order. A promise among them delays only its item, not the next
   *   batch
   * @param batchSize items of a batch
   * @param minIntervalMs from the start of a batch of several items to that of the next one, unless that is full
   */
  constructor(
    private readonly process: (key: string, items: Item[]) => Promise<(Result | PromiseLike<Result>)[]>,
    private readonly batchSize = BATCH_SIZE,
    private readonly minIntervalMs = MIN_INTERVAL_MS,
  ) {}

  /**
   * @param key of the tenant or other scope: only items of the same key are processed together
   * @returns the item's result
   * @throws the error of its batch
   */
  run(key: string, item: Item): Promise<Result> {
    const queueKey = queueKeyOf(key);
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = this.queues.get(queueKey);
      if (queue) {
        queue.push(waiting);
      } else {
        const fresh = [waiting];
        this.queues.set(queueKey, fresh);
        void this.processAll(queueKey, key, fresh);
      }
    });
  }

  /** Whether an item of the key that is given now would wait for the batch before it. */
  isBusy(key: string): boolean {
    return this.queues.has(queueKeyOf(key));
  }

  private async processAll(queueKey: string, key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    const connection = currentConnectionKind();
    while (queue.length > 0) {
      const batch = queue.splice(0, this.batchSize);
      const context = {
        request_id: randomUUID(),
        address: null,
        connection: connection === 'reserved_background' ? undefined : connection,
      };
      const begin = performance.now();
      const settle = await requestContext.run(context, () => this.processBatch(key, batch));
      // Checked before the callers get their results: items that they add next did not arrive during this batch.
      const isBusy = batch.length > 1 || queue.length > 0;
      settle();
      if (isBusy && queue.length < this.batchSize) {
        await delay(Math.max(0, begin + this.minIntervalMs - performance.now()));
      }
    }
    this.queues.delete(queueKey);
  }

  /** @returns a function that settles the promises of the items */
  private async processBatch(key: string, batch: Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await this.process(
        key,
        batch.map(({ item }) => item),
      );
      return () => batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      return () => batch.forEach(({ reject }) => reject(error));
    }
  }
}

/** The kind of connection decides how long work waits for the database. A batch has items of one kind only. */
const queueKeyOf = (key: string): string => `${currentConnectionKind() ?? ''} ${key}`;
