import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { Enveloped } from './enveloped';

const UNWRAPPED = Symbol('UNWRAPPED');

/** Answers with the bare value, as login does. */
export const Unwrapped = () => SetMetadata(UNWRAPPED, true);

/** Puts every answer under `data`, and what is said about it under `meta`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const isBare = this.reflector.get<boolean | undefined>(UNWRAPPED, context.getHandler());
    if (isBare || context.getType() !== 'http') return next.handle();
    return next.handle().pipe(map(envelope));
  }
}

function envelope(value: unknown): unknown {
  if (value === undefined) return undefined;
  return value instanceof Enveloped ? { data: value.data, meta: value.meta } : { data: value };
}
