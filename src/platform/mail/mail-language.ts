export type MailLanguage = 'pt' | 'en';

/** The language that mail is written in: Portuguese for every tag of it (BCP 47), else English. */
export function mailLanguage(tag: string | null | undefined): MailLanguage {
  return tag?.trim().toLowerCase().startsWith('pt') ? 'pt' : 'en';
}

/** The layout's own words. */
export const LAYOUT_TEXTS = {
  pt: {
    copyAddress: 'Se o botão não funcionar, copie este endereço para o navegador:',
    automatic: (company: string) =>
      `${company} enviou esta mensagem automaticamente. Por favor, não responda a ela.`,
  },
  en: {
    copyAddress: 'If the button does not work, copy this address into your browser:',
    automatic: (company: string) => `${company} sent this message automatically. Please do not reply to it.`,
  },
} satisfies Record<MailLanguage, unknown>;
