import type { Type } from '@nestjs/common';
import { type FieldErrors, MAX_REPORTED_FIELDS } from '../errors/api-error';
import { fieldNamesOf } from './declared-fields';

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
