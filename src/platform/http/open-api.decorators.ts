import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PageMeta } from './pagination';

/** Documents an answer of the form `{"data": <dto>}`. */
export function ApiData(dto: Type, options: { status?: number; list?: boolean; description?: string } = {}) {
  const { status = 200, list = false, description = '' } = options;
  const item = { $ref: getSchemaPath(dto) };
  const data = list ? { type: 'array', items: item } : item;
  return applyDecorators(
    ApiExtraModels(dto),
    ApiResponse({
      status,
      description,
      schema: { type: 'object', required: ['data'], properties: { data } },
    }),
  );
}

/** Documents one page of a list: `{"data": [<dto>…], "meta": {…}}`. */
export function ApiPage(dto: Type) {
  return applyDecorators(
    ApiExtraModels(dto, PageMeta),
    ApiResponse({
      status: 200,
      description: '',
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(dto) } },
          meta: { $ref: getSchemaPath(PageMeta) },
        },
      },
    }),
  );
}

/**
 * Documents a failure that only some routes have; the usual ones are added to every route.
 * @param code of the error that this route is likeliest to answer, with its `detail`
 */
export function ApiFailure(status: number, description: string, code?: string, detail = `${description}.`) {
  const content = { 'application/json': { example: { errors: { detail, code } } } };
  return ApiResponse(code ? { status, description, content } : { status, description });
}
