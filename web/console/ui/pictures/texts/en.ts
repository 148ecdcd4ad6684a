const en = {
  label: 'Photo',
  text: 'Customers see it in the call. PNG, JPEG or WebP up to 2 MiB; the middle is shown in a circle.',
  none: 'No photo',
  choose: 'Choose a photo',
  saved: 'The photo was saved.',
  bad: 'This file cannot be used: it must be a PNG, JPEG or WebP picture of at most 2 MiB.',
  remove: 'Remove the photo',
  removeQuestion: 'Customers will then see the name alone.',
};

export default en;
export type PhotoTexts = typeof en;
