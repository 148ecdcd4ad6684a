export function OfferCards() {
  return null;
}
