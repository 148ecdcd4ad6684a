import { plural } from '../../../shared/texts/plural';
import { wait } from '../../../shared/texts/wait/es';
import type { StartTexts } from '../en/start';

/** Before the line: the form, the hours, and what can go wrong. */
export const start: StartTexts = {
  language: 'Idioma',
  optional: 'opcional',
  title: (company) => `Videollamada con ${company}`,
  tryAgain: 'Intentar de nuevo',
  unchanged: (time) => `Comprobado a las ${time}: todavía no ha cambiado nada.`,
  close: 'Cerrar',
  requestId: (id) => `Si pide ayuda, indique este número: ${id}`,

  form: {
    lead: 'Hable con nosotros por video. Póngase en la fila y le llamaremos en esta página.',
    name: 'Su nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    reason: '¿De qué se trata?',
    submit: 'Ponerme en la fila',
    joining: 'Entrando en la fila…',
    stop: 'Detener',
    openUntil: (time) => `Abierto hasta las ${time}`,
    open: 'Abierto ahora',
    ahead: (n) =>
      n === 0 ? 'Nadie en la fila' : `${n} ${plural(n, 'persona en la fila', 'personas en la fila')}`,
    wait: (range) => `Espera: ${range}`,
    nobody: 'En este momento no hay nadie disponible. Puede ponerse en la fila y esperar.',
    hadPlace: 'Su lugar anterior en la fila ha terminado. Puede entrar de nuevo.',
    privacy: 'Aviso de privacidad',
    fields: {
      name: 'Escriba su nombre.',
      email: 'Escriba un correo completo, por ejemplo ana@ejemplo.com.',
      phone: 'Escriba un teléfono más corto.',
      reason: 'Use menos palabras: como máximo 2.000 caracteres.',
    },
  },

  resuming: {
    title: 'Un momento…',
    text: 'Estamos buscando su lugar en la fila.',
    stop: 'Empezar de nuevo',
  },

  range: wait,

  closed: {
    title: 'Ahora estamos cerrados',
    opens: (time) => `Abrimos ${time}.`,
    never: 'Aún no hay una próxima hora de apertura.',
    dayAt: (day, time) => `${day} a las ${time}`,
    text: 'Vuelva entonces: este enlace funcionará.',
    callback: '¿Quiere recibir un aviso?',
    callbackText:
      'Deje su correo electrónico. Cuando abramos y casi sea su turno, recibirá un mensaje con un enlace a la llamada.',
    callbackSubmit: 'Avíseme cuando sea mi turno',
    checkAgain: 'Comprobar de nuevo',
  },

  full: {
    title: 'La fila está llena',
    text: 'Hay muchas personas esperando ahora. Inténtelo de nuevo en unos minutos.',
  },

  unsupported: {
    inAppTitle: (app) => `Abra esta página fuera de ${app}`,
    inAppText: 'Las videollamadas no funcionan dentro de esta aplicación. Abra la página en su navegador:',
    app: 'esta aplicación',
    menuSteps: ['Toque el menú (⋯ o ⋮) en la esquina de la pantalla.', 'Elija “Abrir en el navegador”.'],
    openBrowser: 'Abrir en el navegador',
    copy: 'Copiar el enlace',
    copied: 'Copiado. Ahora péguelo en su navegador.',
    copyFailed: 'Mantenga el dedo sobre el enlace y elija “Copiar”.',
    oldTitle: 'Este navegador no puede hacer videollamadas',
    oldText: 'Abra el enlace en una versión actual de Chrome, Safari, Firefox o Edge.',
    insecureText:
      'Esta página se abrió sin conexión segura, y por eso el navegador no permite cámara ni micrófono.',
    anyway: 'Seguir sin cámara ni micrófono',
  },

  problem: {
    invalid_link: 'Este enlace no funciona',
    invalid_linkText: 'Compruebe que abrió el enlace completo, o pida uno nuevo a la empresa.',
    link_expired: 'Este enlace ha caducado',
    link_expiredText: 'Pida un enlace nuevo a la empresa, por favor.',
    link_used: 'Este enlace ya se usó',
    link_usedText: 'Pida un enlace nuevo a la empresa, por favor.',
    link_cancelled: 'Este enlace fue cancelado',
    link_cancelledText: 'Pida un enlace nuevo a la empresa, por favor.',
    link_not_yet_valid: 'Todavía es pronto para este enlace',
    link_not_yet_validText: 'Vuelva poco antes de su cita.',
    validFrom: (time) => `Funciona a partir de ${time}.`,
    tenant_suspended: 'En este momento no se puede llamar',
    tenant_suspendedText: 'La empresa no puede atender aquí ahora. Inténtelo más tarde.',
    rate_limited: 'Un momento, por favor',
    rate_limitedText: 'Hay demasiadas solicitudes desde su red. Esta página lo intenta de nuevo por sí sola.',
    unavailable: 'El servicio está muy ocupado',
    unavailableText: 'Esta página lo intenta de nuevo enseguida por sí sola.',
    unknown: 'Algo salió mal',
    unknownText: 'No es culpa suya. Inténtelo de nuevo en un momento.',
  },

  errors: {
    network: 'Sin conexión con el servicio. Seguimos intentando.',
    networkOnce: 'Sin conexión con el servicio. Inténtelo de nuevo, por favor.',
    rate_limited: 'Hay demasiadas solicitudes desde su red. Lo intentaremos de nuevo enseguida.',
    rate_limitedOnce: 'Hay demasiadas solicitudes desde su red. Inténtelo de nuevo en un momento, por favor.',
    too_many_waiting: 'Hay demasiadas personas de su red en la fila. Inténtelo en unos minutos.',
    unavailable: 'El servicio está muy ocupado. Seguimos intentando.',
    unavailableOnce: 'El servicio está muy ocupado. Inténtelo de nuevo en un momento, por favor.',
    validation_failed: 'Revise lo que escribió.',
    queue_full: 'La fila está llena ahora. Inténtelo de nuevo en unos minutos.',
    department_closed: 'Ahora estamos cerrados. Vuelva cuando abramos.',
    callback_disabled: 'Aquí no es posible recibir un aviso. Espere en esta página, por favor.',
    callback_invited: 'El mensaje ya se envió.',
    invalid_transition: 'Eso ya no es posible.',
    already_rated: 'Ya valoró esta llamada. ¡Gracias!',
    rating_closed: 'El plazo para valorar esta llamada terminó.',
    not_completed: 'Esta llamada no se puede valorar.',
    token_expired: 'El plazo para esto terminó.',
    not_found: 'Esta llamada ya no existe.',
    call_erased: 'Sus datos de esta llamada se borraron.',
    invalid_state: 'Eso ya no es posible.',
    not_requested: 'Esta pregunta ya no vale.',
    unauthenticated: 'El plazo para esto terminó.',
    token_invalid: 'El plazo para esto terminó.',
    chat_full: 'El chat de esta llamada está lleno.',
    timeout: 'El servicio no respondió. Inténtelo de nuevo, por favor.',
    disconnected: 'Ahora no hay conexión. Inténtelo de nuevo, por favor.',
    unknown: 'Algo salió mal. Inténtelo de nuevo, por favor.',
    nextTry: (seconds) => `Próximo intento en ${seconds} s.`,
  },
};
