import { createHash } from 'node:crypto';
import type { ExecutionContext } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';
import { withoutInvisible } from '../text/invisible';

/** Longer than any e-mail address that a body may contain. */
const MAX_EMAIL_LENGTH = 600;

/** The fields of bodies that name an account, each with what stands for the account in a key. */
const ACCOUNT_FIELDS = {
  // The same for all spellings that match the same account. The tenant is left out, since it can be given as slug or name.
  email: foldEmail,
  // Of one login. Without it, all agents of an office would share the limit when they come back after an outage.
  refresh_token: (token: string) => createHash('sha256').update(token).digest('base64url'),
};
type AccountField = keyof typeof ACCOUNT_FIELDS;

const fieldsOfRoutes = new WeakMap<object, AccountField | null>();

/** The account of a request, if the body of its route names one. */
export function accountKey(context: ExecutionContext): string | undefined {
  const field = accountField(context);
  if (!field) return undefined;
  const body = context.switchToHttp().getRequest<Request>().body as Record<string, unknown> | undefined;
  const value = body?.[field];
  return typeof value === 'string' ? ACCOUNT_FIELDS[field](value) : undefined;
}

/**
 * One spelling for all e-mail addresses that PostgreSQL's lower() may treat as equal. Its result depends on
 * the locale of the database (İ may become i, I may become ı), so this also removes accents and compatibility
 * variants.
 */
export function foldEmail(email: string): string {
  return withoutInvisible(email)
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
 * The field of the route's body that names the account. One that is sent to another route is ignored, so it must not give the
 * client a further counter.
 */
function accountField(context: ExecutionContext): AccountField | null {
  const handler = context.getHandler();
  const known = fieldsOfRoutes.get(handler);
  if (known !== undefined) return known;
  const types: unknown = Reflect.getMetadata(
    'design:paramtypes',
    context.getClass().prototype as object,
    handler.name,
  );
  const declared = new Set(Array.isArray(types) ? types.flatMap(declaredFields) : []);
  const field = (Object.keys(ACCOUNT_FIELDS) as AccountField[]).find((name) => declared.has(name)) ?? null;
  fieldsOfRoutes.set(handler, field);
  return field;
}

function declaredFields(type: unknown): string[] {
  if (typeof type !== 'function') return [];
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
}
