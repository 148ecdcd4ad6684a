/** From the page of a company to a frame of the widget. */
export type MessageToFrame =
  /** Sent when a frame has loaded. @param label the text of the button; empty for its own */
  | { type: 'vcq:hello'; label: string }
  /** The panel was closed. */
  | { type: 'vcq:close' };

/** From a frame to the page that shows it. */
export type MessageFromFrame =
  /** The answer to the greeting. */
  | { type: 'vcq:ready' }
  /** Of the button, in CSS pixels. */
  | { type: 'vcq:size'; width: number; height: number }
  /** The button was pressed. */
  | { type: 'vcq:open' }
  /** An agent is there, or the customer is invited to return: the panel must be seen. */
  | { type: 'vcq:attention' }
  /** Escape was pressed in the panel. */
  | { type: 'vcq:escape' }
  /** The answer to the end of the panel. @param isIdle whether nothing is lost if the page goes, too */
  | { type: 'vcq:closed'; isIdle: boolean };

/** @returns the message; undefined for anything else that pages send each other */
export function readMessage<Message extends { type: string }>(data: unknown): Message | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  return typeof data.type === 'string' && data.type.startsWith('vcq:') ? (data as Message) : undefined;
}
