import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { lazy } from 'react';
import { hasRole } from '../state/roles';
import type { Role } from '../state/token-store';
import { NotFound } from './not-found';
import { PAGES } from './pages';
import { PageProblem } from './page-problem';
import { Shell } from './shell/shell';

/** The addresses of the console. A page that the role may not see is as unknown as one that there is not. */
export function createConsoleRouter(role: Role) {
  const root = createRootRoute({ component: Shell });
  const routes = PAGES.filter((page) => hasRole(role, page.role)).map(({ path, load }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazy(load),
      // Before the page is shown, so that the one before stays until then.
      loader: () => load().then(() => null),
    }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}
