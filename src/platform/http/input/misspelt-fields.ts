import type { ExecutionContext, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { Request } from 'express';
import { PUBLIC } from '../../access/access.decorators';
import { routeMetadata } from '../../access/route-metadata';
import { type FieldErrors, MAX_REPORTED_FIELDS, unprocessable } from '../errors/api-error';
import { answerFields, declaredFields } from './declared-fields';
import { ANSWER } from '../openapi/openapi.decorators';
import { RESOURCE } from './resource-body';

/** Express compares paths without regard to case. */
const STAFF_ROUTES = /^\/api\/v1\//i;

/** Unknown names of one body that are compared with the known ones, and their length. Further and longer ones are dropped. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 64;
const MAX_DISTANCE = 2;
/** A word of four letters is two edits away from many others: `date`, `time`, `note` and `page` from `name`. */
const SHORT_LENGTH = 4;
const MAX_SHORT_DISTANCE = 1;
const MIN_PREFIX_LENGTH = 4;

/** What a route knows of the body's fields. */
interface BodyRule {
  /** Undefined for a route that takes no body. */
  type: Type<object> | undefined;
  /** The parameters of the query. */
  parameters: ReadonlySet<string>;
  /** The name under which the fields may be nested. */
  resource: string | undefined;
  /** Fields of the resource as the route answers it: a client may send them back. */
  ignored: ReadonlySet<string>;
}

const rules = new WeakMap<object, BodyRule | null>();

/**
 * Refuses a body of staff with a field that is nearly a known one, or that belongs into the query of a route without a body,
 * since dropping it would lose what the client meant. Other unknown fields are dropped by the InputPipe.
 * @throws 422 unknown_field
 */
export function refuseMisspeltFields(context: ExecutionContext): void {
  const { body, path } = context.switchToHttp().getRequest<Request>() as { body: unknown; path: string };
  if (!isPlainObject(body) || !STAFF_ROUTES.test(path) || routeMetadata<boolean>(context, PUBLIC)) return;
  const rule = ruleOf(context);
  if (!rule) return;
  if (!rule.type) return refuseParameters(body, rule.parameters);
  const wrapped = rule.resource === undefined ? undefined : body[rule.resource];
  const misspelt = new MisspeltFields(rule.ignored);
  if (isPlainObject(wrapped)) misspelt.find(wrapped, rule.type, '');
  else misspelt.find(body, rule.type, '', rule.resource);
  const [[field, known] = []] = Object.entries(misspelt.found);
  if (field === undefined || known === undefined) return;
  const fields = Object.entries(misspelt.found).map(([name, meant]) => [
    name,
    [`is unknown; did you mean ${meant}?`],
  ]);
  throw unprocessable(
    'unknown_field',
    `The field ${field} is unknown. Did you mean ${known}?`,
    Object.fromEntries(fields) as FieldErrors,
  );
}

function refuseParameters(body: Record<string, unknown>, parameters: ReadonlySet<string>): void {
  const name = Object.keys(body).find((field) => parameters.has(field));
  if (name === undefined) return;
  throw unprocessable('unknown_field', `The field ${name} is unknown: it is a parameter of the query.`, {
    [name]: ['is a parameter of the query'],
  });
}

function ruleOf(context: ExecutionContext): BodyRule | null {
  const handler = context.getHandler();
  const cached = rules.get(handler);
  if (cached !== undefined) return cached;
  const controller = context.getClass().prototype as object;
  const types = (Reflect.getMetadata('design:paramtypes', controller, handler.name) ?? []) as Type<object>[];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object;
  // A body may come from a decorator of its own.
  const typeIn = (isQuery: boolean) =>
    types.find(
      (candidate, index) =>
        `${RouteParamtypes.QUERY}:${index}` in args === isQuery && declaredFields(candidate).size > 0,
    );
  const [type, query] = [typeIn(false), typeIn(true)];
  const answer = routeMetadata<Type<object>>(context, ANSWER);
  const rule =
    type || query
      ? {
          type,
          parameters: new Set(query ? declaredFields(query).keys() : []),
          resource: routeMetadata<string>(context, RESOURCE),
          ignored: answer ? answerFields(answer) : new Set<string>(),
        }
      : null;
  rules.set(handler, rule);
  return rule;
}

class MisspeltFields {
  /** The known name that each misspelt field is nearest to, by the path of the field. */
  readonly found: Record<string, string> = {};
  private compared = 0;
  private reported = 0;

  constructor(private readonly ignored: ReadonlySet<string>) {}

  /** @param wrapper the name under which the fields may be, which is misspelt only if an object is under it */
  find(body: Record<string, unknown>, type: Type<object>, path: string, wrapper?: string): void {
    const known = declaredFields(type);
    for (const [name, value] of Object.entries(body)) {
      if (this.compared >= MAX_NAMES || this.reported >= MAX_REPORTED_FIELDS) return;
      if (known.has(name)) {
        const nested = known.get(name);
        if (!nested) continue;
        const items = nested.isList && Array.isArray(value) ? value.slice(0, nested.maxItems) : [value];
        items.forEach((item: unknown, index) => {
          const place = nested.isList ? `${path}${name}.${index}.` : `${path}${name}.`;
          if (isPlainObject(item)) this.find(item, nested.type, place);
        });
      } else if (!this.ignored.has(name) && name !== wrapper && name.length <= MAX_NAME_LENGTH) {
        this.compared++;
        const wrappers = wrapper !== undefined && isPlainObject(value) ? [wrapper] : [];
        const meant = nearestName(name, [...known.keys(), ...wrappers]);
        if (meant === undefined) continue;
        this.found[path + name] = meant;
        this.reported++;
      }
    }
  }
}

/**
 * The known name at most two edits away, else one that begins with the name or that the name begins with. Their case, `_` and
 * `-` are not compared, so that `maxQueueSize` means `max_queue_size`.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = lettersOf(name);
  const candidates = known.map((candidate) => {
    const letters = lettersOf(candidate);
    return { candidate, letters, distance: editDistance(given, letters) };
  });
  const near = candidates
    .filter(({ letters, distance }) => distance <= maxDistance(given, letters))
    .toSorted((one, other) => one.distance - other.distance);
  const prefixed = ({ letters }: { letters: string }) =>
    shorterLength(given, letters) >= MIN_PREFIX_LENGTH &&
    (letters.startsWith(given) || given.startsWith(letters));
  return (near[0] ?? candidates.find(prefixed))?.candidate;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

const shorterLength = (one: string, other: string): number => Math.min(one.length, other.length);

const maxDistance = (one: string, other: string): number =>
  shorterLength(one, other) <= SHORT_LENGTH ? MAX_SHORT_DISTANCE : MAX_DISTANCE;

/**
 * How many letters are to be inserted, removed or replaced, or neighbours exchanged (optimal string alignment); Infinity if
 * the lengths alone exceed MAX_DISTANCE.
 */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DISTANCE) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_value, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isExchanged = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          isExchanged ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
