import type { Type } from '@nestjs/common';
import { type FieldErrors, MAX_REPORTED_FIELDS } from '../errors/api-error';
import { fieldNamesOf } from './declared-fields';

const UNTRIMMED = Symbol('UNTRIMMED');

/** Turns trimming off for a DTO: for example, a session description ends with a line break. */
export const Untrimmed = (): ClassDecorator => (target) => Reflect.defineMetadata(UNTRIMMED, true, target);

export const isUntrimmed = (target: object): boolean => Reflect.hasMetadata(UNTRIMMED, target);

const SLICED_LIST = Symbol('SLICED_LIST');

/** Items that are validated without a pause. With 20 objects in each of them this takes 4 ms. */
export const SLICE_ITEMS = 5;

/**
 * Validates a long list of a DTO in slices, between which the event loop handles other requests. The field must have no rule
 * that compares its items with each other, and accept lists of any length up to its longest, except for an empty one.
 */
export const SlicedList =
  (field: string): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(SLICED_LIST, field, target);

/** @returns the name of the field; undefined for a DTO that is validated at once */
export const slicedListOf = (target: object): string | undefined =>
  Reflect.getMetadata(SLICED_LIST, target) as string | undefined;

const IGNORES_UNKNOWN = Symbol('IGNORES_UNKNOWN');

/** Characters of an unknown name that a response repeats. */
const MAX_NAME_LENGTH = 100;

/** For the parameters of a public route that selects nothing: clients add theirs, for example against caches. */
export const IgnoresUnknownParameters = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(IGNORES_UNKNOWN, true, target);

/** What is wrong with the parameters that the class does not declare: a misspelt filter would select everything. */
export function unknownParameters(query: object, type: Type<object>): FieldErrors {
  if (Reflect.hasMetadata(IGNORES_UNKNOWN, type)) return {};
  const known = fieldNamesOf(type);
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return {};
  const names = unknown.slice(0, MAX_REPORTED_FIELDS).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const problem =
    known.length === 0
      ? 'is unknown; there are no parameters'
      : `is unknown; the parameters are ${known.join(', ')}`;
  return Object.fromEntries(names.map((name) => [name, [problem]]));
}
