import { Param, ParseUUIDPipe } from '@nestjs/common';
import { badRequest } from './api-error';

/** A uuid in the path; anything else is 400. */
export function IdParam(name = 'id'): ParameterDecorator {
  return Param(
    name,
    new ParseUUIDPipe({
      exceptionFactory: () => badRequest(`${name} must be a UUID.`, { [name]: ['must be a UUID'] }),
    }),
  );
}
