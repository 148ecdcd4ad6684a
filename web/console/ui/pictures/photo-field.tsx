import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { PictureField, pictureForm } from './picture-field';
import { photoTexts } from './texts/texts';

const TYPES = 'image/png,image/jpeg,image/webp';

/** The photo of a user, which customers see in the call. */
export function PhotoField({ user: { id, avatar_url } }: { user: components['schemas']['UserDto'] }) {
  const texts = photoTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const params = { path: { id } };
  // The dialog of a user keeps the user as they were when it was opened.
  const [url, setUrl] = useState(avatar_url);
  const changed = async (now: string | null) => {
    setUrl(now);
    await queries.invalidateQueries({ queryKey: ['users'] });
  };
  const upload = async (file: File) => {
    const bodySerializer = () => pictureForm(file);
    const answer = await unwrap(
      api.PUT('/api/v1/users/{id}/avatar', { params, body: { file: '' }, bodySerializer }),
    );
    await changed(answer.data.avatar_url);
  };
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/users/{id}/avatar', { params }));
    await changed(null);
  };
  return (
    <PictureField
      texts={texts}
      url={url}
      accept={TYPES}
      isRound
      testId="photo"
      upload={upload}
      remove={remove}
    />
  );
}
