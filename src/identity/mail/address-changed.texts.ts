import type { MailLanguage } from '../../tenancy/mail/mail-language';
import type { MailText, RecipientNames } from './mail-text';

/** Sent to the former address after a manager changed it, in case the user did not expect it. */
export const ADDRESS_CHANGED_TEXTS: Record<MailLanguage, (names: RecipientNames) => MailText> = {
  pt: ({ company }) => ({
    subject: `O e-mail da sua conta foi alterado · ${company}`,
    paragraphs: [
      `Um gestor alterou o e-mail da sua conta em ${company}. Este endereço não serve mais para entrar.`,
    ],
    footnote: 'Se você não sabia, fale agora com um gestor da sua empresa.',
  }),
  en: ({ company }) => ({
    subject: `The e-mail address of your account was changed · ${company}`,
    paragraphs: [
      `A manager changed the e-mail address of your account at ${company}. You can no longer log in with this one.`,
    ],
    footnote: 'If you did not expect this, contact a manager of your company now.',
  }),
  es: ({ company }) => ({
    subject: `El correo de su cuenta ha cambiado · ${company}`,
    paragraphs: [
      `Un gestor cambió el correo de su cuenta en ${company}. Ya no puede entrar con esta dirección.`,
    ],
    footnote: 'Si no lo esperaba, contacte ahora con un gestor de su empresa.',
  }),
};
