import type { Json } from './api';

export interface DocumentedRoute {
  /** The path in the document, such as /api/v1/users/{id}. */
  template: string;
  operation: Json;
}

/** Finds the operation of a request. */
export class DocumentedRoutes {
  /** By method and number of segments. */
  private readonly routes = new Map<string, { pattern: RegExp; route: DocumentedRoute }[]>();

  constructor({ paths }: Json) {
    // `/users/me` precedes `/users/{id}`, as in the router.
    for (const template of Object.keys(paths).sort((a, b) => orderOf(a) - orderOf(b))) {
      const source = template
        .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
        .replaceAll(/\{\w+\}/g, '[^/]+');
      for (const [method, operation] of Object.entries<Json>(paths[template])) {
        const key = keyOf(method, template);
        const found = this.routes.get(key) ?? [];
        found.push({ pattern: new RegExp(`^${source}/?$`), route: { template, operation } });
        this.routes.set(key, found);
      }
    }
  }

  /** @param path without query. @returns undefined for an undocumented route */
  find(method: string, path: string): DocumentedRoute | undefined {
    return this.routes.get(keyOf(method, path))?.find(({ pattern }) => pattern.test(path))?.route;
  }
}

/** Sorts fixed segments before parameters; earlier segments weigh more. */
const orderOf = (template: string): number =>
  template.split('/').reduce((sum, segment) => sum * 2 + (segment.startsWith('{') ? 1 : 0), 0);

const keyOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\/$/, '').split('/').length}`;
