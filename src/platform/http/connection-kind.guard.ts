import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type RequestContext, setConnectionKind } from '../logging/request-context';
import { PUBLIC, RESERVED_CONNECTION } from '../access/access.decorators';
import { routeMetadata } from '../access/route-metadata';

/** Refuses nothing: notes how a request waits for the database, by its route, before anything reads from it. */
@Injectable()
export class ConnectionKindGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() === 'http') setConnectionKind(connectionKindOf(context));
    return true;
  }
}

function connectionKindOf(context: ExecutionContext): RequestContext['connection'] {
  const isReserved = routeMetadata<boolean>(context, RESERVED_CONNECTION) === true;
  if (routeMetadata<boolean>(context, PUBLIC)) return isReserved ? 'public_reserved' : 'public';
  return isReserved ? 'reserved' : undefined;
}
