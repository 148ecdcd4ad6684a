import { schemaName } from '../../platform/http/openapi/openapi-registry';
import type { Operation } from './openapi-operation';
import type { Schemas } from './openapi-schemas';

const TENANT_HEADER = {
  name: 'X-Tenant',
  in: 'header' as const,
  required: false,
  description: "Slug, name or id of the token's tenant; any other tenant is refused with 403",
  schema: { type: 'string' as const, example: 'padaria-central' },
};

/** Adds the minimum role and the tenant header, and says explicitly when an operation needs no token. */
export function describeAccess(operation: Operation): void {
  // A route whose role differs from its controller's carries the requirement of both decorators.
  const requirements = new Map((operation.security ?? []).map((each) => [JSON.stringify(each), each]));
  operation.security = [...requirements.values()];
  const role = operation['x-minimum-role'];
  if (!role) return;
  operation.description = `Minimum role: ${role}.`;
  operation.parameters = [...(operation.parameters ?? []), TENANT_HEADER];
}

/** Documents the format that IdParam requires of ids in the path. */
export function describeIds({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.in !== 'path' || !/^(\w+_)?id$/.test(parameter.name)) continue;
    parameter.schema = { type: 'string', format: 'uuid' };
  }
}

/** Makes a body optional if all of its fields are. */
export function describeBody({ requestBody }: Operation, schemas: Schemas): void {
  if (!requestBody || '$ref' in requestBody) return;
  const schema = requestBody.content['application/json']?.schema;
  if (!schema || !('$ref' in schema)) return;
  const body = schemas[schemaName(schema.$ref)];
  if (body && !('$ref' in body) && !body.required?.length) requestBody.required = false;
}

/** Gives every success a description, which OpenAPI requires. */
export function describeSuccess({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (response && !('$ref' in response)) response.description ||= status === '204' ? 'Done' : 'Success';
  }
}
