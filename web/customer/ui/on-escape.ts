/** A listener for key presses in something that Escape closes. In a word that is being composed, Escape belongs to that. */
export const onEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.isComposing) return;
  event.preventDefault();
  close();
};
