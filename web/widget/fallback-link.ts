import type { WidgetOptions } from './options';

/** How long a frame that has loaded may take to answer: one that may not be shown here never does. */
const ANSWER_MS = 2000;
/** How long it may take to load. */
const LOAD_MS = 10_000;

/** A plain link to the page in a new tab, as long as a frame does not answer. */
export class FallbackLink {
  readonly element = document.createElement('a');
  private timer = setTimeout(() => this.show(), LOAD_MS);

  /** @param parent gets the link as its first element */
  constructor(
    { origin, token, language }: WidgetOptions,
    label: string,
    private readonly parent: HTMLElement,
  ) {
    const { element } = this;
    element.className = 'link';
    element.href = new URL(`/c/${token}?lang=${language}`, origin).href;
    element.target = '_blank';
    element.rel = 'noopener';
    element.textContent = label;
  }

  get isShown(): boolean {
    return this.element.isConnected;
  }

  /** The frame has loaded. */
  expectAnswer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(), ANSWER_MS);
  }

  /** The frame has answered, or is gone. */
  remove(): void {
    clearTimeout(this.timer);
    this.element.remove();
  }

  private show(): void {
    this.parent.prepend(this.element);
  }
}
