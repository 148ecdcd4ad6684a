import { ChildFrame } from './child-frame';
import { FallbackLink } from './fallback-link';
import type { WidgetOptions } from './options';
import { TEXTS } from './texts';
import { COVERS_PAGE } from './widget-style';

const ALLOWED = [
  'camera',
  'microphone',
  'display-capture',
  'autoplay',
  'fullscreen',
  'picture-in-picture',
  'screen-wake-lock',
  // Chromium warns of features that it does not know.
  ...('selectAudioOutput' in (navigator.mediaDevices ?? {}) ? ['speaker-selection'] : []),
].join('; ');

/**
 * The dialog with the customer's page. Closing it hides it, so that a call or a place in the line is kept; the page goes
 * only if it says that nothing would be lost. It opens by itself when the customer is called.
 */
export class Panel {
  private readonly dialog = document.createElement('dialog');
  private readonly bar = document.createElement('div');
  private page: ChildFrame | undefined;
  private link: FallbackLink | undefined;
  /** Whether the page has loaded, and answered. */
  private isReady = false;

  /** @param onClose gives the focus back */
  constructor(
    private readonly options: WidgetOptions,
    private readonly onClose: () => void,
  ) {
    const { dialog, bar } = this;
    const texts = TEXTS[options.language];
    dialog.className = `panel ${options.position}`;
    dialog.setAttribute('aria-label', texts.panel);
    bar.className = 'bar';
    const close = document.createElement('button');
    close.className = 'close';
    close.type = 'button';
    close.setAttribute('aria-label', texts.close);
    close.textContent = '×';
    close.addEventListener('click', () => dialog.close());
    bar.append(close);
    dialog.append(bar);
    dialog.addEventListener('close', () => this.afterClose());
    // A dialog that does not cover the page leaves Escape to its author.
    dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.close());
  }

  get element(): HTMLElement {
    return this.dialog;
  }

  open(): void {
    if (this.dialog.open) return;
    this.page ??= this.createPage();
    // Where it covers the page, what is below cannot be reached.
    if (matchMedia(COVERS_PAGE).matches) this.dialog.showModal();
    else this.dialog.show();
    this.page.element.focus();
  }

  private createPage(): ChildFrame {
    const { origin, token, language } = this.options;
    const texts = TEXTS[language];
    const link = new FallbackLink(this.options, texts.newTab, this.bar);
    const url = new URL(`/c/${token}?embed=1&lang=${language}`, origin);
    const page = new ChildFrame(url, 'page', texts.panel, (message) => {
      if (message.type === 'vcq:ready') {
        this.isReady = true;
        link.remove();
      } else if (message.type === 'vcq:attention') this.open();
      else if (message.type === 'vcq:escape') this.dialog.close();
      else if (message.type === 'vcq:closed' && message.isIdle && !this.dialog.open) this.removePage();
    });
    page.element.allow = ALLOWED;
    page.element.addEventListener('load', () => {
      link.expectAnswer();
      page.send({ type: 'vcq:hello', label: '' });
    });
    this.dialog.append(page.element);
    this.link = link;
    return page;
  }

  private afterClose(): void {
    // What the browser shows in place of a page that did not load would be there again.
    if (this.isReady) this.page?.send({ type: 'vcq:close' });
    else this.removePage();
    this.onClose();
  }

  private removePage(): void {
    this.page?.remove();
    this.link?.remove();
    this.page = undefined;
    this.isReady = false;
  }
}
