import type { Type } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_QUERIES_PER_CLASS = 200;
/** A longer query has a text that its user has typed, and is hardly repeated. */
const MAX_KEY_LENGTH = 500;

/**
 * Remembers the valid query parameters of each class, because clients send the same ones again and again: validating
 * them takes as long as reading a short list. The validation must not depend on anything but the query.
 */
export class QueryCache {
  private readonly classes = new WeakMap<Type, LRUCache<string, object>>();

  /**
   * @param query as parsed from the URL
   * @param validate is called for an unknown query; what it throws is not remembered
   * @returns an object that the caller may change
   */
  async get(type: Type, query: unknown, validate: () => Promise<object>): Promise<object> {
    const key = JSON.stringify(query);
    const known = this.queriesOf(type).get(key);
    if (known) return copyOf(known);
    const valid = await validate();
    if (key.length <= MAX_KEY_LENGTH && isFlat(valid)) this.queriesOf(type).set(key, copyOf(valid));
    return valid;
  }

  private queriesOf(type: Type): LRUCache<string, object> {
    const known = this.classes.get(type);
    if (known) return known;
    const queries = new LRUCache<string, object>({ max: MAX_QUERIES_PER_CLASS });
    this.classes.set(type, queries);
    return queries;
  }
}

/** Whether a copy of the object shares nothing with it. */
const isFlat = (object: object): boolean =>
  Object.values(object).every((value) => typeof value !== 'object' || value === null);

const copyOf = (object: object): object =>
  Object.assign(Object.create(Object.getPrototypeOf(object) as object) as object, object);
