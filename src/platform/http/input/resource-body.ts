import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';

/** The name under which the fields of a body may be nested. */
export const RESOURCE = Symbol('RESOURCE');

/**
 * The body of a create or update: the resource's fields, flat or under the resource's name. Both
 * `{"name": …}` and `{"department": {"name": …}}` reach the handler as the same DTO.
 */
export const ResourceBody = createParamDecorator((resource: string, context: ExecutionContext): unknown => {
  const body: unknown = context.switchToHttp().getRequest<Request>().body;
  if (typeof body !== 'object' || body === null) return body;
  const wrapped = (body as Record<string, unknown>)[resource];
  return typeof wrapped === 'object' && wrapped !== null ? wrapped : body;
});

/** Documents both forms of a ResourceBody. */
export function ApiResourceBody(resource: string, dto: Type): MethodDecorator {
  const flat = { $ref: getSchemaPath(dto) };
  const wrapped = { type: 'object', required: [resource], properties: { [resource]: flat } };
  return applyDecorators(
    SetMetadata(RESOURCE, resource),
    ApiExtraModels(dto),
    ApiBody({ schema: { anyOf: [wrapped, flat] } }),
  );
}
