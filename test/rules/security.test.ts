import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { hiddenIn } from '../../compiler/rules/invisible.ts'
import { masked, withReferences } from '../../compiler/secret/mask.ts'
import { agent, agentc, project } from '../support/bin.ts'
import { LETTERS, SECRETS } from '../support/secrets.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

/** What a finding calls each. */
const KINDS: readonly (readonly [kind: string, text: string])[] = [
  ['an AWS access key', SECRETS.aws],
  ['an Anthropic API key', SECRETS.anthropic],
  ['an OpenAI API key', SECRETS.openai],
  ['an API key', SECRETS['openai-old']],
  ['a GitHub token', SECRETS.github],
  ['a GitHub token', SECRETS['github-pat']],
  ['a GitLab token', SECRETS.gitlab],
  ['a Slack token', SECRETS.slack],
  ['a Google API key', SECRETS.google],
  ['a Stripe key', SECRETS.stripe],
  ['an npm token', SECRETS.npm],
  ['a Hugging Face token', SECRETS.huggingface],
  ['a JSON Web Token', SECRETS.jwt],
]

describe('plain secrets', () => {
  test.each(KINDS)('%s is hidden behind as many characters (%#)', (kind, text) => {
    for (const around of [`token: ${text}\nnext`, `"${text}"`, `Bearer ${text}`, String.raw`{"a":"x\n${text}"}`]) {
      const { text: shown, secrets } = masked(around)
      expect(secrets.map((secret) => secret.kind)).toEqual([kind])
      expect(shown).not.toContain(text)
      expect(shown).toHaveLength(around.length)
      expect(around.slice(...secrets[0]!.range)).toBe(text)
    }
  })

  test('a private key loses its body and keeps its lines', () => {
    const body = [LETTERS, LETTERS, `${LETTERS}==`].join('\n  ')
    const text = `a: |\n  -----BEGIN RSA PRIVATE KEY-----\n  ${body}\n  -----END RSA PRIVATE KEY-----\nb: 1\n`
    const { text: shown, secrets } = masked(text)
    expect(secrets.map(({ kind }) => kind)).toEqual(['a private key'])
    expect(shown).not.toContain(LETTERS)
    expect(shown.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length))
    expect(shown).toContain('-----END RSA PRIVATE KEY-----\nb: 1\n')
  })

  test.each([
    'AKIAIOSFODNN7EXAMPLE',
    'sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx',
    'sk-your-key-goes-in-this-place-here',
    'task-decomposer-and-reviewer-agent',
    'ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '${AWS_ACCESS_KEY_ID}',
    'AKIA[0-9A-Z]{16}',
    '-----BEGIN PRIVATE KEY-----',
  ])('%s is none', (text) => {
    expect(masked(`key: ${text} and more\n`).secrets).toEqual([])
  })

  test('what a server is given in place of a secret is a reference that has no value', () => {
    const secret = SECRETS.github
    expect(withReferences({ headers: { Authorization: masked(`Bearer ${secret}`).text }, args: ['-v'] })).toEqual({
      headers: { Authorization: 'Bearer ${AGENTC_REDACTED}' },
      args: ['-v'],
    })
  })

  test('a text of beginnings of secrets is read in linear time', () => {
    const started = performance.now()
    for (const piece of ['eyJ', 'sk-ant-', 'eyJaaaaaaaaaa.', '-----BEGIN PRIVATE KEY-----\\n', 'AKIA', 'xoxb-a'])
      masked(piece.repeat(40_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('no planted secret comes out anywhere: report in four formats, manifest, inputs, explain, list, --agents', async () => {
    const lines = KINDS.map(([, text], i) => `        KEY_${i}: "${text}"`)
    const cwd = project({
      '.claude/agents/leaky.md': agent('leaky', 'colour: 1', 'mcpServers:', '  - db:', '      command: db', '      env:', ...lines),
      '.claude/agents/prompt.md': `${agent('prompt', 'tools: Read, Raed')}\nUse ${SECRETS.github} to log in.\n`,
      '.claude/agents/broken.md': `---\nname: broken\ntoken: ${SECRETS.anthropic}: x\n  y: z\n---\n\nWorks.\n`,
    })
    const flag = JSON.stringify({ quick: { description: `Has ${SECRETS.openai}.`, prompt: `Use ${SECRETS['github-pat']}.` } })
    const texts: string[] = []
    for (const argv of [
      ...['pretty', 'json', 'github', 'sarif'].map((format) => ['build', '--format', format]),
      ['build', '--keep-going'],
      ['explain', 'leaky', '--format', 'json'],
      ['explain', 'leaky'],
      ['explain', 'prompt'],
      ['explain', 'broken'],
      ['list', '--format', 'json'],
      ['list'],
    ]) {
      const { out, err } = await agentc([...argv, '--agents', flag], { cwd })
      texts.push(out, err)
    }
    texts.push(...['manifest.json', 'inputs.json'].map((name) => readFileSync(join(cwd, '.agentc', name), 'utf8')))
    for (const [, secret] of KINDS) for (const text of texts) expect(text).not.toContain(secret.slice(4, 24))
    expect(texts[0]!.match(/warning\[security\/plain-secret\]/g)!.length).toBeGreaterThanOrEqual(KINDS.length + 3)
    expect(texts.at(-2)).toContain('"KEY_0":"${KEY_0}"')
  })

  test('--fix leaves a file with a secret as it is, so that the mask is never written over it', async () => {
    const text = `\n${agent('a', 'tools: Read', 'mcpServers:', '  - db:', '      command: db', `      env: { K: ${SECRETS.github} }`)}`
    const cwd = project({ '.claude/agents/a.md': text, '.claude/agents/b.md': `\n${agent('b')}` })
    const { out } = await agentc(['build', '--fix'], { cwd })
    expect(out).toContain('fixed 1 finding\n')
    expect(readFileSync(join(cwd, '.claude/agents/a.md'), 'utf8')).toBe(text)
    expect(readFileSync(join(cwd, '.claude/agents/b.md'), 'utf8')).toBe(agent('b'))
  })

  test('the finding stands at the value, on its own line and column', async () => {
    const secret = SECRETS.aws
    const root = temporary()
    put(
      root,
      'project/.claude/agents/a.md',
      agent('a', 'mcpServers:', '  - db:', '      command: db', '      env:', `        KEY: "${secret}"`),
    )
    const { diagnostics } = await compile(optionsFor(root))
    const found = diagnostics.filter(({ code }) => code === 'security/plain-secret')
    expect(found).toHaveLength(1)
    expect(found[0]!.at.text.slice(0, found[0]!.at.range[0])).toMatch(/ {8}KEY: "$/)
    expect(found[0]!.at.range[1] - found[0]!.at.range[0]).toBe(secret.length)
  })
})

describe('characters that nobody sees', () => {
  test.each([
    ['emoji with joiners and selectors', '👩‍💻 👨‍👩‍👧‍👦 ❤️ 🏳️‍🌈 👩🏽‍🚀 1️⃣ ©️ 🫱🏻‍🫲🏿'],
    ['the flag of a region', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian with non-joiners', 'می\u200cخواهم نمی\u200cدانم'],
    ['Hindi and Sinhala with joiners', 'क्\u200dष ශ්\u200dරී ക്\u200c'],
    ['marks beside right-to-left letters', 'שפת C++\u200e היא נוחה\u200f'],
    ['isolates that are closed on a line of Arabic', 'قال \u2068agentc\u2069 نعم'],
    ['Thai with breaks', 'ภาษา\u200bไทย'],
    ['an ideograph with a selector', '葛\u{e0100}'],
    ['one space that was left behind when copying', 'x = "${path}\u200b\\n"'],
    ['a soft hyphen', 'Donau\u00addampf'],
  ])('%s are legal', (_title, text) => {
    expect(hiddenIn(text)).toEqual([])
  })

  test.each([
    ['a direction override', 'read\u202eti', ['U+202E direction override']],
    ['an override beside right-to-left letters', 'שלום\u202eti', ['U+202E direction override']],
    ['an isolate that stays open', 'שלום\u2067ab', ['U+2067 direction isolate']],
    ['isolates without right-to-left letters', 'a\u2066b\u2069', ['U+2066 direction isolate', 'U+2069 direction isolate']],
    ['a zero-width space in a word', 'igno\u200bre', ['U+200B zero-width space']],
    ['two zero-width spaces', '. \u200b\u200b .', ['U+200B zero-width space', 'U+200B zero-width space']],
    ['a joiner between Latin letters', 'a\u200db', ['U+200D zero-width joiner']],
    ['a direction mark in English', 'a\u200f b', ['U+200F direction mark']],
    ['tags that spell a message', 'Hi\u{e0068}\u{e0069}', ['U+E0068 tag character', 'U+E0069 tag character']],
    ['selectors that carry bytes', '😀\ufe0f\ufe01', ['U+FE01 variation selector']],
    ['supplementary selectors behind an emoji', '😀\u{e0154}', ['U+E0154 variation selector']],
    ['a byte order mark in the middle', 'a\ufeffb', ['U+FEFF zero-width no-break space']],
    ['a Hangul filler', 'a\u3164b', ['U+3164']],
  ])('%s are found', (_title, text, names) => {
    expect(hiddenIn(text).map(({ name }) => name)).toEqual(names)
  })

  test('a file has one finding with all of them, and no report passes them on to the terminal', async () => {
    const cwd = project({ '.claude/agents/a.md': `${agent('a')}\nDo \u202ethis\u202c and \u200bthat\u200b.\n` })
    const { out } = await agentc(['build'], { cwd })
    expect(out.match(/warning\[security\/invisible-text\]/g)).toHaveLength(1)
    expect(out).toContain('4 characters that nobody sees')
    expect(out).not.toMatch(/[\u200b\u202c\u202e]/)
  })
})

describe('second frontmatter and writable code', () => {
  const codesOf = async (text: string): Promise<string[]> => {
    const root = temporary()
    put(root, 'project/.claude/agents/a.md', text)
    return (await compile(optionsFor(root))).diagnostics.map(({ code }) => code)
  }

  test.each([
    ['another frontmatter', '---\nname: b\ntools: Read\n---\n', true],
    ['a rule between paragraphs', '---\n\nYou work.\n\n---\n', false],
    ['a rule before a text with a colon', '---\nYour name: whatever the person says.\n---\n', false],
    ['an example further down', 'Write files like this:\n\n---\nname: b\n---\n', false],
  ])('a body that begins with %s', async (_title, body, found) => {
    expect((await codesOf(`${agent('a').split('\n\n')[0]}\n\n${body}\nYou are a.\n`)).includes('security/second-frontmatter')).toBe(found)
  })

  test.each([
    ['node scripts/check.js', true],
    ['"$CLAUDE_PROJECT_DIR"/tools/check.sh --fast', true],
    ['bash ./check.sh', true],
    ['/tmp/check.sh', true],
    ['python3 .claude/agent-memory/a/x.py', true],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh', false],
    ['.claude/hooks/check.sh', false],
    ['/usr/bin/check', false],
    ['~/bin/check', false],
    ['npx eslint src/', false],
    ['curl https://example.com/a', false],
  ])('a hook that runs `%s`', async (command, found) => {
    const hooks = [
      'hooks:',
      '  PreToolUse:',
      '    - matcher: Bash',
      '      hooks:',
      '        - type: command',
      `          command: '${command}'`,
    ]
    expect((await codesOf(agent('a', ...hooks))).includes('security/writable-code')).toBe(found)
    expect(await codesOf(agent('a', 'tools: Read, Grep', ...hooks))).not.toContain('security/writable-code')
    expect(await codesOf(agent('a', 'permissionMode: plan', ...hooks))).not.toContain('security/writable-code')
  })

  test('a server whose program is an argument of an interpreter', async () => {
    const server = ['mcpServers:', '  - db:', '      command: node', '      args: [--enable-source-maps, server/main.js]']
    const root = temporary()
    put(root, 'project/.claude/agents/a.md', agent('a', ...server))
    const { diagnostics } = await compile(optionsFor(root))
    const found = diagnostics.filter(({ code }) => code === 'security/writable-code')
    expect(found.map(({ at }) => at.text.slice(...at.range))).toEqual(['server/main.js'])
  })
})
