import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { PictureField, pictureForm } from '../../../ui/pictures/picture-field';
import { settingsTexts } from '../texts/texts';
import { TENANT_KEY } from '../use-tenant';

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

/** The company's logo. */
export function LogoField({ logoUrl }: { logoUrl: string | null }) {
  const texts = settingsTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: TENANT_KEY });
  const upload = async (file: File) => {
    const bodySerializer = () => pictureForm(file);
    await unwrap(api.POST('/api/v1/tenant/logo', { body: { file: '' }, bodySerializer }));
    await changed();
  };
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/tenant/logo'));
    await changed();
  };
  return (
    <PictureField
      texts={{
        label: texts.logo,
        text: texts.logoText,
        none: texts.noLogo,
        choose: texts.chooseLogo,
        saved: texts.logoSaved,
        bad: texts.badLogo,
        remove: texts.removeLogo,
        removeQuestion: texts.removeLogoQuestion,
      }}
      url={logoUrl}
      accept={TYPES}
      testId="logo"
      upload={upload}
      remove={remove}
    />
  );
}
