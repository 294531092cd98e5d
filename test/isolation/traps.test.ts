import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { agent, agentc } from '../support/bin.ts'
import { link, put, temporary } from '../support/tree.ts'

/** Issue 4: no code of the compiled project runs while it is compiled, whatever stands where. */

const root = temporary()
const cwd = join(root, 'project')
const fired = join(root, 'fired')
/** Each trap writes its name into a file of its own. */
const shell = (name: string): string => `mkdir -p ${fired} && touch ${fired}/${name}`
const script = (name: string): string => `#!/bin/sh\n${shell(name)}\n`
const js = (name: string): string =>
  `require('node:fs').mkdirSync(${JSON.stringify(fired)},{recursive:true});require('node:fs').writeFileSync(${JSON.stringify(join(fired, name))},'')`
const handler = (name: string) => [{ hooks: [{ type: 'command', command: shell(name) }] }]

const FILES: Record<string, string> = {
  'project/.claude/agents/engine-js.md': `---js\n(${js('engine-js')}, {name:'engine-js',description:'x'})\n---\nText.\n`,
  'project/.claude/agents/engine-coffee.md': `---coffee\n${js('engine-coffee')}\n---\nText.\n`,
  'project/.claude/agents/tags.md': `---\nname: tags\ndescription: x\ninitialPrompt: !!js/function >\n  function () { ${js('yaml-function')} }\nmemory: !!python/object/apply:os.system ["${shell('yaml-python')}"]\n---\nText.\n`,
  'project/.claude/agents/inline.md': agent(
    'inline',
    'mcpServers:',
    '  - own:',
    '      command: sh',
    `      args: [-c, "${shell('inline-server')}"]`,
    'hooks:',
    '  SessionStart:',
    `    - hooks: [{ command: "${shell('agent-hook')}" }]`,
  ),
  'project/.claude/agents/shell.md': `---\nname: shell\ndescription: "$(${shell('substitution')})"\n---\n!\`${shell('prompt-shell')}\`\n`,
  'project/.claude/skills/s/SKILL.md': `---\nname: s\ndescription: A skill.\nhooks:\n  Stop:\n    - hooks: [{ command: "${shell('skill-hook')}" }]\n---\n!\`${shell('skill-shell')}\`\n`,
  'project/.claude/skills/j/SKILL.md': `---js\n${js('skill-engine')}\n---\nText.\n`,
  'project/.claude/commands/c.md': `---json5\n${js('command-engine')}\n---\n!\`${shell('command-shell')}\`\n`,
  'project/.claude/settings.json': JSON.stringify({
    hooks: Object.fromEntries(
      ['SessionStart', 'Setup', 'ConfigChange', 'InstructionsLoaded'].map((event) => [event, handler(`settings-${event}`)]),
    ),
    apiKeyHelper: shell('api-key-helper'),
    awsAuthRefresh: shell('aws-auth'),
    otelHeadersHelper: shell('otel-headers'),
    statusLine: { type: 'command', command: shell('status-line') },
    fileSuggestion: { type: 'command', command: shell('file-suggestion') },
    env: { NODE_OPTIONS: `--require ${join(cwd, 'preload.cjs')}`, GIT_SSH_COMMAND: shell('git-ssh'), BASH_ENV: join(cwd, 'bashenv') },
  }),
  'project/.mcp.json': JSON.stringify({
    mcpServers: {
      stdio: { command: 'sh', args: ['-c', shell('mcp-stdio')] },
      http: { type: 'http', url: 'http://127.0.0.1:9/', headersHelper: shell('headers-helper') },
    },
  }),
  'project/.claude/tools/trap.ts': `/** A tool. */\n${js('typescript-tool').replaceAll('require', '(globalThis as any).process.getBuiltinModule')}\nexport default async function trap(input: { a: string }) { return input.a }\n`,
  'project/.claude/tools/tsconfig.json': '{ "compilerOptions": { "plugins": [{ "name": "../../plugin.cjs" }] } }',
  'project/plugin.cjs': js('ts-plugin'),
  'project/preload.cjs': js('preload'),
  'project/bashenv': shell('bash-env'),
  'project/package.json': JSON.stringify({
    name: 'trap',
    type: 'commonjs',
    main: './index.cjs',
    scripts: Object.fromEntries(['preinstall', 'prepare', 'prebuild', 'build', 'test'].map((name) => [name, shell(`npm-${name}`)])),
  }),
  'project/index.cjs': js('main'),
  'project/.npmrc': `node-options=--require ${join(cwd, 'preload.cjs')}\nscript-shell=${join(cwd, 'node_modules/.bin/sh')}\n`,
  'project/.envrc': shell('envrc'),
  'project/.env': `NODE_OPTIONS=--require ${join(cwd, 'preload.cjs')}\n`,
  'project/agentc.config.js': js('config'),
  'project/node_modules/yaml/index.js': js('node-module'),
  'project/node_modules/yaml/package.json': '{"name":"yaml","main":"index.js"}',
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.git/config': `[core]\n\tfsmonitor = ${shell('fsmonitor')}\n\thooksPath = hooks\n\tsshCommand = ${shell('ssh')}\n\tpager = ${shell('pager')}\n[filter "x"]\n\tsmudge = ${shell('smudge')}\n\tclean = ${shell('clean')}\n\trequired = true\n[diff "x"]\n\ttextconv = ${shell('textconv')}\n\tcommand = ${shell('diff-driver')}\n[alias]\n\tstatus = !${shell('alias')}\n`,
  'project/.gitattributes': '* filter=x diff=x\n',
  'kit/hooks/hooks.json': JSON.stringify({ hooks: { SessionStart: handler('plugin-hook') } }),
  'kit/.mcp.json': JSON.stringify({ mcpServers: { p: { command: 'sh', args: ['-c', shell('plugin-server')] } } }),
  'kit/agents/p.md': `---js\n${js('plugin-engine')}\n---\nText.\n`,
}

