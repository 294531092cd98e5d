/**
 * Something the result depends on, with what tells whether it changed. Host-local (absolute paths), never part of the manifest.
 * A file has `sha256` if its bytes were read; a folder without `mtimeMs` matters by being there only (`.git`);
 * `absent` was looked for and is not there.
 */
export interface Input {
  path: string
  kind: 'file' | 'folder' | 'absent'
  size?: number
  mtimeMs?: number
  sha256?: string
}
