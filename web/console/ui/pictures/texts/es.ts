import type { PhotoTexts } from './en';

const es: PhotoTexts = {
  label: 'Foto',
  text: 'Los clientes la ven en la llamada. PNG, JPEG o WebP de hasta 2 MiB; el centro se muestra en un círculo.',
  none: 'Sin foto',
  choose: 'Elegir una foto',
  saved: 'Se guardó la foto.',
  bad: 'No se puede usar este archivo: debe ser una imagen PNG, JPEG o WebP de 2 MiB como máximo.',
  remove: 'Quitar la foto',
  removeQuestion: 'Los clientes verán entonces solo el nombre.',
};

export default es;
