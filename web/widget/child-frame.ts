import { type MessageFromFrame, type MessageToFrame, readMessage } from '../shared/embedding/messages';

/** A frame of the service in the page of a company. Only messages of this frame and of the service's origin count. */
export class ChildFrame {
  readonly element = document.createElement('iframe');
  private readonly listener = (event: MessageEvent<unknown>) => this.receive(event);

  constructor(
    url: URL,
    className: string,
    title: string,
    private readonly onMessage: (message: MessageFromFrame) => void,
  ) {
    const { element } = this;
    element.className = className;
    element.title = title;
    element.referrerPolicy = 'origin';
    element.src = url.href;
    addEventListener('message', this.listener);
  }

  /** A frame that may not be shown here has another origin, so that it gets nothing. */
  send(message: MessageToFrame): void {
    this.element.contentWindow?.postMessage(message, new URL(this.element.src).origin);
  }

  remove(): void {
    removeEventListener('message', this.listener);
    this.element.remove();
  }

  private receive({ source, origin, data }: MessageEvent<unknown>): void {
    if (source !== this.element.contentWindow || origin !== new URL(this.element.src).origin) return;
    const message = readMessage<MessageFromFrame>(data);
    if (message) this.onMessage(message);
  }
}
