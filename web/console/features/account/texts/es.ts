import type { AccountTexts } from './en';

const es: AccountTexts = {
  mustEnrol: {
    title: 'Configura primero el acceso en dos pasos',
    text: 'Tu empresa exige el acceso en dos pasos. Todo lo demás estará disponible en cuanto lo configures aquí.',
  },
  data: 'Tus datos',
  dataText: 'Un gerente de tu empresa puede cambiarlos.',
  dataTextManager: 'Puedes cambiarlos en la página «Usuarios».',
  name: 'Nombre',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  role: 'Función',
  skills: 'Habilidades (nivel)',
  lastLogin: 'Último acceso',
  password: {
    title: 'Contraseña',
    text: (email) =>
      `Se envía a ${email} un enlace para elegir una contraseña nueva. La contraseña nueva cierra todas tus sesiones.`,
    send: 'Cambiar la contraseña',
    sent: (email) => `Un correo con un enlace va camino de ${email}. Vale durante 30 minutos.`,
  },
  sessions: 'Dónde tienes la sesión abierta',
  sessionsText: 'Cierra una sesión que no reconozcas y cambia después tu contraseña.',
  thisOne: 'Este navegador',
  unknownDevice: 'Dispositivo desconocido',
  unknownAddress: 'dirección desconocida',
  sessionFacts: (since, used, address) => `Desde ${since}, último uso ${used}, desde ${address}`,
  endSession: 'Cerrar',
  endQuestion: (device) => `La sesión de ${device} se cerrará de inmediato.`,
  sessionEnded: (device) => `Se cerró la sesión de ${device}.`,
  twoStep: {
    title: 'Acceso en dos pasos',
    text: 'Además de la contraseña, cada acceso pide un código de una aplicación de tu teléfono.',
    on: 'Activado',
    off: 'Desactivado',
    setUp: 'Configurar el acceso en dos pasos',
    switchOff: 'Desactivar el acceso en dos pasos',
    switchOffText: 'A partir de entonces basta la contraseña para entrar.',
    switchedOff: 'El acceso en dos pasos está desactivado.',
    goOn: 'Continuar',
    scan: 'Escanea este código con una aplicación de autenticación y escribe el código que muestra.',
    qrCode: 'Código QR para la aplicación de autenticación',
    secret: 'O escribe este secreto en la aplicación:',
    copySecret: 'Copiar el secreto',
    openApp: 'Abrir la aplicación de autenticación de este dispositivo',
    code: 'Código de la aplicación',
    passwordText: 'Entraste hace un rato, por eso hace falta tu contraseña.',
    codesTitle: 'El acceso en dos pasos está activado. Guarda estos códigos de recuperación.',
    codesText:
      'Cada uno sustituye a la aplicación en un acceso, por ejemplo si pierdes el teléfono. No se vuelven a mostrar.',
    download: 'Descargar',
    kept: 'Ya los guardé',
  },
};

export default es;
