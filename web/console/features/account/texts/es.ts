import type { AccountTexts } from './en';

const es: AccountTexts = {
  mustEnrol: {
    title: 'Configure primero el acceso en dos pasos',
    text: 'Su empresa exige el acceso en dos pasos. Todo lo demás estará disponible en cuanto lo configure aquí.',
  },
  data: 'Sus datos',
  dataText: 'Un gerente de su empresa puede cambiarlos.',
  dataTextManager: 'Puede cambiarlos en la página «Usuarios».',
  name: 'Nombre',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  role: 'Función',
  skills: 'Habilidades (nivel)',
  lastLogin: 'Último acceso',
  password: {
    title: 'Contraseña',
    text: (email) =>
      `Se envía a ${email} un enlace para elegir una contraseña nueva. La contraseña nueva cierra todas sus sesiones.`,
    send: 'Cambiar la contraseña',
    sent: (email) => `Un correo con un enlace va camino de ${email}. Vale durante 30 minutos.`,
  },
  sessions: 'Dónde tiene la sesión abierta',
  sessionsText: 'Cierre una sesión que no reconozca y cambie después su contraseña.',
  thisOne: 'Este navegador',
  unknownDevice: 'Dispositivo desconocido',
  unknownAddress: 'dirección desconocida',
  sessionFacts: (since, used, address) => `Desde ${since}, último uso ${used}, desde ${address}`,
  endSession: 'Cerrar',
  endQuestion: (device) => `La sesión de ${device} se cerrará de inmediato.`,
  sessionEnded: (device) => `Se cerró la sesión de ${device}.`,
  twoStep: {
    title: 'Acceso en dos pasos',
    text: 'Además de la contraseña, cada acceso pide un código de una aplicación de su teléfono.',
    on: 'Activado',
    off: 'Desactivado',
    setUp: 'Configurar el acceso en dos pasos',
    switchOff: 'Desactivar el acceso en dos pasos',
    switchOffText: 'A partir de entonces basta la contraseña para entrar.',
    switchedOff: 'El acceso en dos pasos está desactivado.',
    goOn: 'Continuar',
    scan: 'Escanee este código con una aplicación de autenticación y escriba el código que muestra.',
    qrCode: 'Código QR para la aplicación de autenticación',
    secret: 'O escriba este secreto en la aplicación:',
    copySecret: 'Copiar el secreto',
    openApp: 'Abrir la aplicación de autenticación de este dispositivo',
    code: 'Código de la aplicación',
    passwordText: 'Inició sesión hace un rato, por eso hace falta su contraseña.',
    codesTitle: 'El acceso en dos pasos está activado. Guarde estos códigos de recuperación.',
    codesText:
      'Cada uno sustituye a la aplicación en un acceso, por ejemplo si pierde el teléfono. No se vuelven a mostrar.',
    download: 'Descargar',
    kept: 'Ya los guardé',
  },
};

export default es;
