import type { MessageFromFrame } from '../shared/embedding/messages';
import { ChildFrame } from './child-frame';
import { FallbackLink } from './fallback-link';
import type { WidgetOptions } from './options';
import { TEXTS } from './texts';

/** The place of the button: the framed one, or a plain link while the page may not be framed here. */
export class ButtonDock {
  readonly element = document.createElement('div');
  private readonly frame: ChildFrame;
  private readonly link: FallbackLink;

  constructor(
    options: WidgetOptions,
    private readonly onPress: () => void,
  ) {
    const { origin, token, language, label, position } = options;
    const title = label || TEXTS[language].label;
    const url = new URL(`/c/${token}/button?lang=${language}`, origin);
    this.frame = new ChildFrame(url, 'button waiting', title, (message) => this.receive(message));
    this.frame.element.addEventListener('load', () => this.greet(label));
    this.element.className = position === 'inline' ? '' : `dock ${position}`;
    this.element.append(this.frame.element);
    this.link = new FallbackLink(options, title, this.element);
  }

  focus(): void {
    (this.link.isShown ? this.link : this.frame).element.focus();
  }

  private greet(label: string): void {
    this.link.expectAnswer();
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
    this.link.remove();
    this.frame.element.classList.remove('waiting');
  }
}
