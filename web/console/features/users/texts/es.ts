import type { UserTexts } from './en';

const es: UserTexts = {
  title: 'Usuarios',
  empty: 'Ningún usuario coincide con la búsqueda.',
  searchText: 'Por nombre o correo',
  name: 'Nombre',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  role: 'Función',
  roleText: 'Puedes dar tu propia función y las inferiores.',
  state: 'Estado',
  active: 'Activo',
  inactive: 'Inactivo',
  activeText: 'Quien no está activo no puede entrar; sus sesiones terminan de inmediato.',
  ownActiveText: 'No puedes bloquearte a ti mismo.',
  mfa: 'Dos pasos',
  skills: 'Habilidades',
  lastLogin: 'Último acceso',
  never: 'Nunca',
  departments: 'Departamentos',
  departmentsText: 'Cuyas llamadas atiende el usuario.',
  data: 'Datos',
  access: 'Acceso',
  higherRole:
    'Este usuario tiene una función superior a la tuya y solo pueden editarlo usuarios con esa función.',
  invite: 'Invitar a un usuario',
  inviteText: 'El usuario recibe un correo con un enlace para elegir su contraseña. Vale 7 días.',
  sendInvitation: 'Enviar la invitación',
  invited: (email) => `Una invitación va camino de ${email}.`,
  resendText: 'Este usuario nunca ha entrado.',
  resend: 'Enviar la invitación de nuevo',
  noInvitation: 'Este usuario no necesita invitación.',
  mfaOn: 'El acceso en dos pasos está activado.',
  mfaOff: 'El acceso en dos pasos está desactivado.',
  resetMfa: 'Restablecer el acceso en dos pasos',
  resetMfaQuestion: (name) =>
    `Para quien perdió el teléfono y los códigos de recuperación: se cerrarán todas las sesiones de ${name}, que después entra solo con la contraseña.`,
  skillsText:
    'Las llamadas que exigen una habilidad se ofrecen a quien la tiene en el nivel exigido. 5 es el más alto.',
  noSkills: 'Tu empresa aún no tiene habilidades. Créalas en la página «Habilidades».',
  level: (level) => `Nivel ${level}`,
  addSkill: 'Añadir una habilidad',
  chooseSkill: 'Elegir…',
  remove: 'Quitar',
  removeSkill: (name) => `Quitar ${name}`,
};

export default es;
