import { type ArgumentMetadata, Param, ParseUUIDPipe } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { badParameters } from '../errors/api-error';

/** Returns UUIDs in lower case, as the database does: ids are compared as texts, and RFC 9562 allows upper case. */
class IdPipe extends ParseUUIDPipe {
  override async transform(value: string, metadata: ArgumentMetadata): Promise<string | null | undefined> {
    return (await super.transform(value, metadata))?.toLowerCase();
  }
}

/** A UUID in the path, as a parameter of the handler, in lower case; any other value is answered with 400. */
export function IdParam(name = 'id'): ParameterDecorator {
  return Param(name, new IdPipe({ exceptionFactory: () => notUuid(name) }));
}

/** Reads a UUID from the path in an interceptor or guard, which run before pipes, in lower case. @throws 400 */
export function readIdParam(params: Record<string, string | string[]>, name: string): string {
  const id = params[name];
  if (typeof id !== 'string' || !isUUID(id)) throw notUuid(name);
  return id.toLowerCase();
}

const notUuid = (name: string) => badParameters({ [name]: ['must be a UUID'] });
