import type { PageHistory } from '../service/page-history';

/**
 * Reloads the page, once, when a file of its build cannot be loaded: a new version was deployed, and the page resumes. Without
 * a network nothing is reloaded, since the customer would see the browser's error page instead of their place.
 */
export function reloadAfterDeployment(history: PageHistory): void {
  addEventListener('vite:preloadError', () => {
    const isReachable = fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    void isReachable.then((isUp) => {
      if (isUp && history.mayReload()) location.reload();
    });
  });
}
