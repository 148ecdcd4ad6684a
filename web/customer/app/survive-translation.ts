import { type ComponentChild, type ComponentChildren, Fragment, h, options, type VNode } from 'preact';

/** Elements that hold nothing but text. */
const ONLY_TEXT: ReadonlySet<unknown> = new Set(['option', 'title', 'textarea', 'style', 'script', 'text']);

/** How the keys of the added elements begin. */
const ADDED = 'text:';

/**
 * Gives each text of the page an element of its own, which a new text replaces. A browser that translates a page puts its
 * words into `<font>` elements in place of the text nodes; what Preact writes into those afterwards is never seen, and
 * elements cannot be inserted before them. Has to run before anything is rendered, also in the service, so that both
 * render the same.
 */
export function surviveTranslation(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (vnode) => {
    if (hasTexts(vnode)) vnode.props.children = withElements(vnode.props.children);
    before?.(vnode);
  };
}

function hasTexts({ type, key }: VNode<{ children?: ComponentChildren }>): boolean {
  const isAdded = typeof key === 'string' && key.startsWith(ADDED);
  return type === Fragment || (typeof type === 'string' && !isAdded && !ONLY_TEXT.has(type));
}

/** Texts in a row share one element, as they share one line. White space alone is not translated. */
function withElements(children: ComponentChildren): ComponentChildren {
  const given = Array.isArray(children) ? (children as ComponentChild[]) : [children];
  const result: ComponentChild[] = [];
  let text = '';
  const flush = () => {
    if (text.trim() === '') result.push(text || null);
    else result.push(h('span', { key: `${ADDED}${result.length}:${text}` }, text));
    text = '';
  };
  for (const child of given) {
    if (isText(child)) text += child;
    else if (!isNothing(child)) {
      if (text) flush();
      result.push(child);
    } else if (!text) result.push(child);
  }
  if (text) flush();
  return Array.isArray(children) ? result : result[0];
}

const isText = (child: unknown): child is string | number | bigint =>
  ['string', 'number', 'bigint'].includes(typeof child);

const isNothing = (child: unknown): boolean =>
  child === null || child === undefined || typeof child === 'boolean';
