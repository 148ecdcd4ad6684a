import { readPageData } from '../../shared/page-data';

/** The version in the HTML of the page. It is not parsed as a document, whose styles this page would refuse. */
const VERSION = /"version":"([^"]+)"/;

/** Whether the service has another version of this page than the one that is shown; false if it cannot be reached. */
export async function isPageOld(): Promise<boolean> {
  try {
    const response = await fetch('/console', { headers: { accept: 'text/html' } });
    const version = response.ok ? VERSION.exec(await response.text())?.[1] : undefined;
    return version !== undefined && version !== readPageData().version;
  } catch {
    return false;
  }
}
