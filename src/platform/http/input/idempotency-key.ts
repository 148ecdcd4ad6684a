import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { badRequest, unprocessable } from '../errors/api-error';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 255;

/** Documents that the route takes an Idempotency-Key, with which a client repeats a request after a lost response. */
export const TakesIdempotencyKey = (description: string): MethodDecorator =>
  applyDecorators(ApiHeader({ name: HEADER, required: false, description }));

/** 422 for a key that was used with another body: by another client, or by mistake. */
export const idempotencyKeyReused = () =>
  unprocessable('idempotency_key_reused', 'This Idempotency-Key was used for another request.');

/** The Idempotency-Key of the request, as a parameter of the handler; undefined without one. @throws 400 */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined => {
    const key = context.switchToHttp().getRequest<Request>().get(HEADER);
    if (key !== undefined && (key.length === 0 || key.length > MAX_LENGTH)) {
      throw badRequest(`${HEADER} must have 1 to ${MAX_LENGTH} characters.`);
    }
    return key;
  },
);
