import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ARRAY_MAX_SIZE, getMetadataStorage, ValidationTypes } from 'class-validator';
import type { FieldErrors } from '../errors/api-error';

/** A nested DTO: its class, whether the field is an array of it, and the longest array that the field declares. */
interface NestedField {
  type: Type<object>;
  isList: boolean;
  maxItems: number;
}

/** The fields that a DTO declares; undefined for a field that is not a nested DTO. */
type DeclaredFields = ReadonlyMap<string, NestedField | undefined>;

const declarations = new WeakMap<Type<object>, DeclaredFields>();

/** The fields that the DTO declares. */
export const fieldNamesOf = (type: Type<object>): string[] => [...declaredFields(type).keys()];

/** Nested DTOs that are not JSON objects, or too many of them. */
export class InvalidStructureError extends Error {
  constructor(readonly fields: FieldErrors) {
    super('invalid structure');
  }
}

/**
 * Copies the fields that the DTO declares, also those of nested DTOs and of arrays of DTOs, and drops all others.
 * class-transformer compares every key of an object with every other key, so unknown keys must not reach it.
 * @throws InvalidStructureError for nested DTOs that are given as another value than an object or null, and for too many
 */
export function pickDeclaredFields(input: object, type: Type<object>): object {
  const problems: FieldErrors = {};
  const picked = pick(input, type, '', problems);
  if (Object.keys(problems).length > 0) throw new InvalidStructureError(problems);
  return picked;
}

function pick(input: object, type: Type<object>, path: string, problems: FieldErrors): object {
  const picked: [string, unknown][] = [];
  for (const [name, nested] of declaredFields(type)) {
    if (!Object.hasOwn(input, name)) continue;
    const value = input[name as keyof typeof input] as unknown;
    picked.push([name, nested ? pickNested(value, nested, path + name, problems) : value]);
  }
  return Object.fromEntries(picked);
}

function pickNested(value: unknown, nested: NestedField, path: string, problems: FieldErrors): unknown {
  const { type, isList, maxItems } = nested;
  if (isList && Array.isArray(value)) {
    if (value.length <= maxItems)
      return value.map((item, index) => pickObject(item, type, `${path}.${index}`, problems));
    // class-validator would validate every item nevertheless.
    problems[path] = [`must contain at most ${maxItems} items`];
    return value;
  }
  // The validators of the field refuse a value that is not an array.
  return isList && typeof value !== 'object' ? value : pickObject(value, type, path, problems);
}

function pickObject(value: unknown, type: Type<object>, path: string, problems: FieldErrors): unknown {
  if (value === undefined || value === null) return value;
  if (typeof value === 'object' && !Array.isArray(value)) return pick(value, type, `${path}.`, problems);
  problems[path] = ['must be an object'];
  return value;
}

/** The fields of a DTO that have a rule. */
export function declaredFields(type: Type<object>): DeclaredFields {
  const known = declarations.get(type);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = new Map<string, NestedField | undefined>(
    rules.map(({ propertyName }) => [propertyName, undefined]),
  );
  for (const { type: kind, propertyName, each } of rules) {
    if (kind !== ValidationTypes.NESTED_VALIDATION) continue;
    const maxItems = rules.find((rule) => rule.propertyName === propertyName && rule.name === ARRAY_MAX_SIZE);
    fields.set(propertyName, {
      type: nestedType(type, propertyName),
      isList: each,
      maxItems: Number(maxItems?.constraints[0] ?? Infinity),
    });
  }
  declarations.set(type, fields);
  return fields;
}

/** The names of all fields of an answer, those of nested objects included. */
export function answerFields(type: Type<object>, found = new Set<string>()): ReadonlySet<string> {
  for (const name of declaredFields(type).keys()) {
    const isNew = !found.has(name);
    found.add(name);
    const nested = nestedType(type, name);
    if (isNew && nested !== (Object as Type<object>)) answerFields(nested, found);
  }
  return found;
}

/** Reads the class of a nested DTO from an instance that class-transformer creates. */
function nestedType(type: Type<object>, name: string): Type<object> {
  const instance = plainToInstance(type, { [name]: {} }) as Record<string, object>;
  return instance[name]?.constructor as Type<object>;
}
