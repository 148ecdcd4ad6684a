import type { MailLanguage } from '../../tenancy/mail/mail-language';
import type { MailText, RecipientNames } from '../mail/mail-text';

/** Sent to the owner of a company after the signup. */
export const CONFIRMATION_TEXTS: Record<MailLanguage, (names: RecipientNames) => MailText> = {
  pt: ({ company }) => ({
    subject: `Confirme seu e-mail · ${company}`,
    paragraphs: [
      `${company} foi cadastrada com este e-mail. Confirme pelo link abaixo, que vale por 7 dias, para que ela possa enviar mensagens aos clientes.`,
    ],
    action: 'Confirmar e-mail',
    footnote: 'Se você não fez este cadastro, ignore esta mensagem.',
  }),
  en: ({ company }) => ({
    subject: `Confirm your e-mail address · ${company}`,
    paragraphs: [
      `${company} was registered with this e-mail address. Confirm it with the link below, which works for 7 days, so that the company can send mail to its customers.`,
    ],
    action: 'Confirm the address',
    footnote: 'If you did not register this company, ignore this message.',
  }),
  es: ({ company }) => ({
    subject: `Confirme su correo · ${company}`,
    paragraphs: [
      `${company} se registró con este correo. Confírmelo con el enlace de abajo, que vale durante 7 días, para que la empresa pueda enviar correos a sus clientes.`,
    ],
    action: 'Confirmar el correo',
    footnote: 'Si no hizo este registro, ignore este mensaje.',
  }),
};
