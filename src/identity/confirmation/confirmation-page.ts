import { escapeHtml } from '../../tenancy/mail/escape-html';
import type { MailLanguage } from '../../tenancy/mail/mail-language';
import { htmlPage, pageProblem } from '../pages/html-page';

/** What the page shows: the button, or a final message. */
export type ConfirmationPageState = 'form' | 'bad_token' | 'too_often' | 'failed' | 'done';

const PAGE_TEXTS: Record<
  MailLanguage,
  Record<'title' | 'button' | Exclude<ConfirmationPageState, 'form'>, string>
> = {
  pt: {
    title: 'Confirme seu e-mail',
    button: 'Confirmar e-mail',
    bad_token: 'Este link não é válido ou expirou. Para receber outro, peça uma nova senha.',
    too_often: 'Tentativas demais. Espere um minuto e abra o link de novo.',
    failed: 'Algo deu errado do nosso lado. Tente de novo em instantes.',
    done: 'Seu e-mail foi confirmado.',
  },
  en: {
    title: 'Confirm your e-mail address',
    button: 'Confirm the address',
    bad_token: 'This link is not valid or has expired. To get another one, request a new password.',
    too_often: 'Too many attempts. Wait a minute and open the link again.',
    failed: 'Something went wrong on our side. Try again in a moment.',
    done: 'Your e-mail address is confirmed.',
  },
  es: {
    title: 'Confirme su correo',
    button: 'Confirmar el correo',
    bad_token: 'Este enlace no es válido o ha caducado. Para recibir otro, pida una contraseña nueva.',
    too_often: 'Demasiados intentos. Espere un minuto y abra el enlace de nuevo.',
    failed: 'Algo falló de nuestro lado. Inténtelo de nuevo en un momento.',
    done: 'Su correo está confirmado.',
  },
};

/**
 * HTML of the page that the mailed link opens. Only its button confirms: mail filters open links before the recipient
 * does.
 */
export function confirmationPage(
  language: MailLanguage,
  token: string,
  state: ConfirmationPageState,
): string {
  const texts = PAGE_TEXTS[language];
  return htmlPage(language, texts.title, content());

  function content(): string {
    if (state === 'done') return `<p role="status">${texts.done}</p>`;
    if (state !== 'form') return pageProblem(texts[state]);
    // A relative URL, since a proxy may serve the page below a path.
    return `<form method="post" action="confirm-email?lang=${language}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button autofocus>${texts.button}</button>
</form>`;
  }
}
