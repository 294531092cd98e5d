import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mentions } from '../../../runner/input/mentions.ts'
import { commandsIn, expanded, withoutCommands, words } from '../../../runner/skills/expand.ts'
import { resolveInput, type InputSeams } from '../../../runner/input/resolve.ts'
import { route } from '../../../runner/input/route.ts'
import { skillText } from '../../../runner/skills/text.ts'
import type { PromptFile } from '../../../runner/skills/catalogue.ts'

const skill = (content: string, more: Partial<PromptFile> = {}): PromptFile => ({
  content,
  hash: `sha256:${'0'.repeat(64)}`,
  origin: { source: 'project', path: '.claude/skills/deploy/SKILL.md' },
  ...more,
})
const KNOWN = {
  skills: {
    deploy: { ...skill('Deploy $1 to $2.'), description: 'Deploys' },
    'docs:write': { ...skill('Write.'), description: 'Writes' },
    hidden: { ...skill('x', { userInvocable: false }), description: 'Hidden' },
  },
  commands: { review: skill('Review $ARGUMENTS.'), deploy: skill('The command loses.') },
}

describe('what an input is', () => {
  const ROWS: [input: string, kind: string, what: string][] = [
    ['Fix the bug', 'prompt', 'Fix the bug'],
    ['  /deploy web prod', 'skill', 'deploy web prod'],
    ['/docs:write', 'skill', 'docs:write'],
    ['/review\nall of it', 'skill', 'review all of it'],
    ['/etc/hosts is wrong', 'prompt', '/etc/hosts is wrong'],
    ['/', 'prompt', '/'],
    ['/ deploy', 'prompt', '/ deploy'],
    ['!ls -l', 'shell', 'ls -l'],
    ['! ', 'prompt', '! '],
    ['#remember this', 'note', 'remember this'],
    ['# remember this', 'note', 'remember this'],
    ['## A heading', 'prompt', '## A heading'],
    ['say /deploy', 'prompt', 'say /deploy'],
    ['', 'prompt', ''],
  ]
  test.each(ROWS)('%j is a %s', (input, kind, what) => {
    const routed = route(input, KNOWN)
    const said = { prompt: 'text', note: 'text', shell: 'command' }[routed.kind as 'prompt'] as 'text' | undefined
    const text = routed.kind === 'skill' ? `${routed.called.name} ${routed.args}`.trim() : said && (routed as Record<string, unknown>)[said]
    expect([routed.kind, text]).toEqual([kind, what])
  })

  test('a name that there is not is refused, with the one that was meant', () => {
    expect(route('/deplyo web', KNOWN)).toEqual({
      kind: 'refused',
      message: 'There is no skill or command /deplyo. Did you mean /deploy? There are: /deploy, /docs:write, /hidden, /review.',
    })
    expect(route('/constructor', KNOWN).kind).toBe('refused')
    expect(route('/hidden', KNOWN)).toMatchObject({ kind: 'refused', message: expect.stringContaining('for the model only') })
  })
})

