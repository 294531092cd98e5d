import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about skills that are kept elsewhere, in `agentc.config.json`. */

/** In: what is wrong, as the beginning of a sentence. */
export function invalidRemote(file: SourceFile, at: Range, what: string): Diagnostic {
  return finding('config/invalid-skill', placeIn(file, at), `${what}, so the skill would be missing.`, {
    help: 'Write `"skills": { "address": "https://…", "remote": { "name": { "description": "…", "digest": "sha256:…" } } }`.',
  })
}

export function unpinned(file: SourceFile, at: Range, slug: string): Diagnostic {
  const message = `The remote skill \`${slug}\` has no digest, so whoever keeps it could change what agents are told.`
  return finding('skill/unpinned', placeIn(file, at), message, {
    help: 'Look at its SKILL.md and write `"digest": "sha256:…"` with what `sha256sum SKILL.md` prints.',
  })
}

interface Pinned {
  file: SourceFile
  at: Range
  slug: string
}

export function digestDiffers({ file, at, slug }: Pinned, policy: Pinned): Diagnostic {
  const message = `Policy pins the remote skill \`${slug}\` to another digest, and that one counts.`
  return finding('skill/digest-differs', placeIn(file, at), message, {
    help: 'Remove the entry, or write the digest of policy.',
    related: [{ message: 'what policy says', at: placeIn(policy.file, policy.at) }],
  })
}

export function hidesRemote({ file, at, slug }: Pinned, by: SourceFile, what: string): Diagnostic {
  const message = `\`${slug}\` is the ${what} in ${by.origin.path}, so the remote skill of that name can never be called.`
  return finding('skill/hides-remote', placeIn(file, at), message, {
    help: 'Rename one of the two, or remove one.',
    related: [{ message: `the ${what}`, at: placeIn(by, [0, 0]) }],
  })
}
