import type { Range } from '../../schemas/source.ts'
import type { ServerConfig } from '../../schemas/shapes/server.ts'
import type { ServerScope } from '../discover/server-files.ts'
import type { SourceFile } from '../source-file.ts'

/** A server as one file sets it up; nothing in it comes from another file. */
export interface DeclaredServer {
  /** As agents and rules name it; a plugin's is `plugin:<plugin>:<server>`. */
  name: string
  config: ServerConfig
  scope: ServerScope
  /** Its text shows nothing of the file but the servers, and of these no value of `env` and `headers`. */
  file: SourceFile
  /** Of its name. */
  range: Range
  pluginFolder?: string
}

/** The server that counts for a name, and those it replaced whole. */
export interface Server extends DeclaredServer {
  /** Highest first. */
  overruled: readonly DeclaredServer[]
}

/** In name order (code units). */
export type Servers = ReadonlyMap<string, Server>
