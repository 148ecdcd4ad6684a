import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Answer, Json } from './api';
import { DocumentedRoutes } from './documented-routes';
import { expand } from './json-schema';
import { readDocument } from './openapi-file';

const MAX_PROBLEMS = 5;

/** Node answers requests with too large headers itself, whatever their route. */
const HEADERS_TOO_LARGE = 431;

/** Compares responses with openapi.json. Validators are compiled on first use. */
class Contract {
  private readonly document = strict(readDocument());
  private readonly routes = new DocumentedRoutes(this.document);
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  private readonly validators = new Map<Json, ValidateFunction>();

  constructor() {
    addFormats.default(this.ajv);
    this.ajv.addSchema(this.document, 'openapi.json');
  }

  /** Every difference from the document with its location; empty for a valid response. */
  problemsOf(method: string, path: string, answer: Answer): string[] {
    if (answer.status === HEADERS_TOO_LARGE) return [];
    const route =
      this.routes.find(method, path) ?? (method === 'HEAD' ? this.routes.find('GET', path) : undefined);
    if (!route) {
      // Specs add probe routes outside /api. Those that ask for an unknown path call it so: a wrong one would be a step without an
      // effect. A wrong method is answered with 405.
      const isWanted = path.includes('nothing') || !path.startsWith('/api/v1/');
      const isUnknown = (answer.status === 404 && isWanted) || answer.status === 405;
      return path.startsWith('/api/') && !isUnknown ? ['the route is not documented'] : [];
    }
    const reference = route.operation.responses[answer.status];
    if (!reference) return [`status ${answer.status} is not documented`];
    return [
      ...problemsOfCaching(path, answer),
      ...this.problemsOfBody(expand(this.document, reference), method, answer),
    ];
  }

  private problemsOfBody({ content = {} }: Json, method: string, { body, headers }: Answer): string[] {
    if (method === 'HEAD') return [];
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (Object.keys(content).length === 0) return body === '' ? [] : [`a body of ${type} is not documented`];
    const media = content[type] ?? content[type.replace(/\/.*/, '/*')] ?? content['*/*'];
    if (!media) return [`content type ${type || '(none)'} is not documented`];
    const validate = this.validatorOf(media.schema);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [`body${instancePath}`, message, JSON.stringify(params)].join(' '),
    );
  }

  private validatorOf(schema: Json): ValidateFunction {
    let validate = this.validators.get(schema);
    if (!validate) {
      validate = this.ajv.compile(absolute(schema));
      this.validators.set(schema, validate);
    }
    return validate;
  }
}

/** Only pictures may be stored. */
function problemsOfCaching(path: string, { status, headers }: Answer): string[] {
  const caching = headers.get('cache-control') ?? '(none)';
  if (/\bno-store\b/.test(caching) || path.startsWith('/docs/')) return [];
  if (status < 400 && /^\/api\/v1\/(logos|avatars)\//.test(path) && caching.startsWith('public')) return [];
  return [`Cache-Control is ${caching} instead of no-store`];
}

/** A copy of the document that forbids undocumented fields of objects. */
function strict(node: Json): Json {
  if (Array.isArray(node)) return node.map(strict);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strict(value)]));
  return node.type === 'object' && node.properties && node.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** A copy of the schema with absolute references. */
const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.json#/'));

let contract: Contract | undefined;

/** @throws Error if a response differs from openapi.json. @param path with or without query */
export function ensureDocumented(method: string, path: string, answer: Answer): void {
  contract ??= new Contract();
  const problems = contract.problemsOf(method, path.replace(/[?#].*/, ''), answer);
  if (problems.length === 0) return;
  const listed = problems.slice(0, MAX_PROBLEMS).map((problem) => `\n  ${problem}`);
  throw new Error(
    `${method} ${path} answered ${answer.status}, which differs from openapi.json:${listed.join('')}\n${JSON.stringify(answer.body).slice(0, 500)}`,
  );
}
