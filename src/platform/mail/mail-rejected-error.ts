/** What nodemailer says of a failure; the SMTP reply is there only if a server gave one. */
interface SmtpFailure {
  code?: string;
  originalCode?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** No attempt will ever deliver this message: its recipient or its content was refused for good. */
export class MailRejectedError extends Error {
  /** Tells the reason without the server's words, which like to repeat the recipient's address. */
  constructor(readonly reason: string) {
    super(`The message was refused for good (${reason})`);
    this.name = 'MailRefused';
  }
}

/** Replies that ask for other credentials (RFC 4954, 6): the operator's affair, not the message's. */
const AUTHENTICATION_REPLIES = [530, 534, 535, 538];

/**
 * Whether it makes no sense to try again: a 5yz reply (RFC 5321, 4.2.1) to the recipient or the message, or
 * an address that cannot stand in an SMTP command. A sender that is refused is a matter of configuration.
 */
export function isPermanentFailure(failure: unknown): boolean {
  const { code = '', command = '', responseCode, permanent } = failure as SmtpFailure;
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE';
  const aboutMessage = command === 'RCPT TO' || command === 'DATA';
  return aboutMessage && permanent === true && !AUTHENTICATION_REPLIES.includes(responseCode);
}

/** The failure in codes alone, which no address can stand in. */
export function describeSmtpFailure(failure: unknown): string {
  const { code, originalCode, command, responseCode } = failure as SmtpFailure;
  const codes = [code, originalCode, command && responseCode ? `${responseCode} to ${command}` : undefined];
  return codes.filter((part) => part !== undefined).join(', ') || 'no code';
}
