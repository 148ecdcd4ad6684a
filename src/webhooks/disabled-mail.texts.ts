import type { MailLanguage } from '../platform/mail/mail-language';
import type { MailText } from '../identity/mail/mail-text';
import type { DisableReason } from './deliveries/delivery.rules';

/** What is said of a webhook that was switched off. */
export interface DisabledMailWords {
  name: string;
  url: string;
  reason: DisableReason;
}

const HOW_TO_GO_ON = {
  pt: 'Corrija o destino, ative o webhook de novo (PUT /api/v1/webhooks/:id com active: true) e repita as entregas que falharam (POST /api/v1/webhooks/:id/replay). Elas ficam guardadas por 30 dias.',
  en: 'Mend the receiver, activate the webhook again (PUT /api/v1/webhooks/:id with active: true) and have what failed delivered once more (POST /api/v1/webhooks/:id/replay). Deliveries are kept for 30 days.',
};

export const DISABLED_MAIL_TEXTS: Record<MailLanguage, (words: DisabledMailWords) => MailText> = {
  pt: ({ name, url, reason }) => ({
    subject: 'Um webhook foi desativado',
    paragraphs: [
      `Olá, ${name}!`,
      reason === 'gone'
        ? `O webhook para ${url} foi desativado: o destino respondeu 410, isto é, não quer receber mais nada.`
        : `O webhook para ${url} foi desativado: há três dias nenhuma entrega é aceita.`,
      HOW_TO_GO_ON.pt,
    ],
    footnote: 'Você recebe esta mensagem porque administra os webhooks da empresa.',
  }),
  en: ({ name, url, reason }) => ({
    subject: 'A webhook was switched off',
    paragraphs: [
      `Hello ${name},`,
      reason === 'gone'
        ? `The webhook to ${url} was switched off: its receiver answered 410, which means that it wants no more.`
        : `The webhook to ${url} was switched off: for three days it has not taken one delivery.`,
      HOW_TO_GO_ON.en,
    ],
    footnote: 'You get this message because you manage the webhooks of the company.',
  }),
};
