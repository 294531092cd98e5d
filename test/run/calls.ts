/** Calls of tools, as they stand in `tools` of a scripted reply. */

export interface Call {
  name: string
  input: Readonly<Record<string, unknown>>
}

export function read(file_path: string): Call {
  return { name: 'Read', input: { file_path } }
}

export function write(file_path: string, content = 'x'): Call {
  return { name: 'Write', input: { file_path, content } }
}

/** `more`: of the input. */
export function bash(command: string, more: object = {}): Call {
  return { name: 'Bash', input: { command, ...more } }
}
