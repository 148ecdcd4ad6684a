import { plural } from '../plural';
import type { StartTexts } from '../en/start';

/** Before the line: the form, the hours, and what can go wrong. */
export const start: StartTexts = {
  language: 'Idioma',
  optional: 'opcional',
  title: (company) => `Chamada de vídeo com ${company}`,
  tryAgain: 'Tentar de novo',
  close: 'Fechar',
  requestId: (id) => `Se pedir ajuda, informe este número: ${id}`,

  form: {
    lead: 'Fale com a gente por vídeo. Entre na fila e chamaremos você nesta página.',
    name: 'Seu nome',
    email: 'E-mail',
    phone: 'Telefone',
    reason: 'Qual é o assunto?',
    submit: 'Entrar na fila',
    joining: 'Entrando na fila…',
    stop: 'Parar',
    openUntil: (time) => `Aberto até ${time}`,
    open: 'Aberto agora',
    ahead: (n) => (n === 0 ? 'Ninguém na fila' : `${n} ${plural(n, 'pessoa na fila', 'pessoas na fila')}`),
    wait: (range) => `Espera: ${range}`,
    nobody: 'Neste momento ninguém está disponível. Você pode entrar na fila e esperar.',
    hadPlace: 'Seu lugar anterior na fila terminou. Você pode entrar de novo.',
    fields: {
      name: 'Informe seu nome.',
      email: 'Informe um e-mail completo, por exemplo ana@exemplo.com.br.',
      phone: 'Informe um telefone mais curto.',
      reason: 'Use menos palavras: no máximo 2.000 caracteres.',
    },
  },

  resuming: {
    title: 'Um momento…',
    text: 'Estamos procurando seu lugar na fila.',
    stop: 'Começar de novo',
  },

  range: {
    underMinute: 'menos de um minuto',
    about: (time) => `cerca de ${time}`,
    upTo: (time) => `até ${time}`,
    minutes: (low, high) => `de ${low} a ${high} minutos`,
    between: (low, high) => `de ${low} a ${high}`,
    minute: (n, count) => `${n} ${plural(count, 'minuto', 'minutos')}`,
    hour: (n, count) => `${n} ${plural(count, 'hora', 'horas')}`,
    hourAndMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
  },

  closed: {
    title: 'Estamos fechados agora',
    opens: (time) => `Abrimos ${time}.`,
    never: 'Ainda não há um próximo horário de abertura.',
    dayAt: (day, time) => `${day} às ${time}`,
    text: 'Volte nesse horário: este link vai funcionar.',
    checkAgain: 'Verificar de novo',
  },

  full: {
    title: 'A fila está cheia',
    text: 'Há muitas pessoas esperando agora. Tente de novo em alguns minutos.',
  },

  unsupported: {
    inAppTitle: (app) => `Abra esta página fora do ${app}`,
    inAppText: 'As chamadas de vídeo não funcionam dentro deste aplicativo. Abra a página no navegador:',
    app: 'aplicativo',
    menuSteps: ['Toque no menu (⋯ ou ⋮) no canto da tela.', 'Escolha “Abrir no navegador”.'],
    openBrowser: 'Abrir no navegador',
    copy: 'Copiar o link',
    copied: 'Copiado. Agora cole no seu navegador.',
    copyFailed: 'Mantenha o dedo sobre o link e escolha “Copiar”.',
    oldTitle: 'Este navegador não faz chamadas de vídeo',
    oldText: 'Abra o link em uma versão atual do Chrome, Safari, Firefox ou Edge.',
    insecureText:
      'Esta página foi aberta sem conexão segura, e por isso o navegador não permite câmera nem microfone.',
    anyway: 'Continuar sem câmera e microfone',
  },

  problem: {
    invalid_link: 'Este link não funciona',
    invalid_linkText: 'Verifique se você abriu o link inteiro, ou peça um novo à empresa.',
    link_expired: 'Este link venceu',
    link_expiredText: 'Peça um novo link à empresa, por favor.',
    link_used: 'Este link já foi usado',
    link_usedText: 'Peça um novo link à empresa, por favor.',
    link_cancelled: 'Este link foi cancelado',
    link_cancelledText: 'Peça um novo link à empresa, por favor.',
    link_not_yet_valid: 'Ainda é cedo para este link',
    link_not_yet_validText: 'Volte pouco antes do seu horário marcado.',
    validFrom: (time) => `Ele funciona a partir de ${time}.`,
    tenant_suspended: 'No momento não é possível fazer chamadas',
    tenant_suspendedText: 'A empresa não pode atender aqui agora. Tente de novo mais tarde.',
    rate_limited: 'Um momento, por favor',
    rate_limitedText: 'Há pedidos demais vindos da sua rede. Esta página tenta de novo sozinha.',
    unavailable: 'O serviço está muito ocupado',
    unavailableText: 'Esta página tenta de novo sozinha em instantes.',
    unknown: 'Algo deu errado',
    unknownText: 'Não foi culpa sua. Tente de novo em um instante.',
  },

  errors: {
    network: 'Sem conexão com o serviço. Continuamos tentando.',
    networkOnce: 'Sem conexão com o serviço. Tente de novo, por favor.',
    rate_limited: 'Há pedidos demais vindos da sua rede. Tentaremos de novo em instantes.',
    too_many_waiting: 'Há pessoas demais da sua rede na fila. Tente de novo em alguns minutos.',
    unavailable: 'O serviço está muito ocupado. Continuamos tentando.',
    validation_failed: 'Verifique o que você informou.',
    callback_disabled: 'Aqui não é possível receber aviso. Espere nesta página, por favor.',
    callback_invited: 'A mensagem já foi enviada.',
    invalid_transition: 'Isso já não é possível.',
    already_rated: 'Você já avaliou esta chamada. Obrigado!',
    rating_closed: 'O prazo para avaliar esta chamada terminou.',
    not_completed: 'Esta chamada não pode ser avaliada.',
    token_expired: 'O prazo para isso terminou.',
    timeout: 'O serviço não respondeu. Tente de novo, por favor.',
    disconnected: 'Agora não há conexão. Tente de novo, por favor.',
    unknown: 'Algo deu errado. Tente de novo, por favor.',
    nextTry: (seconds) => `Próxima tentativa em ${seconds} s.`,
  },
};