/** Scripts that are named by where they lie. */
const EXECUTABLE = [
  ...['git', 'sh', 'bash', 'node', 'npx', 'npm', 'tsc', 'agentc', 'rg', 'env'].map((name) => `project/node_modules/.bin/${name}`),
  ...['post-checkout', 'pre-commit', 'fsmonitor-watchman', 'post-index-change'].map((name) => `project/.git/hooks/${name}`),
]

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) put(root, path, text)
  for (const path of EXECUTABLE) {
    put(root, path, script(path.replaceAll('/', '-')))
    chmodSync(join(root, path), 0o755)
  }
  link(root, 'project/.claude/agents/linked.md', '../../node_modules/.bin/sh')
})

/** The trapped folder comes first on the path, as `npx` and `direnv` make it. */
const env = { PATH: `${join(cwd, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` }
const run = (...argv: string[]) => agentc([...argv, '--plugin-dir', '../kit'], { cwd, env })

describe('no code of the compiled project runs', () => {
  test.each([
    ['build', ['build', '--keep-going']],
    ['build for another program', ['build', '--target', 'claude-code']],
    ['build --check', ['build', '--check', '--keep-going']],
    ['list', ['list']],
    ['explain', ['explain', 'inline']],
    ['types', ['types']],
  ])('in `agentc %s`', async (_title, argv) => {
    const { code, out } = await run(...argv)
    expect(code).not.toBe(70)
    expect(out).not.toBe('')
    expect(existsSync(fired)).toBe(false)
  })

  test('what is refused is said: other languages than YAML, and what a tool does outside its function', async () => {
    const { out } = await run('build', '--keep-going', '--format', 'json')
    const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string; file: string }[] }
    const about = (file: string): string[] => diagnostics.filter((item) => item.file.endsWith(file)).map(({ code }) => code)
    expect(about('engine-js.md')).toContain('yaml/language')
    expect(about('engine-coffee.md')).toContain('yaml/language')
    expect(about('tags.md')).not.toEqual([])
    expect(existsSync(fired)).toBe(false)
  })

  test('and the traps are sharp', () => {
    spawnSync('/bin/sh', ['-c', shell('proof')])
    expect(existsSync(join(fired, 'proof'))).toBe(true)
    spawnSync(process.execPath, [join(cwd, 'preload.cjs')])
    expect(existsSync(join(fired, 'preload'))).toBe(true)
    spawnSync(join(cwd, 'node_modules/.bin/git'), { env: { PATH: process.env['PATH'] ?? '' } })
    expect(existsSync(join(fired, 'project-node_modules-.bin-git'))).toBe(true)
  })
})
