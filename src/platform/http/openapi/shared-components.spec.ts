import type { OpenAPIObject } from '@nestjs/swagger';
import { shareComponents } from './shared-components';

const failure = (code: string, detail = 'No.') => ({
  description: code,
  content: { 'application/json': { example: { errors: { code, detail } } } },
});
const success = (properties: object) => ({
  description: '',
  content: { 'application/json': { schema: { type: 'object', properties } } },
});
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const SORT_ORDER = { type: 'string', enum: ['asc', 'desc'] };
const STATUS = { type: 'string', enum: ['queued', 'active'] };

function share({ routes = {}, schemas = {} }: { routes?: Record<string, object>; schemas?: object }) {
  const paths = Object.fromEntries(
    Object.entries(routes).map(([operationId, operation]) => [
      `/${operationId}`,
      { get: { operationId, responses: {}, ...operation } },
    ]),
  );
  const document = { openapi: '3.1.0', paths, components: { schemas } } as unknown as OpenAPIObject;
  const shared = shareComponents(document);
  type Components = Record<'parameters' | 'responses' | 'headers' | 'schemas', Record<string, object>>;
  return {
    ...(shared.components as unknown as Components),
    document,
    operation: (id: string) => shared.paths[`/${id}`]?.get,
  };
}

describe('shareComponents', () => {
  it('makes a component of a response that occurs twice, named after its error code', () => {
    const { responses, operation } = share({
      routes: {
        Calls_get: { responses: { 404: failure('not_found'), 403: failure('forbidden') } },
        Tags_get: { responses: { 404: failure('not_found') } },
      },
    });
    expect(responses).toEqual({ NotFound: failure('not_found') });
    expect(operation('Calls_get')?.responses).toEqual({
      403: failure('forbidden'),
      404: { $ref: '#/components/responses/NotFound' },
    });
    expect(operation('Tags_get')?.responses).toEqual({ 404: { $ref: '#/components/responses/NotFound' } });
  });

  it('names the response of a record after it, and of lists and pages, too', () => {
    const data = { $ref: '#/components/schemas/CallDto' };
    const items = { type: 'array', items: data };
    const routes = { one: { data }, list: { data: items }, page: { data: items, meta: {} } };
    const { responses } = share({
      routes: Object.fromEntries(
        Object.entries(routes).flatMap(([id, properties]) => [
          [`A_${id}`, { responses: { 200: success(properties) } }],
          [`B_${id}`, { responses: { 200: success(properties) } }],
        ]),
      ),
    });
    expect(Object.keys(responses)).toEqual(['CallList', 'Call', 'CallPage']);
  });

  it('adds the controller to a name that two different parameters would have', () => {
    const [one, other] = [query('search', { maxLength: 10 }), query('search', { maxLength: 20 })];
    const { parameters } = share({
      routes: {
        Calls_page: { parameters: [one] },
        Calls_export: { parameters: [one] },
        Tags_page: { parameters: [other] },
        Tags_export: { parameters: [other] },
      },
    });
    expect(parameters).toEqual({ Calls_search: one, Tags_search: other });
  });

  it('shares the headers that are left inside shared and other responses', () => {
    const headers = { 'Retry-After': { schema: { type: 'integer' } } };
    const { headers: shared } = share({
      routes: {
        Calls_get: { responses: { 429: { ...failure('rate_limited'), headers } } },
        Tags_get: { responses: { 503: { ...failure('unavailable'), headers } } },
      },
    });
    expect(shared).toEqual(headers);
  });

  it('names an enum after its field, with the shortest record if the field is one word', () => {
    const { schemas } = share({
      schemas: {
        CallDetailsDto: { properties: { status: { ...STATUS, example: 'active' }, sort_order: SORT_ORDER } },
        CallDto: { properties: { status: STATUS, sort_order: SORT_ORDER } },
      },
    });
    expect(schemas).toMatchObject({ CallStatus: STATUS, SortOrder: SORT_ORDER });
    expect(schemas.CallDetailsDto).toEqual({
      properties: {
        status: { $ref: '#/components/schemas/CallStatus', example: 'active' },
        sort_order: { $ref: '#/components/schemas/SortOrder' },
      },
    });
  });

  it('refers to one component from nullable enums, items and parameters', () => {
    const { schemas, operation } = share({
      routes: { Calls_page: { parameters: [query('status', STATUS)] } },
      schemas: {
        CallDto: {
          properties: {
            status: { type: ['string', 'null'], enum: ['queued', 'active', null], description: 'Now' },
            statuses: { type: 'array', items: STATUS },
          },
        },
      },
    });
    const $ref = '#/components/schemas/CallStatus';
    expect(schemas.CallStatus).toEqual(STATUS);
    expect(schemas.CallDto).toEqual({
      properties: {
        status: { anyOf: [{ $ref }, { type: 'null' }], description: 'Now' },
        statuses: { type: 'array', items: { $ref } },
      },
    });
    expect(operation('Calls_page')?.parameters).toEqual([query('status', { $ref })]);
  });

  it('leaves alone what occurs once, and the document that it was given', () => {
    const parameters = [query('search', { maxLength: 10 })];
    const { document, operation } = share({
      routes: { Calls_page: { parameters, responses: { 404: failure('not_found') } } },
      schemas: { CallDto: { properties: { status: STATUS } }, TagDto: { properties: { status: STATUS } } },
    });
    expect(operation('Calls_page')).toMatchObject({ parameters, responses: { 404: failure('not_found') } });
    expect(document.components?.schemas?.CallDto).toEqual({ properties: { status: STATUS } });
  });

  it('refuses two different components of one name', () => {
    const schemas = { CallStatus: {}, A: { properties: { call_status: STATUS } }, ACallStatus: {} };
    expect(() => share({ schemas: { ...schemas, B: { properties: { call_status: STATUS } } } })).toThrow(
      'schemas/ACallStatus',
    );
  });
});
