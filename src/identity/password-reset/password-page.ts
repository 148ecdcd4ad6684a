import { MAX_TYPED_LENGTH } from '../users/passwords';
import { escapeHtml } from '../../tenancy/mail/escape-html';
import type { MailLanguage } from '../../tenancy/mail/mail-language';
import { htmlPage, pageProblem } from '../pages/html-page';

/** What the page shows: the form, alone or with a problem, or a final message. */
export type PasswordPageState = 'form' | 'bad_password' | 'bad_token' | 'too_often' | 'failed' | 'done';

interface PageTexts {
  title: string;
  done_title: string;
  label: string;
  rule: string;
  refused: string;
  button: string;
  bad_token: string;
  too_often: string;
  failed: string;
  done: string;
  log_in: string;
  request: string;
}

const PAGE_TEXTS: Record<MailLanguage, PageTexts> = {
  pt: {
    title: 'Escolha sua senha',
    done_title: 'Pronto',
    label: 'Nova senha',
    rule: 'De 8 a 128 caracteres, e nenhuma das senhas mais comuns.',
    refused: 'Esta senha não pode ser usada.',
    button: 'Salvar senha',
    bad_token: 'Este link não é válido, já foi usado ou expirou. Peça um novo.',
    too_often: 'Tentativas demais. Espere um minuto e abra o link de novo.',
    failed: 'Algo deu errado do nosso lado. Tente de novo em instantes.',
    done: 'Sua senha foi alterada. Entre com a nova senha.',
    log_in: 'Entrar',
    request: 'Pedir um novo link',
  },
  en: {
    title: 'Choose your password',
    done_title: 'Done',
    label: 'New password',
    rule: '8 to 128 characters, and none of the most common passwords.',
    refused: 'This password cannot be used.',
    button: 'Save password',
    bad_token: 'This link is not valid, has been used or has expired. Request a new one.',
    too_often: 'Too many attempts. Wait a minute and open the link again.',
    failed: 'Something went wrong on our side. Try again in a moment.',
    done: 'Your password was changed. Log in with the new one.',
    log_in: 'Log in',
    request: 'Request a new link',
  },
  es: {
    title: 'Elija su contraseña',
    done_title: 'Listo',
    label: 'Contraseña nueva',
    rule: 'De 8 a 128 caracteres, y ninguna de las contraseñas más comunes.',
    refused: 'Esta contraseña no se puede usar.',
    button: 'Guardar la contraseña',
    bad_token: 'Este enlace no es válido, ya se usó o ha caducado. Pida uno nuevo.',
    too_often: 'Demasiados intentos. Espere un minuto y abra el enlace de nuevo.',
    failed: 'Algo falló de nuestro lado. Inténtelo de nuevo en un momento.',
    done: 'Su contraseña ha cambiado. Entre con la nueva.',
    log_in: 'Entrar',
    request: 'Pedir un enlace nuevo',
  },
};

/** HTML of the page that mailed links open: a plain form. */
export function passwordPage(
  language: MailLanguage,
  token: string,
  state: PasswordPageState,
  tenant = '',
): string {
  const texts = PAGE_TEXTS[language];
  const title = state === 'done' ? texts.done_title : texts.title;
  return htmlPage(language, title, content(texts, language, token, state, tenant));
}

/** @param url relative, since a proxy may serve the page below a path */
const consoleLink = (url: string, text: string) => `<p><a href="${url}">${text}</a></p>`;

function content(
  texts: PageTexts,
  language: MailLanguage,
  token: string,
  state: PasswordPageState,
  tenant: string,
): string {
  if (state === 'done') {
    const login = consoleLink(`console?tenant=${encodeURIComponent(tenant)}`, texts.log_in);
    return `<p role="status">${texts.done}</p>\n${login}`;
  }
  if (state === 'bad_token')
    return `${pageProblem(texts.bad_token)}\n${consoleLink('console?forgotten', texts.request)}`;
  if (state === 'too_often') return pageProblem(texts.too_often);
  const failure = state === 'failed' ? `${pageProblem(texts.failed)}\n` : '';
  const isBad = state === 'bad_password';
  const rule = isBad
    ? `<p id="rule" role="alert" class="problem">${texts.refused} ${texts.rule}</p>`
    : `<p id="rule">${texts.rule}</p>`;
  // A relative URL, since a proxy may serve the page below a path.
  return `${failure}<form method="post" action="reset-password?lang=${language}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="password">${texts.label}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="${MAX_TYPED_LENGTH}" aria-describedby="rule"${isBad ? ' aria-invalid="true"' : ''} autofocus>
${rule}
<button>${texts.button}</button>
</form>`;
}
