import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../workspace.ts'
import { writeOwn } from '../write-whole.ts'

/** What a person has said about projects, by a digest of exactly the powers that were shown. */
export interface TrustStore {
  knows(root: string, digest: string): Promise<boolean>
  /** `false`: it could not be kept, and will be asked about again. */
  remember(root: string, digest: string): Promise<boolean>
}

/**
 * `<configDir>/agentc/trust.json`. A folder inside the project is not believed: a repository could bring the file along,
 * and say of itself that it is trusted.
 */
export function trustStore(configDir: string): TrustStore {
  const file = join(configDir, 'agentc', 'trust.json')
  return {
    knows: async (root, digest) => !isInside(root, file) && (await read(file))[root] === digest,
    async remember(root, digest) {
      if (isInside(root, file)) return false
      const projects = { ...(await read(file)), [root]: digest }
      const text = `${JSON.stringify({ agentc: 1, projects: Object.fromEntries(Object.entries(projects).sort()) }, undefined, 2)}\n`
      return writeOwn(file, text).then(
        () => true,
        () => false,
      )
    },
  }
}

/** A file that cannot be read, or that is no such file, says nothing about any project. */
async function read(file: string): Promise<Record<string, unknown>> {
  try {
    const data = JSON.parse(await readFile(file, 'utf8')) as { agentc?: unknown; projects?: unknown } | null
    const projects = data?.agentc === 1 ? data.projects : undefined
    return typeof projects === 'object' && projects !== null ? { ...projects } : {}
  } catch {
    return {}
  }
}
