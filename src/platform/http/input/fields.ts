import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsOptional,
  isObject,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { isVisible, withoutInvisible } from '../../text/invisible';
import { ISO_TIMESTAMP } from './timestamp';

interface FieldOptions {
  description?: string;
  example?: unknown;
  default?: unknown;
  /** May be left out or null. */
  optional?: boolean;
  /** False for an optional field that the service refuses to set to null. */
  nullable?: false;
}

const EXAMPLE_ID = '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11';

const MAX_JSON_BYTES = 16 * 1024;

const DATE = /^2[01]\d{2}-\d{2}-\d{2}$/;

/** The largest PostgreSQL integer. */
const MAX_INTEGER = 2_147_483_647;

/**
 * Declares a field of a request or response class once: class-validator checks it in requests, and the OpenAPI document
 * shows it. A blank optional field, which forms send, is null.
 */
function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const { optional = false, ...rest } = options;
  const property = { required: !optional, nullable: optional, ...rest, ...schema } as ApiPropertyOptions;
  const blankIsNull = Transform(({ value }: { value: unknown }) => (value === '' ? null : value));
  return applyDecorators(ApiProperty(property), ...checks, ...(optional ? [IsOptional(), blankIsNull] : []));
}

export function TextField(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = options.optional ? 0 : 1, max = 255, ...rest } = options;
  const checks = [Length(min, max), ...(min > 0 ? [isVisibleText] : [])];
  return field(rest, { type: String, minLength: min, maxLength: max }, ...checks);
}

const isVisibleText = ValidateBy({
  name: 'isVisibleText',
  validator: {
    validate: (value) => typeof value !== 'string' || value === '' || isVisible(value),
    defaultMessage: () => 'must contain a visible character',
  },
});

export function PatternField(
  pattern: RegExp,
  message: string,
  options: FieldOptions & { max?: number } = {},
): PropertyDecorator {
  const { max = 255, ...rest } = options;
  return field(rest, { type: String, maxLength: max }, Length(1, max), Matches(pattern, { message }));
}

export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'ana@example.com', ...options },
    { type: String, format: 'email', maxLength: 254 },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? withoutInvisible(value).trim() : value,
    ),
    IsEmail(),
    Length(3, 254),
  );
}

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Converts a text, or each text of an array, to lower case before it is checked, so that its case does not matter. */
export const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map(lowerCase) : lowerCase(value),
  );

/** An id, converted to lower case: the database returns ids so, and they are compared as texts. */
export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: String, format: 'uuid' };
  return field({ example: EXAMPLE_ID, ...options }, schema, LowerCase(), IsUUID());
}

export function UuidsField(options: FieldOptions & { max?: number } = {}): PropertyDecorator {
  const { max = 100, ...rest } = options;
  return field(
    { example: [EXAMPLE_ID], ...rest },
    { type: String, format: 'uuid', isArray: true, maxItems: max },
    LowerCase(),
    IsArray(),
    ArrayMaxSize(max),
    IsUUID(undefined, { each: true }),
  );
}

export function IntegerField(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = MAX_INTEGER, ...rest } = options;
  return field(rest, { type: 'integer', minimum: min, maximum: max }, IsInt(), Min(min), Max(max));
}

/** A number with or without a fraction. */
export function NumberField(options: FieldOptions & { min?: number } = {}): PropertyDecorator {
  const { min = 0, ...rest } = options;
  return field(rest, { type: Number, minimum: min }, IsNumber(), Min(min));
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field({ example: true, ...options }, { type: Boolean }, IsBoolean());
}

export function ChoiceField(choices: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field({ example: choices[0], ...options }, { enum: [...choices] }, IsIn(choices));
}

/** An ISO 8601 moment, to be read with parseTimestamp. */
export function TimestampField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: '2026-01-31T12:00:00.000Z', ...options },
    { type: String, format: 'date-time' },
    IsISO8601({ strict: true, strictSeparator: true }),
    Matches(ISO_TIMESTAMP, { message: 'must be an ISO 8601 date, such as 2026-01-31T12:00:00Z' }),
  );
}

/** As TimestampField, for a moment that a client sends. */
export const TimestampInputField = ({ description, ...options }: FieldOptions = {}): PropertyDecorator =>
  TimestampField({
    example: '2027-01-31T09:00:00-03:00',
    ...options,
    description: `${description ? `${description}. ` : ''}A time without an offset is UTC, a date alone midnight UTC`,
  });

/** An object with fields of the client's choice, at most MAX_JSON_BYTES as JSON. */
export function JsonField(options: FieldOptions = {}): PropertyDecorator {
  const isSmall = ValidateBy({
    name: 'isSmallObject',
    validator: {
      validate: (value) => isObject(value) && Buffer.byteLength(JSON.stringify(value)) <= MAX_JSON_BYTES,
      defaultMessage: () => 'must be an object of at most 16 KiB',
    },
  });
  return field(options, { type: 'object', additionalProperties: true }, isSmall);
}

/** A calendar date of this century or the next, without a time. */
export function DateField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: '2026-12-25', ...options },
    { type: String, format: 'date' },
    IsISO8601({ strict: true }),
    Matches(DATE, { message: 'must be a date (YYYY-MM-DD) from 2000 to 2199' }),
  );
}

/** A nested object, or an array of objects with `list`, validated by its class. */
export function ObjectField(
  type: () => new () => object,
  options: FieldOptions & { list?: boolean } = {},
): PropertyDecorator {
  const { list = false, ...rest } = options;
  // Swagger recognises a deferred class by the name of the function, `type`.
  return field(rest, { type: () => type(), isArray: list }, Type(type));
}

/** An array of at most `max` objects, validated by their class, in which no two have the same id in the field `key`. */
export function ObjectListField<Item extends object>(
  type: () => new () => Item,
  options: FieldOptions & { max: number; key: keyof Item & string },
): PropertyDecorator {
  const { max, key, ...rest } = options;
  const idOf = ({ [key]: id }: Item): unknown => (typeof id === 'string' ? id.toLowerCase() : id);
  return field(
    rest,
    { type: () => type(), isArray: true, maxItems: max },
    Type(type),
    IsArray(),
    ArrayMaxSize(max),
    ArrayUnique(idOf, { message: `must not contain a ${key} twice` }),
    ValidateNested({ each: true }),
  );
}
