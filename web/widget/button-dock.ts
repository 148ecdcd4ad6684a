import type { MessageFromFrame } from '../shared/embedding/messages';
import { ChildFrame } from './child-frame';
import type { WidgetOptions } from './options';
import { TEXTS } from './texts';

/** How long a frame that has loaded may take to answer: one that may not be shown here never does. */
const ANSWER_MS = 2000;
/** How long it may take to load. */
const LOAD_MS = 10_000;

/** The place of the button: the framed one, or a plain link while the page may not be framed here. */
export class ButtonDock {
  readonly element = document.createElement('div');
  private readonly frame: ChildFrame;
  private link: HTMLAnchorElement | undefined;
  private timer: ReturnType<typeof setTimeout>;

  constructor(
    private readonly options: WidgetOptions,
    private readonly onPress: () => void,
  ) {
    const { origin, token, language, label, position } = options;
    const title = label || TEXTS[language].label;
    const url = new URL(`/c/${token}/button?lang=${language}`, origin);
    this.frame = new ChildFrame(url, 'button waiting', title, (message) => this.receive(message));
    this.frame.element.addEventListener('load', () => this.greet(label));
    this.element.className = position === 'inline' ? '' : `dock ${position}`;
    this.element.append(this.frame.element);
    this.timer = setTimeout(() => this.showLink(title), LOAD_MS);
  }

  focus(): void {
    (this.link ?? this.frame.element).focus();
  }

  private greet(label: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showLink(label || TEXTS[this.options.language].label), ANSWER_MS);
    this.frame.send({ type: 'vcq:hello', label });
  }

  private receive(message: MessageFromFrame): void {
    if (message.type === 'vcq:open') this.onPress();
    else if (message.type === 'vcq:ready') this.showFrame();
    else if (message.type === 'vcq:size') {
      this.frame.element.style.width = `${message.width}px`;
      this.frame.element.style.height = `${message.height}px`;
    }
  }

  private showFrame(): void {
    clearTimeout(this.timer);
    this.link?.remove();
    this.link = undefined;
    this.frame.element.classList.remove('waiting');
  }

  private showLink(label: string): void {
    const { origin, token, language } = this.options;
    const link = document.createElement('a');
    link.className = 'link';
    link.href = new URL(`/c/${token}?lang=${language}`, origin).href;
    link.target = '_blank';
    link.rel = 'noopener';
    link.textContent = label;
    this.link = link;
    this.element.prepend(link);
  }
}
