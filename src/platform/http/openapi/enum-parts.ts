import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './openapi-operation';
import { type Part, pascalCase, recordName } from './operation-parts';

type Node = Record<string, unknown>;

/**
 * The enums of all schemas: strings with two or more possible values. A nullable enum refers to the same component as
 * one that cannot be null. Schemas with short names come first, so that CallPayload names CallStatus.
 */
export function* enumsOf({ paths, components = {} }: OpenAPIObject): Generator<Part> {
  const schemas = Object.entries(components.schemas ?? {})
    .map(([name, schema]) => ({ owner: recordName(name), schema }))
    .sort((a, b) => a.owner.length - b.owner.length || (a.owner < b.owner ? -1 : 1));
  for (const { owner, schema } of schemas) yield* enumsIn(schema, owner, '');
  const parameters = Object.values(components.parameters ?? {});
  for (const value of [...operationsOf(paths), parameters]) yield* enumsIn(value, '', '');
}

/** @param field of the record or parameter that the value belongs to */
function* enumsIn(value: object, owner: string, field: string): Generator<Part> {
  const node = value as Node;
  if (Array.isArray(node.enum)) yield* enumPart(node, node.enum as unknown[], owner, field);
  for (const [key, child] of Object.entries(node)) {
    if (!isNode(child) || key === 'example' || key === 'enum') continue;
    if (key === 'properties') {
      for (const [name, schema] of Object.entries(child)) yield* enumsIn(schema as Node, owner, name);
    } else {
      yield* enumsIn(child, owner, fieldOf(key, child, field));
    }
  }
}

function* enumPart(node: Node, choices: unknown[], owner: string, field: string): Generator<Part> {
  const values = choices.filter((choice) => typeof choice === 'string');
  if (values.length < 2) return;
  const isNullable = choices.includes(null);
  const longName = owner.endsWith(pascalCase(field)) ? owner : owner + pascalCase(field);
  yield {
    value: { type: 'string', enum: values },
    // A single word such as `status` is ambiguous, so the owner's name precedes it.
    name: field.includes('_') ? pascalCase(field.replaceAll('_', ' ')) : longName,
    longName,
    replace: ($ref) => {
      delete node.type;
      delete node.enum;
      Object.assign(node, isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref });
    },
  };
}

/** The field that `child` belongs to: `event` for items of `events`, a parameter's own name, otherwise `field`. */
function fieldOf(key: string, child: Node, field: string): string {
  if (key === 'items') return field.replace(/s$/, '');
  return typeof child.in === 'string' && typeof child.name === 'string' ? child.name : field;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
