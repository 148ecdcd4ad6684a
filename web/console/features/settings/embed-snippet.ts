interface Link {
  max_uses: number | null;
  expires_at: string | null;
  customer_id: string | null;
}

/** Whether any number of customers can use the link for any time. */
export const isEmbeddable = ({ max_uses, expires_at, customer_id }: Link): boolean =>
  max_uses === null && expires_at === null && customer_id === null;

/** @param url of a link. @returns what puts a button for it on a page of another site */
export function embedSnippet(url: string): string {
  const { origin, pathname } = new URL(url);
  const [path = '', token = ''] = pathname.split('/c/');
  return `<script src="${origin}${path}/widget.js" data-link="${token}" async></script>`;
}
