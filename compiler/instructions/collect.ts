import { dirname } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { InstructionLevel } from '../../schemas/values.ts'
import type { FoundInstructions, InstructionFiles } from '../discover/instruction-files.ts'
import { firstVisit } from '../discover/search.ts'
import { identityOf } from '../discover/stamp.ts'
import { agentsMdUnread } from '../findings/instructions.ts'
import type { Settings, Written } from '../settings/settings.ts'
import { isExcluded, textFile, type Around, type Collecting } from './collecting.ts'
import { INTRO } from './frame.ts'
import { add } from './importing.ts'
import type { Instructions } from './instructions.ts'
import { readRule } from './rule.ts'
import type { Ground } from './target.ts'

/**
 * Reads the files that were found and what they import: an imported file comes before the one that imports it, so that what stands nearest
 * is read last. Every file is read once; what was found by its own name keeps its own place.
 */
export async function collect(
  { files, unread }: InstructionFiles,
  { excludes, managed }: Settings['instructions'],
  around: Around,
): Promise<Pick<Instructions, 'section' | 'excluded' | 'files'>> {
  const excludedBy = excludes.length > 0 ? (await import('./excluder.ts')).excluder(excludes) : () => undefined
  const state: Collecting = { ...around, excludedBy, excluded: [], files: [], entries: [], imports: 0 }
  for (const found of files.filter(({ level }) => level === 'policy')) await takeFile(found, state)
  if (managed) takeSetting(managed, state)
  for (const found of files.filter(({ level }) => level !== 'policy')) await takeFile(found, state)
  for (const { found, real } of unread) {
    const isNews = excludedBy(found.path, real) === undefined && firstVisit(around.search, found.path, found.stat)
    if (isNews) around.search.diagnostics.push(agentsMdUnread(found.origin))
  }
  const { entries, excluded } = state
  return { ...(entries.length > 0 && { section: { intro: INTRO, files: entries } }), excluded, files: state.files }
}

async function takeFile({ found, level, real, rule }: FoundInstructions, state: Collecting): Promise<void> {
  if (isExcluded(level, found.origin, [found.path, real], state)) return
  const file = textFile(found, state)
  if (!file) return
  const { bodyStart, scoped, diagnostics } = rule ? await readRule(file) : { bodyStart: 0, scoped: false, diagnostics: [] }
  state.search.diagnostics.push(...diagnostics)
  if (scoped) return
  const chain = [identityOf(found.stat)]
  add(
    { file, level, folder: dirname(found.path), ground: groundOf(level, state), chain, placeOf: (range) => range },
    file.text,
    bodyStart,
    state,
  )
}

/** `claudeMd` of managed settings is as good as a file beside them. */
function takeSetting({ value, file, range }: Written<string>, state: Collecting): void {
  const setting = { ...file, hash: sha256(value) }
  const ground = groundOf('policy', state)
  add({ file: setting, level: 'policy', folder: ground.base, ground, chain: ['claudeMd'], placeOf: () => range }, value, 0, state)
}

function groundOf(level: InstructionLevel, { options, root }: Collecting): Ground {
  const { home, configDir, managedDir } = options
  if (level === 'policy' || level === 'user') return { home, base: level === 'user' ? configDir : managedDir }
  return { home, base: root, fence: root }
}
