import type { MailLanguage } from '../../../tenancy/mail/mail-language';

export interface CallbackMailText {
  subject: string;
  paragraphs: string[];
  /** Label of the link. */
  action: string;
  footnote: string;
}

/** Values that the texts contain. */
export interface CallbackMailValues {
  company: string;
  department: string;
  /** The time until which the place is kept, in the company's time zone. */
  until: string;
}

export const CALLBACK_TEXTS: Record<MailLanguage, (values: CallbackMailValues) => CallbackMailText> = {
  pt: ({ company, department, until }) => ({
    subject: `Está quase na sua vez · ${company}`,
    paragraphs: [
      `Está quase na sua vez em ${department}, de ${company}.`,
      `Entre pelo link abaixo até ${until}. Seu lugar na fila está guardado até lá.`,
    ],
    action: 'Voltar ao atendimento',
    footnote: 'O link é pessoal: quem o abrir assume o seu lugar na fila.',
  }),
  en: ({ company, department, until }) => ({
    subject: `It is almost your turn · ${company}`,
    paragraphs: [
      `It is almost your turn at ${department}, ${company}.`,
      `Return through the link below until ${until}. Your place in the queue is kept until then.`,
    ],
    action: 'Return to the call',
    footnote: 'The link is personal: whoever opens it takes your place in the queue.',
  }),
  es: ({ company, department, until }) => ({
    subject: `Ya casi es su turno · ${company}`,
    paragraphs: [
      `Ya casi es su turno en ${department}, de ${company}.`,
      `Vuelva con el enlace de abajo hasta las ${until}. Hasta entonces guardamos su lugar en la fila.`,
    ],
    action: 'Volver a la llamada',
    footnote: 'El enlace es personal: quien lo abra ocupa su lugar en la fila.',
  }),
};
