import { Param, ParseUUIDPipe } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { badRequest } from '../errors/api-error';

/** A uuid in the path; anything else is 400. */
export function IdParam(name = 'id'): ParameterDecorator {
  return Param(
    name,
    new ParseUUIDPipe({
      exceptionFactory: () => notUuid(name),
    }),
  );
}

/** The same for whoever comes before the pipes. @throws 400 */
export function idParam(params: Record<string, string | string[]>, name: string): string {
  const id = params[name];
  if (!isUUID(id)) throw notUuid(name);
  return id as string;
}

const notUuid = (name: string) => badRequest(`${name} must be a UUID.`, { [name]: ['must be a UUID'] });
