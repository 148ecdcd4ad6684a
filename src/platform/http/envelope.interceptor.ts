import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { routeMetadata } from '../access/route-metadata';
import { Page } from '../database/page';
import { DataWithMeta } from './data-with-meta';

const UNWRAPPED = Symbol('UNWRAPPED');

/** Sends the handler's value without the envelope. */
export const Unwrapped = () => SetMetadata(UNWRAPPED, true);

/** The policy of a page would be longer and allow more: nothing of an answer in JSON is to be loaded or framed. */
const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Wraps the value of a handler: it becomes `data`, and the metadata of a page or of DataWithMeta becomes `meta`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const isUnwrapped = routeMetadata<boolean>(context, UNWRAPPED) === true;
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((value: unknown) => {
        if (value === undefined) return value;
        const content = isUnwrapped ? value : envelope(value);
        if (typeof content === 'object') response.setHeader('Content-Security-Policy', POLICY);
        return content;
      }),
    );
  }
}

function envelope(value: unknown): object {
  const hasMeta = value instanceof DataWithMeta || value instanceof Page;
  return hasMeta ? { data: value.data, meta: value.meta } : { data: value };
}
