import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { badRequest, unprocessable } from '../../platform/http/errors/api-error';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 255;

/** Rejects a key that is empty or too long, before a body is received. */
@Injectable()
class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const key = keyOf(context);
    if (key !== undefined && (key.length === 0 || key.length > MAX_LENGTH)) {
      throw badRequest(`${HEADER} must have 1 to ${MAX_LENGTH} characters.`);
    }
    return true;
  }
}

const keyOf = (context: ExecutionContext): string | undefined =>
  context.switchToHttp().getRequest<Request>().get(HEADER);

/**
 * The route takes an Idempotency-Key, with which a client repeats a request after a lost response. One that is empty
 * or longer than 255 characters is answered with 400.
 */
export const TakesIdempotencyKey = (description: string): MethodDecorator =>
  applyDecorators(
    UseGuards(IdempotencyKeyGuard),
    ApiHeader({
      name: HEADER,
      required: false,
      description,
      schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
    }),
  );

/** 422 for a key that was used with another body: by mistake, or by another customer with the same link. */
export const idempotencyKeyReused = () =>
  unprocessable('idempotency_key_reused', 'This Idempotency-Key was used for another request.');

/** The Idempotency-Key of a route that takes one, as a parameter of the handler; undefined without one. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  keyOf(context),
);
