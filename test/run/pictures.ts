/** What the bytes of a picture of each kind that the API takes begin with. */
export const PICTURES = {
  'image/png': '\x89PNG\r\n\x1A\n\0\0',
  'image/jpeg': '\xFF\xD8\xFF\xE0\0',
  'image/gif': 'GIF89a\0',
  'image/webp': 'RIFF\0\0\0\0WEBPVP8',
}
