/** The translated parts of one mail to a member of staff. */
export interface MailText {
  subject: string;
  paragraphs: string[];
  /** Label of the link button; absent when the mail has no link. */
  action?: string;
  footnote: string;
}

/**
 * Names that the texts mention. The slug identifies the tenant at login; several tenants can share a name. It is null where the
 * company's own texts are not mailed yet.
 */
export interface RecipientNames {
  company: string;
  mailed_slug: string | null;
}
