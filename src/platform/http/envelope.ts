import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { routeMetadata } from '../access/route-metadata';
import { Page } from '../database/page';
import { DataWithMeta } from './data-with-meta';

const UNWRAPPED = Symbol('UNWRAPPED');

const unwrapped = new WeakSet<Response>();

/** Sends the handler's value without the envelope. */
export const Unwrapped = () => SetMetadata(UNWRAPPED, true);

/** Remembers whether the route of the request is @Unwrapped. The adapter, which writes the response, has no route. */
export function prepareEnvelope(context: ExecutionContext): void {
  if (routeMetadata<boolean>(context, UNWRAPPED)) {
    unwrapped.add(context.switchToHttp().getResponse<Response>());
  }
}

/** Whether the handler's value is sent as it is. */
export const isUnwrapped = (response: Response): boolean => unwrapped.has(response);

/** Wraps the value of a handler: it becomes `data`, and the metadata of a page or of DataWithMeta becomes `meta`. */
export function envelope(value: unknown): object {
  const hasMeta = value instanceof DataWithMeta || value instanceof Page;
  return hasMeta ? { data: value.data, meta: value.meta } : { data: value };
}
