import type { ExecutionContext } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';

/** More than any e-mail that a body may have. */
const MAX_EMAIL_LENGTH = 600;

const routesWithEmail = new WeakMap<object, boolean>();

/**
 * The account that the request is about, if its route's body names one: the same for every spelling that
 * reaches the same account. The tenant is left out, since it can be written as its slug or its name.
 */
export function accountKey(context: ExecutionContext): string | undefined {
  if (!hasEmailInBody(context)) return undefined;
  const body = context.switchToHttp().getRequest<Request>().body as { email?: unknown } | undefined;
  return typeof body?.email === 'string' ? foldEmail(body.email) : undefined;
}

/**
 * One form for all e-mails that PostgreSQL's lower() may find equal. What it makes of a letter depends on
 * the database's locale (of İ an i, of I a dotless ı), so this is coarser: without case, accents and variants.
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
 * Whether the route's body has an e-mail. One that is sent to another route is dropped unread, so it must
 * not buy another allowance either.
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
  const answer = Array.isArray(types) && types.some(declaresEmail);
  routesWithEmail.set(handler, answer);
  return answer;
}

function declaresEmail(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .some(({ propertyName }) => propertyName === 'email');
}
