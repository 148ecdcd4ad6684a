import { plural } from '../../../shared/texts/plural';
import type { LineTexts } from '../en/line';

/** From the line to the rating. */
export const line: LineTexts = {
  waiting: {
    title: 'Você está na fila',
    next: 'Você é a próxima pessoa',
    position: (n) => `Lugar ${n} na fila`,
    ahead: (n) =>
      n === 0
        ? 'Ninguém na sua frente.'
        : `${n} ${plural(n, 'pessoa na sua frente', 'pessoas na sua frente')}.`,
    positionLabel: 'Seu lugar',
    waitLabel: 'Espera estimada',
    noWait: 'Ainda não sabemos',
    noWaitHint: 'Talvez ninguém esteja disponível agora. Você mantém seu lugar.',
    ringing: 'Estamos chamando um atendente agora',
    roughWait: 'É uma estimativa aproximada. Você mantém seu lugar.',
    stay: 'Deixe esta página aberta. Chamaremos você aqui.',
    mayLeave: (minutes) => `Se o celular bloquear ou a rede falhar, seu lugar fica guardado por ${minutes}.`,
    unanswered: 'Desculpe, ninguém pôde atender agora. Você voltou ao seu lugar na fila.',
    transferred: (department) => `Estamos transferindo você para ${department}. Aguarde um momento.`,
    closing: (time) => `Fechamos às ${time}. As chamadas que ainda estiverem esperando serão encerradas.`,
    closingCallback: 'Peça um aviso e seu lugar fica guardado.',
    leave: 'Sair da fila',
    leaveNow: 'Sair agora',
    leaving: 'Saindo da fila…',
    leaveUndo: 'Ficar na fila',
    reconnecting: 'Sem conexão. Estamos tentando reconectar; seu lugar está guardado.',
    lost: 'Ainda sem conexão. Talvez seu lugar já tenha terminado. Continuamos tentando.',
    soundOn: 'Avisar com som quando me chamarem',
    soundIsOn: 'Você ouvirá um som quando for chamado.',
  },

  deviceCheck: {
    title: 'Teste a câmera e o microfone',
    text: 'Veja e ouça antes se tudo funciona. Ninguém mais vê você ainda.',
    start: 'Testar agora',
  },

  callback: {
    offer: 'Prefere não esperar?',
    offerText: 'Guarde seu lugar e receba um e-mail quando estiver quase na sua vez.',
    request: 'Avisar quando for minha vez',
    email: 'Seu e-mail para o aviso',
    send: 'Guardar meu lugar',
    to: (email) => `A mensagem vai para ${email}.`,
    change: 'Mudar o endereço',
    requested: 'Você já pode sair',
    requestedText:
      'Seu lugar está guardado. Enviaremos uma mensagem com um link quando estiver quase na sua vez. Você pode fechar esta página.',
    cancel: 'Prefiro esperar aqui',
    invited: 'Está quase na sua vez',
    invitedText: 'Você está aí? Então toque no botão.',
    invitedUntil: (time) => `Seu lugar fica guardado até ${time}.`,
    back: 'Estou aqui',
  },

  called: {
    title: 'É a sua vez',
    agent: (name) => `${name} já vai atender você.`,
    someone: 'Alguém já vai atender você.',
    text: 'Fique aqui, por favor. A chamada começa em um instante.',
    announce: 'É a sua vez! A chamada começa em um instante.',
    tabTitle: 'É a sua vez!',
  },

  unread: {
    chat: (n) => `Chat, ${n} ${plural(n, 'mensagem nova', 'mensagens novas')}`,
  },

  notification: {
    called: {
      title: 'É a sua vez',
      body: (company) => `${company} está chamando você. Volte para a página.`,
    },
    invited: {
      title: 'Está quase na sua vez',
      body: (company) => `${company} guarda o seu lugar. Volte para a página e toque no botão.`,
    },
  },

  ended: {
    left: 'Você saiu da fila',
    leftText: 'Obrigado por vir. Você pode entrar de novo quando quiser.',
    cancelled: 'Seu lugar na fila foi cancelado',
    cancelledText: 'Entre de novo, por favor, ou fale com a empresa de outra forma.',
    absent: 'Você ficou ausente por muito tempo',
    absentText: 'Seu lugar na fila terminou porque esta página ficou muito tempo sem conexão.',
    unanswered: 'Desculpe, ninguém pôde atender a tempo',
    unansweredText: 'Seu tempo de espera terminou. Tente de novo mais tarde, por favor.',
    closed: 'Já fechamos',
    closedText: 'Desculpe, ninguém pôde atender antes do horário de fechamento.',
    callback_expired: 'O tempo para voltar terminou',
    callback_expiredText: 'Avisamos você, mas você não voltou a tempo. Você pode entrar na fila de novo.',
    missed: 'Desculpe, ninguém atendeu sua chamada',
    missedText: 'Você foi chamado, mas a conexão não foi feita. Entre de novo, por favor.',
    gone: 'Seu lugar na fila terminou',
    goneText: 'Você ficou ausente por muito tempo, ou a chamada acabou. Você pode entrar na fila de novo.',
    return_link_invalid: 'Este link de retorno não vale mais',
    return_link_invalidText:
      'A chamada terminou, ou o link não está completo. Você pode entrar na fila de novo.',
    unknown: 'Seu lugar na fila terminou',
    unknownText:
      'Você ficou ausente por muito tempo, ou ninguém pôde atender a tempo. Você pode entrar na fila de novo.',
    joinAgain: 'Entrar na fila de novo',
  },

  tabs: {
    title: 'A chamada está aberta em outra aba',
    text: 'Só uma aba ou um aparelho pode ficar com a chamada.',
    takeOver: 'Continuar aqui',
    otherDevice: 'A chamada continua em outro aparelho',
    otherDeviceText: 'Você a abriu lá pelo link da mensagem. Pode fechar esta página.',
  },

  rating: {
    title: 'A chamada terminou',
    lost: 'A conexão caiu',
    lostText: 'A chamada terminou porque a conexão não voltou a tempo.',
    question: 'Como foi a chamada?',
    stars: ['Muito ruim', 'Ruim', 'Regular', 'Boa', 'Muito boa'],
    star: (n, word) => `${n} de 5: ${word}`,
    comment: 'Quer contar mais?',
    submit: 'Enviar',
    sending: 'Enviando…',
    skip: 'Agora não',
    choose: 'Escolha de 1 a 5, por favor.',
    thanks: 'Obrigado!',
    thanksText: 'Sua opinião nos ajuda. Você pode fechar esta página.',
    goodbye: 'Até logo!',
    goodbyeText: 'Você pode fechar esta página.',
    forget: 'Este aparelho não é meu: apagar meus dados',
    forgotten: 'Seus dados foram apagados deste aparelho.',
  },
};
