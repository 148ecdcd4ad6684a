import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { refuseMisspeltFields } from './misspelt-fields';

/** Refuses bodies of staff with a misspelt field. It needs the route, which a pipe does not know. */
@Injectable()
export class MisspeltFieldsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() === 'http') refuseMisspeltFields(context);
    return true;
  }
}
