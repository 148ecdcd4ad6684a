import { useApp, useTexts } from '../../app/app-context';

/** What the company says about the use of what is typed into the form above, and where it says more. */
export function PrivacyNotice() {
  const { store } = useApp();
  const { form } = useTexts();
  const { privacy_text, privacy_url } = store.link.value ?? {};
  if (!privacy_text && !privacy_url) return null;
  return (
    <footer class="privacy" data-testid="privacy">
      {privacy_text && <p class="own-words">{privacy_text}</p>}
      {privacy_url && (
        <a href={privacy_url} target="_blank" rel="noopener">
          {form.privacy}
        </a>
      )}
    </footer>
  );
}
