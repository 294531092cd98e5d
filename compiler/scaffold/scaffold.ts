import { mkdirSync, realpathSync, readdirSync, writeFileSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathInside } from '../discover/path.ts'
import { faultOf } from '../discover/file-system.ts'
import { AGENT_FOLDER, EXAMPLE_AGENT, WORKFLOW_FILE, type Template } from './templates.ts'

/** What became of one file: it was made (or would be), it was left as it is, or it cannot be made. */
export interface Outcome {
  template: Template
  done: 'made' | 'left' | 'failed'
  /** Why it was not made. */
  reason?: string
}

/** Makes the files that are not there, below the project's root. Never overwrites and never follows a link out of the root. */
export function scaffold(root: string, dryRun: boolean): Outcome[] {
  const agents = agentsIn(join(root, AGENT_FOLDER))
  const example: Outcome = agents
    ? { template: EXAMPLE_AGENT, done: 'left', reason: 'the project has agents' }
    : make(root, EXAMPLE_AGENT, dryRun)
  return [example, make(root, WORKFLOW_FILE, dryRun)]
}

/** A project that has agents needs no example, and one more of the same name would be a fault. */
function agentsIn(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.md'))
  } catch (error) {
    faultOf(error)
    return false
  }
}

function make(root: string, template: Template, dryRun: boolean): Outcome {
  const file = join(root, template.path)
  try {
    if (lstatSync(file, { throwIfNoEntry: false })) return { template, done: 'left', reason: 'it is there' }
    if (!isInside(root, dirname(file))) return { template, done: 'failed', reason: 'its folder leads out of the project' }
    if (!dryRun) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, template.text, { flag: 'wx' })
    }
    return { template, done: 'made' }
  } catch (error) {
    const code = faultOf(error)
    return code === 'EEXIST' && lstatSync(file, { throwIfNoEntry: false })
      ? { template, done: 'left', reason: 'it is there' }
      : { template, done: 'failed', reason: code }
  }
}

/** Whether the nearest folder that exists on the way to a folder really lies in the root. */
function isInside(root: string, folder: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return isInside(root, dirname(folder))
  return pathInside(realpathSync(root), realpathSync(folder)) !== undefined
}
