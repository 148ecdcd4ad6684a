import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, operationsOf } from './openapi-operation';

/** A part of the document that becomes a component if it occurs more than once. */
export interface Part {
  value: object;
  /** The name of the component, unless a different component has it. */
  name: string;
  /** The name with that of the operation or schema that the part belongs to. */
  longName: string;
  /** Puts a reference to the component in place of the part. */
  replace(ref: string): void;
}

/** The inline parameters of all operations. */
export function* parametersOf(document: OpenAPIObject): Generator<Part> {
  for (const operation of allOperations(document)) {
    const parameters = operation.parameters ?? [];
    for (const [index, value] of parameters.entries()) {
      if ('$ref' in value) continue;
      const longName = `${controllerOf(operation)}_${value.name}`;
      yield { value, name: value.name, longName, replace: ($ref) => void (parameters[index] = { $ref }) };
    }
  }
}

/** The inline responses of all operations. */
export function* responsesOf(document: OpenAPIObject): Generator<Part> {
  for (const operation of allOperations(document)) {
    const { responses } = operation;
    for (const [status, value] of Object.entries(responses)) {
      if (!value || '$ref' in value) continue;
      const name = responseName(value);
      const longName = `${controllerOf(operation)}_${name}`;
      yield { value, name, longName, replace: ($ref) => void (responses[status] = { $ref }) };
    }
  }
}

/** The inline headers of all responses. */
export function* headersOf(document: OpenAPIObject): Generator<Part> {
  const inline = allOperations(document).flatMap(({ responses }) => Object.values(responses));
  for (const response of [...inline, ...Object.values(document.components?.responses ?? {})]) {
    if (!response || '$ref' in response) continue;
    const headers = response.headers ?? {};
    for (const [name, value] of Object.entries(headers)) {
      if ('$ref' in value) continue;
      yield { value, name, longName: name, replace: ($ref) => void (headers[name] = { $ref }) };
    }
  }
}

/** Sorted, so that the names of components do not depend on the order of modules. */
const allOperations = ({ paths, webhooks }: OpenAPIObject): Operation[] =>
  [...operationsOf(paths), ...operationsOf(webhooks)].sort((a, b) =>
    (a.operationId ?? '') < (b.operationId ?? '') ? -1 : 1,
  );

const controllerOf = ({ operationId = '' }: Operation): string => operationId.replace(/_.*/, '');

interface ResponseContent {
  description: string;
  content?: Record<string, { schema?: object; example?: unknown }>;
}

/**
 * `NotFound` for the error code not_found; `Call`, `CallList` or `CallPage` for CallDto and lists of it; otherwise the
 * beginning of the description.
 */
function responseName({ description, content }: ResponseContent): string {
  const { schema = {}, example } = content?.['application/json'] ?? {};
  const { errors } = (example ?? {}) as { errors?: { code: string } };
  if (errors) return pascalCase(errors.code);
  const { $ref, properties = {} } = schema as SchemaOfResponse;
  const record = $ref ?? properties.data?.$ref ?? properties.data?.items?.$ref;
  if (!record) return pascalCase(/^(?:The )?([^,;:.(]*)/.exec(description)?.[1] ?? '');
  const suffix = properties.data?.items ? (properties.meta ? 'Page' : 'List') : '';
  return recordName(record) + suffix;
}

interface SchemaOfResponse {
  $ref?: string;
  properties?: { data?: { $ref?: string; items?: { $ref?: string } }; meta?: object };
}

/** `Call` for `#/components/schemas/CallDto`, `CallPayload` and `CreateCallDto`. */
export const recordName = (schema: string): string =>
  schema.replace(/^.*\//, '').replace(/^(Create|Update)(?=[A-Z])|(Dto|Payload)$/g, '');

/** `NotFound` for `not_found` and `Not found`. */
export const pascalCase = (text: string): string =>
  (text.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
