import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { Page } from '../database/page';
import { Enveloped } from './enveloped';

const UNWRAPPED = Symbol('UNWRAPPED');

/** Sends the handler's value without the envelope. */
export const Unwrapped = () => SetMetadata(UNWRAPPED, true);

/** Wraps every response: the value as `data`, and a page's or an Enveloped value's metadata as `meta`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const isUnwrapped = this.reflector.get<boolean | undefined>(UNWRAPPED, context.getHandler());
    if (isUnwrapped || context.getType() !== 'http') return next.handle();
    return next.handle().pipe(map(envelope));
  }
}

function envelope(value: unknown): unknown {
  if (value === undefined) return undefined;
  const hasMeta = value instanceof Enveloped || value instanceof Page;
  return hasMeta ? { data: value.data, meta: value.meta } : { data: value };
}
