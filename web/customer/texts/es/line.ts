import { plural } from '../../../shared/texts/plural';
import type { LineTexts } from '../en/line';

/** From the line to the rating. */
export const line: LineTexts = {
  waiting: {
    title: 'Está en la fila',
    next: 'Usted es la próxima persona',
    position: (n) => `Lugar ${n} en la fila`,
    ahead: (n) =>
      n === 0
        ? 'Nadie delante de usted.'
        : `${n} ${plural(n, 'persona delante', 'personas delante')} de usted.`,
    positionLabel: 'Su lugar',
    waitLabel: 'Espera estimada',
    noWait: 'Aún no se sabe',
    noWaitHint: 'Quizá no haya nadie disponible ahora. Usted conserva su lugar.',
    ringing: 'Estamos llamando a un agente ahora',
    roughWait: 'Es una estimación aproximada. Usted conserva su lugar.',
    stay: 'Deje esta página abierta. Le llamaremos aquí.',
    mayLeave: (minutes) => `Si el teléfono se bloquea o falla la red, su lugar se guarda ${minutes}.`,
    unanswered: 'Disculpe, nadie pudo atenderle ahora. Ha vuelto a su lugar en la fila.',
    transferred: (department) => `Le estamos transfiriendo a ${department}. Espere un momento.`,
    closing: (time) => `Cerramos a las ${time}. Las llamadas que sigan esperando entonces terminarán.`,
    closingCallback: 'Pida un aviso y su lugar se guarda.',
    leave: 'Salir de la fila',
    leaveNow: 'Salir ahora',
    leaving: 'Saliendo de la fila…',
    leaveUndo: 'Quedarme en la fila',
    reconnecting: 'Sin conexión. Estamos intentando reconectar; su lugar se guarda.',
    lost: 'Seguimos sin conexión. Quizá su lugar ya haya terminado. Seguimos intentando.',
    soundOn: 'Avisarme con un sonido',
    soundIsOn: 'Oirá un sonido cuando le llamen.',
  },

  deviceCheck: {
    title: 'Pruebe la cámara y el micrófono',
    text: 'Vea y oiga antes si todo funciona. Nadie más le ve todavía.',
    start: 'Probar ahora',
  },

  callback: {
    offer: '¿Prefiere no esperar?',
    offerText: 'Guarde su lugar y reciba un correo cuando casi sea su turno.',
    request: 'Avisarme cuando sea mi turno',
    email: 'Su correo para el aviso',
    send: 'Guardar mi lugar',
    to: (email) => `El mensaje va a ${email}.`,
    change: 'Cambiar la dirección',
    requested: 'Ya puede irse',
    requestedText:
      'Su lugar está guardado. Le enviaremos un mensaje con un enlace cuando casi sea su turno. Puede cerrar esta página.',
    cancel: 'Prefiero esperar aquí',
    invited: 'Casi es su turno',
    invitedText: '¿Está ahí? Entonces toque el botón.',
    invitedUntil: (time) => `Guardamos su lugar hasta ${time}.`,
    back: 'Estoy aquí',
  },

  called: {
    title: 'Es su turno',
    agent: (name) => `${name} le atiende enseguida.`,
    someone: 'Enseguida le atienden.',
    text: 'Quédese aquí, por favor. La llamada empieza en un momento.',
    announce: '¡Es su turno! La llamada empieza en un momento.',
    tabTitle: '¡Es su turno!',
  },

  unread: {
    chat: (n) => `Chat, ${n} ${plural(n, 'mensaje nuevo', 'mensajes nuevos')}`,
  },

  notification: {
    called: {
      title: 'Es su turno',
      body: (company) => `${company} le está llamando. Vuelva a la página.`,
    },
    invited: {
      title: 'Casi es su turno',
      body: (company) => `${company} le guarda el lugar. Vuelva a la página y toque el botón.`,
    },
  },

  ended: {
    left: 'Ha salido de la fila',
    leftText: 'Gracias por venir. Puede entrar de nuevo cuando quiera.',
    cancelled: 'Su lugar en la fila se canceló',
    cancelledText: 'Entre de nuevo, por favor, o contacte a la empresa de otra forma.',
    absent: 'Estuvo ausente demasiado tiempo',
    absentText: 'Su lugar en la fila terminó porque esta página estuvo demasiado tiempo sin conexión.',
    unanswered: 'Disculpe, nadie pudo atenderle a tiempo',
    unansweredText: 'Su tiempo de espera terminó. Inténtelo más tarde, por favor.',
    closed: 'Ya hemos cerrado',
    closedText: 'Disculpe, nadie pudo atenderle antes de la hora de cierre.',
    callback_expired: 'El tiempo para volver terminó',
    callback_expiredText: 'Le avisamos y no volvió a tiempo. Puede ponerse en la fila de nuevo.',
    missed: 'Disculpe, nadie atendió su llamada',
    missedText: 'Le llamamos, pero no se hizo la conexión. Entre de nuevo, por favor.',
    gone: 'Su lugar en la fila terminó',
    goneText: 'Estuvo ausente demasiado tiempo, o la llamada acabó. Puede ponerse en la fila de nuevo.',
    return_link_invalid: 'Este enlace para volver ya no sirve',
    return_link_invalidText:
      'La llamada terminó, o el enlace no está completo. Puede ponerse en la fila de nuevo.',
    unknown: 'Su lugar en la fila terminó',
    unknownText:
      'Estuvo ausente demasiado tiempo, o nadie pudo atenderle a tiempo. Puede ponerse en la fila de nuevo.',
    joinAgain: 'Ponerme en la fila de nuevo',
  },

  tabs: {
    title: 'La llamada está abierta en otra pestaña',
    text: 'Solo una pestaña o un dispositivo puede tener la llamada.',
    takeOver: 'Seguir aquí',
    otherDevice: 'La llamada sigue en otro dispositivo',
    otherDeviceText: 'Usted la abrió allí con el enlace del mensaje. Puede cerrar esta página.',
  },

  rating: {
    title: 'La llamada terminó',
    lost: 'Se perdió la conexión',
    lostText: 'La llamada terminó porque la conexión no volvió a tiempo.',
    question: '¿Cómo fue la llamada?',
    stars: ['Muy mala', 'Mala', 'Regular', 'Buena', 'Muy buena'],
    star: (n, word) => `${n} de 5: ${word}`,
    comment: '¿Quiere contarnos más?',
    submit: 'Enviar',
    sending: 'Enviando…',
    skip: 'Ahora no',
    choose: 'Elija de 1 a 5, por favor.',
    thanks: '¡Gracias!',
    thanksText: 'Su opinión nos ayuda. Puede cerrar esta página.',
    goodbye: '¡Hasta luego!',
    goodbyeText: 'Puede cerrar esta página.',
    forget: 'Este dispositivo no es mío: borrar mis datos',
    forgotten: 'Sus datos se borraron de este dispositivo.',
  },
};