describe('the text of a skill', () => {
  const filled = (content: string, args = '', more: Partial<PromptFile> = {}) =>
    expanded(skill(content, more), { args, skillDir: 'skills/deploy', sessionId: 's1' })
      .map((part) => (part.kind === 'text' ? part.text : `<${part.command}>`))
      .join('')
  const ROWS: [content: string, args: string, text: string][] = [
    ['All: $ARGUMENTS.', 'a "b c"', 'All: a "b c".'],
    ['$1-$2-$3', 'a "b c"', 'a-b c-'],
    ['$ARGUMENTS[1]', 'a b', 'b'],
    ['$10 and $1', 'a', ' and a'],
    ['in ${CLAUDE_SKILL_DIR} of ${CLAUDE_SESSION_ID}', '', 'in skills/deploy of s1'],
    ['no place', 'a b', 'no place\n\nARGUMENTS: a b'],
    ['costs $0 and $HOME', '', 'costs $0 and $HOME'],
    ['$ARGUMENTS', '$1 !`rm x`', '$1 !`rm x`'],
    ['state: !`git status`', '', 'state: <git status>'],
    ['run !`deploy $1 ${CLAUDE_SKILL_DIR}`', 'x', 'run <deploy $1 skills/deploy>\n\nARGUMENTS: x'],
    ['a!`no`', '', 'a!`no`'],
    ['```\n!`no`\n```\n', '', '```\n!`no`\n```\n'],
    ['Now:\n```!\ngit status\ngit log\n```\nThen.', '', 'Now:\n<git status\ngit log>\nThen.'],
    ['~~~\n```!\nno\n```\n~~~', '', '~~~\n```!\nno\n```\n~~~'],
    ['```!\n```', '', '```!\n```'],
    ['```\r\n!`no`\r\n```\r\n', '', '```\r\n!`no`\r\n```\r\n'],
  ]
  test.each(ROWS)('%j with %j', (content, args, text) => {
    expect(filled(content, args)).toBe(text)
  })

  test('arguments that have names are filled in by them', () => {
    expect(filled('$env of $what, $other', 'web prod', { arguments: ['what', 'env'] })).toBe('prod of web, $other')
  })

  test('no argument ever becomes a command', () => {
    fc.assert(
      fc.property(fc.string(), (args) => {
        const parts = expanded(skill('x $ARGUMENTS $1 !`fixed $1`'), { args, skillDir: 'd', sessionId: 's' })
        expect(parts.filter((part) => part.kind === 'shell').map((part) => part.command)).toEqual(['fixed $1'])
      }),
    )
  })

  test('without its commands it has none, whatever marks and fences stand around them, and keeps every other sign', () => {
    const pieces = fc.constantFrom('`', '```', '```!', '!`', '!', '~~~', '\n', ' ', 'a', '\n```!\n', '\n```\n', '\n~~~\n', ' !`x`', '\r\n')
    let some = 0
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (all) => {
        const content = all.join('')
        const words = withoutCommands(content)
        expect(commandsIn(words)).toEqual([])
        expect(words.replaceAll('!', '')).toBe(content.replaceAll('!', ''))
        if (commandsIn(content).length > 0) some += 1
        else expect(words).toBe(content)
      }),
      { numRuns: 20_000, examples: [[['!', '```!', '\r\n', '!`', ' !`x`', '\n```!\n']]] },
    )
    expect(some).toBeGreaterThan(1000)
  })

  test('words are parted as a shell does', () => {
    expect(words(`a "b \\"c\\"" 'd e' f`)).toEqual(['a', 'b "c"', 'd e', 'f'])
  })
})

test('files are mentioned with @, each once; an address is no file', () => {
  expect(mentions('see @src/a.ts, @"my file.md" and (@src/a.ts). Ask me@example.org or @./b.')).toEqual(['src/a.ts', 'my file.md', './b'])
})

describe('resolved', () => {
  const seams = (more: Partial<InputSeams> = {}): InputSeams => ({
    ready: async ({ name, skill: called }, args) => {
      const filling = { args, skillDir: 'skills/deploy', sessionId: 's1' }
      const ready = await skillText(called, filling, (command) => seams(more).shell(command))
      return 'refused' in ready ? ready : { name, ...ready, folder: 'skills/deploy' }
    },
    shell: (command) => Promise.resolve({ text: `ran ${command}`, isError: false }),
    read: (path) =>
      Promise.resolve(path === 'no.txt' ? { text: 'it does not exist', isError: true } : { text: `text of ${path}`, isError: false }),
    ...more,
  })

  test('a skill is put in with its arguments and files, and outlives a compaction', async () => {
    const resolved = await resolveInput('/deploy @a.txt prod', KNOWN, seams())
    expect(resolved).toEqual({
      prompt:
        '<command-name>/deploy</command-name>\n<command-args>@a.txt prod</command-args>\n\nDeploy @a.txt to prod.\n\n<file path="a.txt">\ntext of a.txt\n</file>',
      notices: [],
      skill: {
        skill: KNOWN.skills.deploy,
        framed: { name: 'deploy', text: 'Deploy @a.txt to prod.', folder: 'skills/deploy' },
      },
    })
  })

  test('a command of a skill that is refused refuses the skill', async () => {
    const known = { skills: {}, commands: { status: skill('!`git status`') } }
    const no = await resolveInput('/status', known, seams({ shell: () => Promise.resolve({ text: 'Permission denied', isError: true }) }))
    expect(no).toEqual({ refused: '/status: its command "git status" did not run: Permission denied' })
    expect(await resolveInput('/status', known, seams())).toMatchObject({ prompt: expect.stringContaining('ran git status') })
  })

  test('a line of the shell becomes context, and a file that is not there is told of', async () => {
    expect(await resolveInput('!ls', KNOWN, seams())).toEqual({
      prompt: '<bash-input>ls</bash-input>\n<bash-stdout>\nran ls\n</bash-stdout>',
      notices: [],
    })
    expect(await resolveInput('look at @no.txt', KNOWN, seams())).toEqual({
      prompt: 'look at @no.txt',
      notices: ['@no.txt is not attached: it does not exist'],
    })
  })
})
