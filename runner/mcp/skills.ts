import { inToolName } from '../../schemas/mcp-tools.ts'
import type { NoticeEvent } from '../events.ts'
import { notice } from '../notice-queue.ts'
import type { McpSkills } from './mcp-skill.ts'
import type { Resource } from './wire.ts'

/** What a server lists beside its tools. */
export interface ListedResources {
  server: string
  resources: readonly Resource[]
  /** Its tools are held to a lock. */
  locked: boolean
}

const SKILL_URI = /^skill:\/\/(?:([\w.-]+(?:\/[\w.-]+)*)\/SKILL\.md|([\w.-]+))$/i

/**
 * The skills that servers offer: resources `skill://NAME/SKILL.md`, called `server:NAME`. Prompts of a server are no skills (M23). Where the
 * tools of a server are locked its skills are not offered, because nothing holds them to what was agreed on.
 */
export function skillsOf(listed: readonly ListedResources[]): { skills: McpSkills; notices: readonly NoticeEvent[] } {
  const skills: McpSkills = {}
  const notices: NoticeEvent[] = []
  for (const { server, resources, locked } of listed) {
    const found = resources.flatMap((resource) => skillIn(server, resource) ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))
    const names = found.map(({ name }) => name)
    if (locked && names.length > 0)
      notices.push(notice('mcp-skill', `${names.join(', ')} not offered: the tools of the MCP server ${server} are locked, and its skills cannot be`)) // prettier-ignore
    else for (const { name, skill } of found) skills[name] ??= skill
  }
  return { skills, notices }
}

function skillIn(server: string, { uri, name: title, description }: Resource): { name: string; skill: McpSkills[string] } | undefined {
  const [, folder, whole] = SKILL_URI.exec(uri) ?? []
  const path = folder ?? whole
  if (path === undefined) return undefined
  const prefix = /^[\w.-]+$/.test(server) ? server : inToolName(server)
  return { name: `${prefix}:${path.replaceAll('/', ':')}`, skill: { server, uri, description: description ?? title } }
}
