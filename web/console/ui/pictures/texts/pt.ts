import type { PhotoTexts } from './en';

const pt: PhotoTexts = {
  label: 'Foto',
  text: 'Os clientes a veem na chamada. PNG, JPEG ou WebP de até 2 MiB; o centro aparece em um círculo.',
  none: 'Sem foto',
  choose: 'Escolher uma foto',
  saved: 'A foto foi salva.',
  bad: 'Este arquivo não pode ser usado: precisa ser uma imagem PNG, JPEG ou WebP de no máximo 2 MiB.',
  remove: 'Remover a foto',
  removeQuestion: 'Os clientes verão então apenas o nome.',
};

export default pt;
