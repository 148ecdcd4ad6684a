import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon';

/** Set by the first screen: the browser has the focus where the reader expects it. */
let hasShownOne = false;

/** The focus alone would scroll only as far as the heading, and cut the company's name above it. */
function startAtTop(heading: HTMLElement | null): void {
  globalThis.scrollTo(0, 0);
  heading?.focus({ preventScroll: true });
}

interface ScreenProps {
  /** The state's. */
  name: string;
  /** The heading gets the focus again when it changes. */
  focusKey?: string;
  title: string;
  /** Says at a glance what the screen is about; the title says it in words. */
  icon?: IconName;
  lead?: ComponentChildren;
  titleTestId?: string;
  children?: ComponentChildren;
}

/** One screen: a landmark with one heading, which gets the focus so that screen readers read from there. */
export function Screen({ name, focusKey, title, icon, lead, titleTestId, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (hasShownOne) startAtTop(heading.current);
    hasShownOne = true;
  }, [name, focusKey]);
  return (
    <main class="screen" data-screen={name}>
      {icon && (
        <span class="screen-icon">
          <Icon name={icon} />
        </span>
      )}
      <h1 class="screen-title" tabIndex={-1} ref={heading} data-testid={titleTestId}>
        {title}
      </h1>
      {lead !== undefined && <p class="screen-lead">{lead}</p>}
      {children}
    </main>
  );
}
