import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { FieldErrors } from '../errors/api-error';

/** A nested DTO: its class, and whether the field is an array of it. */
interface NestedField {
  type: Type<object>;
  isList: boolean;
}

/** The fields that a DTO declares; undefined for a field that is not a nested DTO. */
type DeclaredFields = ReadonlyMap<string, NestedField | undefined>;

const declarations = new WeakMap<Type<object>, DeclaredFields>();

/** A nested DTO that is not sent as a JSON object. */
export class NotAnObjectError extends Error {
  constructor(readonly fields: FieldErrors) {
    super('not an object');
  }
}

/**
 * Copies the fields that the DTO declares, also those of nested DTOs and of arrays of DTOs, and drops all others.
 * class-transformer compares every key of an object with every other key, so unknown keys must not reach it.
 * @throws NotAnObjectError for nested DTOs that are given as another value than an object or null
 */
export function pickDeclaredFields(input: object, type: Type<object>): object {
  const problems: FieldErrors = {};
  const picked = pick(input, type, '', problems);
  if (Object.keys(problems).length > 0) throw new NotAnObjectError(problems);
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

function pickNested(
  value: unknown,
  { type, isList }: NestedField,
  path: string,
  problems: FieldErrors,
): unknown {
  if (isList && Array.isArray(value))
    return value.map((item, index) => pickObject(item, type, `${path}.${index}`, problems));
  // The validators of the field refuse a value that is not an array.
  return isList && typeof value !== 'object' ? value : pickObject(value, type, path, problems);
}

function pickObject(value: unknown, type: Type<object>, path: string, problems: FieldErrors): unknown {
  if (value === undefined || value === null) return value;
  if (typeof value === 'object' && !Array.isArray(value)) return pick(value, type, `${path}.`, problems);
  problems[path] = ['must be an object'];
  return value;
}

function declaredFields(type: Type<object>): DeclaredFields {
  const known = declarations.get(type);
  if (known) return known;
  const fields = new Map<string, NestedField | undefined>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const isNested = rule.type === ValidationTypes.NESTED_VALIDATION;
    if (isNested) fields.set(rule.propertyName, nestedField(type, rule.propertyName, rule.each));
    else if (!fields.has(rule.propertyName)) fields.set(rule.propertyName, undefined);
  }
  declarations.set(type, fields);
  return fields;
}

/** Reads the class of a nested DTO from an instance that class-transformer creates. */
function nestedField(type: Type<object>, name: string, isList: boolean): NestedField {
  const instance = plainToInstance(type, { [name]: {} }) as Record<string, object>;
  return { type: instance[name]?.constructor as Type<object>, isList };
}
