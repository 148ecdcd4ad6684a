import { randomUUID } from 'node:crypto';

/** A form encoded as a body of known length. Its files are read when they are sent. */
export interface MultipartBody {
  type: string;
  content: Blob;
}

/** Encodes a form as multipart/form-data (RFC 7578). Names of fields and files must not need escaping. */
export function encodeMultipart(form: FormData): MultipartBody {
  const boundary = `form-${randomUUID()}`;
  const parts = [...form].flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    if (typeof value === 'string') return [`${head}\r\n\r\n${value}\r\n`];
    return [`${head}; filename="${value.name}"\r\nContent-Type: ${value.type}\r\n\r\n`, value, '\r\n'];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: new Blob([...parts, `--${boundary}--\r\n`]),
  };
}
