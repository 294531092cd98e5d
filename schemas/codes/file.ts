import type { CodeDoc } from './code-doc.ts'

const PROSE = 'You read the change set and report what you found.\n'
const GOOD = `---\nname: example\ndescription: Reviews changes before they are merged.\n---\n\n${PROSE}`

export const FILE_CODES = {
  'file/too-large': {
    severity: 'error',
    what: 'The file is larger than 1 MiB.',
    why: 'agentc does not read it, and Claude Code leaves it out without a word.',
    todo: 'Keep long material in files of its own and let the agent read them.',
    bad: { '.claude/agents/example.md': { size: 1_048_577 } },
    good: GOOD,
  },
  'file/invalid-utf8': {
    severity: 'warning',
    what: 'The file holds bytes that are not UTF-8.',
    why: 'Each bad byte is read as U+FFFD, so the model sees replacement characters instead of what was meant.',
    todo: 'Save the file as UTF-8.',
    bad: {
      '.claude/agents/example.md': {
        bytes: [...Buffer.from('---\nname: example\ndescription: Caf'), 0xe9, ...Buffer.from(`.\n---\n\n${PROSE}`)],
      },
    },
    good: GOOD,
  },
} as const satisfies Record<string, CodeDoc>
