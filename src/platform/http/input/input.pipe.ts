import { setImmediate } from 'node:timers/promises';
import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import {
  badParameters,
  type FieldErrors,
  invalidFields,
  MAX_REPORTED_FIELDS,
  unprocessable,
} from '../errors/api-error';
import { InvalidStructureError, pickDeclaredFields } from './declared-fields';
import { fieldProblems } from './field-problems';
import { sanitizeInput, UnsafeInputError } from './sanitize-input';
import { isUntrimmed, SLICE_ITEMS, slicedListOf, unknownParameters } from './dto-options';
import { UnreadBody } from './unread-body';

/**
 * Validates all input against its DTO and drops unknown fields. An invalid body is answered with 422 (415 if it is
 * not JSON), an invalid path or query parameter with 400, and so is an unknown query parameter. Limits are checked and unknown fields dropped first, because the time that class-transformer and
 * class-validator take grows faster than the input.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      transform: true,
      validateCustomDecorators: true,
      stopAtFirstError: false,
      // By its class, fieldProblems finds the rules that a value violates.
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => new InvalidInput(fieldProblems(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!metatype || !this.toValidate(metadata)) return value;
    const isBody = type === 'body' || type === 'custom';
    if (value instanceof UnreadBody) await value.refuse();
    try {
      const input = sanitizeInput(value instanceof UnreadBody ? {} : (value ?? {}), !isUntrimmed(metatype));
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        throw unprocessable('validation_failed', 'The body must be a JSON object.');
      }
      if (type === 'query') refuseUnknownParameters(input, metatype);
      const fields = pickDeclaredFields(input, metatype);
      return await this.validateInSlices(fields, metadata, slicedListOf(metatype));
    } catch (error) {
      if (error instanceof UnsafeInputError)
        throw validationError(isBody, { [error.field]: [error.problem] });
      if (error instanceof InvalidStructureError) throw validationError(isBody, error.fields);
      if (error instanceof InvalidInput) throw validationError(isBody, error.fields);
      throw error;
    }
  }

  /** @param list the field with a list that is validated in slices if it is long */
  private async validateInSlices(input: object, metadata: ArgumentMetadata, list?: string): Promise<object> {
    const items: unknown = list && input[list as keyof typeof input];
    if (!list || !Array.isArray(items) || items.length <= SLICE_ITEMS)
      return super.transform(input, metadata);
    const problems: FieldErrors = {};
    const valid: unknown[] = [];
    let result = {};
    for (let start = 0; start < items.length; start += SLICE_ITEMS) {
      if (start > 0) await setImmediate();
      const slice = { ...input, [list]: items.slice(start, start + SLICE_ITEMS) };
      try {
        result = await super.transform(slice, metadata);
        valid.push(...(result[list as keyof typeof result] as unknown[]));
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error;
        for (const [field, found] of Object.entries(error.fields))
          problems[moved(field, list, start)] = found;
        if (Object.keys(problems).length >= MAX_REPORTED_FIELDS) break;
      }
    }
    if (Object.keys(problems).length > 0) throw new InvalidInput(problems);
    return Object.assign(result, { [list]: valid });
  }
}

/** The path of a field of a slice, for example `links.3.label`, in the whole list. */
const moved = (field: string, list: string, start: number): string =>
  field.replace(/^(\w+)\.(\d+)/, (path, name, index) =>
    name === list ? `${name}.${Number(index) + start}` : path,
  );

/** @throws InvalidInput */
function refuseUnknownParameters(query: object, type: Type<object>): void {
  const problems = unknownParameters(query, type);
  if (Object.keys(problems).length > 0) throw new InvalidInput(problems);
}

class InvalidInput extends Error {
  constructor(readonly fields: FieldErrors) {
    super('invalid input');
  }
}

function validationError(isBody: boolean, fields: FieldErrors) {
  return isBody ? invalidFields(fields) : badParameters(fields);
}
