import { Param, ParseUUIDPipe } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { badRequest } from '../errors/api-error';

/** A UUID in the path, as a parameter of the handler; any other value is answered with 400. */
export function IdParam(name = 'id'): ParameterDecorator {
  return Param(name, new ParseUUIDPipe({ exceptionFactory: () => notUuid(name) }));
}

/** Reads a UUID from the path in an interceptor or guard, which run before pipes. @throws 400 */
export function readIdParam(params: Record<string, string | string[]>, name: string): string {
  const id = params[name];
  if (!isUUID(id)) throw notUuid(name);
  return id as string;
}

const notUuid = (name: string) => badRequest(`${name} must be a UUID.`, { [name]: ['must be a UUID'] });
