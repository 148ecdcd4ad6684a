import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { badRequest, type FieldErrors, unprocessable } from '../errors/api-error';
import { cleanInput, UncleanInputError } from './clean-input';
import { isUntrimmed } from './untrimmed';

/**
 * Checks everything that comes in against its DTO. Unknown fields are dropped. A bad body is 422, a bad
 * path or query parameter 400.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      transform: true,
      validateCustomDecorators: true,
      stopAtFirstError: false,
      exceptionFactory: (errors) => new InvalidInput(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isBody = metadata.type === 'body' || metadata.type === 'custom';
    if (!this.toValidate(metadata)) return value;
    try {
      const input = cleanInput(value ?? {}, !isUntrimmed(metadata.metatype ?? Object));
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        throw unprocessable('validation_failed', 'The body must be a JSON object.');
      }
      return (await super.transform(input, metadata)) as unknown;
    } catch (error) {
      if (error instanceof UncleanInputError) throw refusal(isBody, { [error.field]: [error.problem] });
      if (error instanceof InvalidInput) throw refusal(isBody, fieldErrors(error.errors));
      throw error;
    }
  }
}

class InvalidInput extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('invalid input');
  }
}

function refusal(isBody: boolean, fields: FieldErrors) {
  return isBody
    ? unprocessable('validation_failed', 'Some fields are not valid.', fields)
    : badRequest(`Bad parameter: ${Object.values(fields)[0]?.[0] ?? 'not valid'}.`, fields);
}

/** Nested fields are named by their path, as in `links.3.department_id`. */
export function fieldErrors(errors: ValidationError[], path = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const name = path + error.property;
    if (error.constraints) fields[name] = Object.values(error.constraints);
    if (error.children?.length) Object.assign(fields, fieldErrors(error.children, `${name}.`));
  }
  return fields;
}
