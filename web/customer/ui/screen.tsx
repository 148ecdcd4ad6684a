import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Set by the first screen: the browser has the focus where the reader expects it. */
let hasShownOne = false;

interface ScreenProps {
  /** The state's. */
  name: string;
  /** The heading gets the focus again when it changes. */
  focusKey?: string;
  title: string;
  lead?: ComponentChildren;
  titleTestId?: string;
  children?: ComponentChildren;
}

/** One screen: a landmark with one heading, which gets the focus so that screen readers read from there. */
export function Screen({ name, focusKey, title, lead, titleTestId, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (hasShownOne) heading.current?.focus();
    hasShownOne = true;
  }, [name, focusKey]);
  return (
    <main class="screen" data-screen={name}>
      <h1 class="screen-title" tabIndex={-1} ref={heading} data-testid={titleTestId}>
        {title}
      </h1>
      {lead !== undefined && <p class="screen-lead">{lead}</p>}
      {children}
    </main>
  );
}
