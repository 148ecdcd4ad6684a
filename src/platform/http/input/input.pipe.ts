import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { badRequest, type FieldErrors, unprocessable } from '../errors/api-error';
import { InvalidStructureError, pickDeclaredFields } from './declared-fields';
import { QueryCache } from './query-cache';
import { sanitizeInput, UnsafeInputError } from './sanitize-input';
import { isUntrimmed } from './untrimmed';
import { cacheValidationRules } from './validation-rules';

/**
 * Validates all input against its DTO and drops unknown fields. An invalid body is answered with 422, an invalid path
 * or query parameter with 400. Limits are checked and unknown fields dropped first, because the time that
 * class-transformer and class-validator take grows faster than the input.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  private readonly queries = new QueryCache();

  constructor() {
    cacheValidationRules();
    super({
      whitelist: true,
      transform: true,
      validateCustomDecorators: true,
      stopAtFirstError: false,
      exceptionFactory: (errors) => new InvalidInput(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!metatype || !this.toValidate(metadata)) return value;
    if (type !== 'query') return this.check(value, metadata, metatype);
    return this.queries.get(metatype, value, () => this.check(value, metadata, metatype));
  }

  private async check(value: unknown, metadata: ArgumentMetadata, metatype: Type<object>): Promise<object> {
    const isBody = metadata.type === 'body' || metadata.type === 'custom';
    try {
      const input = sanitizeInput(value ?? {}, !isUntrimmed(metatype));
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        throw unprocessable('validation_failed', 'The body must be a JSON object.');
      }
      const fields = pickDeclaredFields(input, metatype);
      return (await super.transform(fields, metadata)) as object;
    } catch (error) {
      if (error instanceof UnsafeInputError)
        throw validationError(isBody, { [error.field]: [error.problem] });
      if (error instanceof InvalidStructureError) throw validationError(isBody, error.fields);
      if (error instanceof InvalidInput) throw validationError(isBody, fieldErrors(error.errors));
      throw error;
    }
  }
}

class InvalidInput extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('invalid input');
  }
}

function validationError(isBody: boolean, fields: FieldErrors) {
  return isBody
    ? unprocessable('validation_failed', 'Some fields are not valid.', fields)
    : badRequest(`Bad parameter: ${Object.values(fields)[0]?.[0] ?? 'not valid'}.`, fields);
}

/** The problems by field; a nested field is named by its path, for example `links.3.department_id`. */
export function fieldErrors(errors: ValidationError[], path = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const name = path + error.property;
    if (error.constraints) fields[name] = Object.values(error.constraints);
    if (error.children?.length) Object.assign(fields, fieldErrors(error.children, `${name}.`));
  }
  return fields;
}
