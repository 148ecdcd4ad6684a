import type { Request } from 'express';
import type { PageEntry, PageRenderer } from '../build/web-build';
import type { PageLanguage } from '../html/page-language';
import { CALL_PERMISSIONS, NO_PERMISSIONS } from '../html/send-page';
import type { PageData } from '../page-data';

/** What differs between the documents of a link. */
export interface CustomerView {
  entries: readonly PageEntry[];
  furtherModules(language: PageLanguage): string[];
  /** @param isInLine whether the customer reloads the page in the line */
  render(renderer: PageRenderer, data: PageData, isInLine: boolean): string;
  permissions: string;
}

const PAGE: CustomerView = {
  entries: ['customer/index.tsx'],
  furtherModules: (language) => [`customer/texts/${language}.ts`],
  render: (renderer, data, isInLine) =>
    renderer.renderCustomerPage(data, isInLine) + renderer.renderStalled(data.language),
  permissions: CALL_PERMISSIONS,
};

/** The page in the panel of the widget. */
const PANEL: CustomerView = { ...PAGE, entries: [...PAGE.entries, 'widget/panel-page.ts'] };

/** The button of the widget. */
const BUTTON: CustomerView = {
  entries: ['widget/button.ts'],
  furtherModules: () => [],
  render: (renderer, data) => renderer.renderButton(data),
  permissions: NO_PERMISSIONS,
};

/** The view at the address of a request. */
export function viewOf({ path, query }: Pick<Request, 'path' | 'query'>): CustomerView {
  if (/\/button\/?$/i.test(path)) return BUTTON;
  return query.embed === undefined ? PAGE : PANEL;
}
