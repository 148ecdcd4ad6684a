/** The properties of nodemailer's errors. Those of the SMTP reply are undefined if there was none. */
interface SmtpError {
  code?: string;
  originalCode?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** The server rejected the recipient or the content permanently, so retries cannot succeed. */
export class MailRejectedError extends Error {
  /** @param reason codes alone, since the server's text often repeats the recipient's address */
  constructor(readonly reason: string) {
    super(`The message was rejected permanently (${reason})`);
    this.name = 'MailRejectedError';
  }
}

/** Replies about credentials (RFC 4954, 6): the configuration is wrong, not the message. */
const AUTHENTICATION_REPLIES = [530, 534, 535, 538];

/**
 * Whether retries are pointless: a 5yz reply (RFC 5321, 4.2.1) to the recipient or the message, or an address
 * that SMTP cannot express. A rejected sender is a problem of the configuration and retried.
 */
export function isPermanentFailure(failure: unknown): boolean {
  const { code = '', command = '', responseCode, permanent } = failure as SmtpError;
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE';
  const aboutMessage = command === 'RCPT TO' || command === 'DATA';
  return aboutMessage && permanent === true && !AUTHENTICATION_REPLIES.includes(responseCode);
}

/** The codes of an error, which contain no address. */
export function describeSmtpFailure(failure: unknown): string {
  const { code, originalCode, command, responseCode } = failure as SmtpError;
  const codes = [code, originalCode, command && responseCode ? `${responseCode} to ${command}` : undefined];
  return codes.filter((part) => part !== undefined).join(', ') || 'no code';
}
