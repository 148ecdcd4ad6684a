import type { OpenAPIObject } from '@nestjs/swagger';
import { enumsOf } from './enum-parts';
import { headersOf, type Part, parametersOf, responsesOf } from './operation-parts';

type Kind = 'parameters' | 'responses' | 'headers' | 'schemas';

/**
 * Returns a copy of the document in which parameters, responses, headers and enums that occur more than once are
 * components.
 * @throws when two different components would have the same name
 */
export function shareComponents(source: OpenAPIObject): OpenAPIObject {
  const document = JSON.parse(JSON.stringify(source)) as OpenAPIObject;
  // Outer parts first: a header inside a shared response then occurs once.
  share(document, 'parameters', parametersOf(document));
  share(document, 'responses', responsesOf(document));
  share(document, 'headers', headersOf(document));
  share(document, 'schemas', enumsOf(document));
  return document;
}

/** The first of equal parts names their component. */
function share(document: OpenAPIObject, kind: Kind, parts: Iterable<Part>): void {
  const components: Record<string, object> = { ...document.components?.[kind] };
  const groups = [...Map.groupBy(parts, ({ value }) => JSON.stringify(value)).values()].filter(
    ({ length }) => length > 1,
  );
  const sameName = Map.groupBy(groups, ([first]) => first?.name);
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    const isUnique = sameName.get(first.name)?.length === 1 && !(first.name in components);
    const name = isUnique ? first.name : first.longName;
    if (name in components) throw new Error(`Two different components would be named ${kind}/${name}.`);
    components[name] = first.value;
    for (const part of group) part.replace(`#/components/${kind}/${name}`);
  }
  document.components = { ...document.components, [kind]: components };
}
