import type { CodeDoc } from './code-doc.ts'
import { agent, PROSE } from './example.ts'

const GOOD = agent()

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
  'file/unreadable': {
    severity: 'error',
    what: 'A file or folder that should hold agents is there and cannot be read.',
    why: 'Its agents are missing, and a weaker agent of the same name would take their place.',
    todo: 'Give the user who builds the right to read it, or move it out of the agents folder.',
    bad: { '.claude/agents': 'A file where a folder of agents is expected.\n' },
    good: GOOD,
  },
  'file/broken-link': {
    severity: 'warning',
    what: 'A link in the agents folder leads nowhere.',
    why: 'The agents behind it are missing; Claude Code leaves them out without a word.',
    todo: 'Let the link lead to a file or folder that exists, or delete it. A submodule may not be checked out.',
    bad: { '.claude/agents/example.md': { link: '../../shared/example.md' } },
    good: { '.claude/agents/example.md': { link: '../../shared/example.md' }, 'shared/example.md': GOOD },
  },
  'file/link-loop': {
    severity: 'warning',
    what: 'A link in the agents folder leads to a folder that holds the agents folder itself.',
    why: 'agentc does not follow it; Claude Code would read every Markdown file of that folder as an agent.',
    todo: 'Let the link lead to a folder that holds agents only.',
    bad: { '.claude/agents/example.md': GOOD, '.claude/agents/all': { link: '../..' } },
    good: { '.claude/agents/all': { link: '../../shared' }, 'shared/example.md': GOOD },
  },
  'file/not-regular': {
    severity: 'warning',
    what: 'What has the name of an agent file is a pipe, a socket or a device.',
    why: 'It is not opened, since reading it could wait for ever, so its agent is missing.',
    todo: 'Put a regular file or a link to one in its place.',
    bad: { '.claude/agents/example.md': { link: '/dev/null' } },
    good: GOOD,
  },
  'file/empty': {
    severity: 'warning',
    what: 'The file is empty.',
    why: 'There is no agent in it. Claude Code leaves it out without a word.',
    todo: 'Write a frontmatter with `name` and `description`, and the prompt below it; or delete the file.',
    bad: '',
    good: GOOD,
  },
  'file/no-frontmatter': {
    severity: 'warning',
    what: 'The file speaks to an agent and has no frontmatter, the block between two `---` lines at the top.',
    why: 'It is taken for a document that lies in the folder, so there is no agent. Claude Code says nothing about it.',
    todo: 'Begin the file with the lines `---`, `name: …`, `description: …` and `---`.',
    bad: `You are a reviewer. ${PROSE}`,
    good: GOOD,
  },
  'file/document': {
    severity: 'info',
    what: 'The file lies among the agents and has no frontmatter.',
    why: 'It is taken for a document, so there is no agent. That is fine if it is one; READMEs and files with code are not mentioned.',
    todo: 'Nothing, if it is a document. Else begin it with the lines `---`, `name: …`, `description: …` and `---`.',
    bad: 'How the agents of this project work together.\n',
    good: GOOD,
  },
  'file/text-before-fence': {
    severity: 'warning',
    what: 'Something stands above the frontmatter.',
    why: 'It must begin on the first line. As it is, the file is taken for a document, so there is no agent.',
    todo: 'Delete everything above the first `---`, blank lines too. `agentc build --fix` does it.',
    bad: `# Example\n\n${GOOD}`,
    good: GOOD,
  },
  'file/plugin-document': {
    severity: 'warning',
    what: 'A file in the `agents` folder of a plugin has no frontmatter.',
    why: 'agentc skips it; Claude Code loads it as an agent that is called like the file and has every tool.',
    todo: 'Move documents out of the `agents` folder.',
    bad: { 'plugins/kit/agents/README.md': '# The agents of this plugin\n' },
    good: { 'plugins/kit/README.md': '# The agents of this plugin\n', 'plugins/kit/agents/example.md': GOOD },
  },
} as const satisfies Record<string, CodeDoc>
