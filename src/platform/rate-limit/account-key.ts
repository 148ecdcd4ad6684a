import type { ExecutionContext } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';

/** Longer than any e-mail address that a body may contain. */
const MAX_EMAIL_LENGTH = 600;

const routesWithEmail = new WeakMap<object, boolean>();

/**
 * The account of a request, if the body of its route has an e-mail address: the same for all spellings that
 * match the same account. The tenant is left out, since it can be given as slug or name.
 */
export function accountKey(context: ExecutionContext): string | undefined {
  if (!hasEmailInBody(context)) return undefined;
  const body = context.switchToHttp().getRequest<Request>().body as { email?: unknown } | undefined;
  return typeof body?.email === 'string' ? foldEmail(body.email) : undefined;
}

/**
 * One spelling for all e-mail addresses that PostgreSQL's lower() may treat as equal. Its result depends on
 * the locale of the database (İ may become i, I may become ı), so this also removes accents and compatibility
 * variants.
 */
export function foldEmail(email: string): string {
  return email
    .trim()
    .slice(0, MAX_EMAIL_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .slice(0, MAX_EMAIL_LENGTH);
}

/**
 * Whether the body of the route has an e-mail address. An address sent to another route is ignored, so it
 * must not give the client a further counter.
 */
function hasEmailInBody(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  const known = routesWithEmail.get(handler);
  if (known !== undefined) return known;
  const types: unknown = Reflect.getMetadata(
    'design:paramtypes',
    context.getClass().prototype as object,
    handler.name,
  );
  const hasEmail = Array.isArray(types) && types.some(declaresEmail);
  routesWithEmail.set(handler, hasEmail);
  return hasEmail;
}

function declaresEmail(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .some(({ propertyName }) => propertyName === 'email');
}
