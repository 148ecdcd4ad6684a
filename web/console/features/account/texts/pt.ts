import type { AccountTexts } from './en';

const pt: AccountTexts = {
  mustEnrol: {
    title: 'Configure primeiro o login em duas etapas',
    text: 'Sua empresa exige o login em duas etapas. Todo o resto fica disponível assim que você o configurar aqui.',
  },
  data: 'Seus dados',
  dataText: 'Um gerente da sua empresa pode alterá-los.',
  dataTextManager: 'Você pode alterá-los na página “Usuários”.',
  name: 'Nome',
  email: 'E-mail',
  phone: 'Telefone',
  role: 'Função',
  skills: 'Habilidades (nível)',
  lastLogin: 'Último login',
  password: {
    title: 'Senha',
    text: (email) =>
      `Um link para escolher uma nova senha é enviado para ${email}. A nova senha encerra todos os seus logins.`,
    send: 'Trocar a senha',
    sent: (email) => `Um e-mail com um link está a caminho de ${email}. Ele vale por 30 minutos.`,
  },
  sessions: 'Onde você está conectado',
  sessionsText: 'Encerre um login que você não conhece e troque sua senha em seguida.',
  thisOne: 'Este navegador',
  unknownDevice: 'Dispositivo desconhecido',
  unknownAddress: 'endereço desconhecido',
  sessionFacts: (since, used, address) => `Desde ${since}, último uso ${used}, de ${address}`,
  endSession: 'Encerrar',
  endQuestion: (device) => `${device} será desconectado imediatamente.`,
  sessionEnded: (device) => `${device} foi desconectado.`,
  twoStep: {
    title: 'Login em duas etapas',
    text: 'Além da senha, cada login pede um código de um aplicativo no seu celular.',
    on: 'Ativado',
    off: 'Desativado',
    setUp: 'Configurar o login em duas etapas',
    switchOff: 'Desativar o login em duas etapas',
    switchOffText: 'A partir daí, só a senha basta para entrar.',
    switchedOff: 'O login em duas etapas está desativado.',
    goOn: 'Continuar',
    scan: 'Leia este código com um aplicativo autenticador e digite o código que ele mostra.',
    qrCode: 'Código QR para o aplicativo autenticador',
    secret: 'Ou digite este segredo no aplicativo:',
    copySecret: 'Copiar o segredo',
    openApp: 'Abrir o aplicativo autenticador deste dispositivo',
    code: 'Código do aplicativo',
    passwordText: 'Você entrou há algum tempo, por isso sua senha é necessária.',
    codesTitle: 'O login em duas etapas está ativado. Guarde estes códigos de recuperação.',
    codesText:
      'Cada um substitui o aplicativo em um login, por exemplo se você perder o celular. Eles não serão mostrados de novo.',
    download: 'Baixar',
    kept: 'Já guardei',
  },
};

export default pt;
