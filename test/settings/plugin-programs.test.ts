import { describe, expect, test } from 'vitest'
import { programsNamed } from '../../compiler/rules/plugin-programs.ts'
import { compile } from '../../compiler/compile.ts'
import { headerOf } from '../../compiler/emit/manifest-of.ts'
import { agent } from '../support/bin.ts'
import { sha256 } from '../../schemas/canonical.ts'
import type { HookHandler } from '../../schemas/shapes/hook.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

const NONE = { skills: new Map(), commands: new Map() }
const R = '${CLAUDE_PLUGIN_ROOT}'

function named(handler: HookHandler, of: { plugin?: string } = { plugin: 'kit' }): string[] {
  const origin = { source: 'plugin', path: 'hooks/hooks.json', line: 1, column: 1, ...of } as const
  return programsNamed({ PreToolUse: [{ handlers: [handler], origin }] }, NONE, new Map()).map(({ path }) => path)
}

describe('what the command line of a hook names in the folder of its plugin', () => {
  test.each<[string, string[]]>([
    [`${R}/a.sh`, ['a.sh']],
    ['$CLAUDE_PLUGIN_ROOT/a.sh --fast', ['a.sh']],
    [`"${R}"/bin/a.sh`, ['bin/a.sh']],
    [`python3 '${R}/my hooks/a.py' && ${R}/b.sh; cat <${R}/c.txt`, ['my hooks/a.py', 'my', 'b.sh', 'c.txt']],
    [`node --import=${R}/hook.mjs "${R}/a.js"`, ['hook.mjs', 'a.js']],
    [`bash -c "${R}/a.sh --fast | ${R}/b.sh"`, ['a.sh --fast | ', 'a.sh', 'b.sh']],
    [`PATH=${R}/bin:$PATH run`, ['bin']],
    [`echo x >> ${R}/log; ${R}/a.sh > "${R}/out" 2>${R}/err`, ['a.sh']],
    [`${R}/$NAME.sh ${R}/*.sh ${R}`, []],
    ['$CLAUDE_PLUGIN_ROOTS/a.sh ./b.sh /c.sh', []],
  ])('%s', (command, paths) => {
    expect(named({ type: 'command', command })).toEqual(paths)
  })

  test('arguments are taken as they are; handlers that run nothing and hooks of no plugin name nothing', () => {
    expect(named({ type: 'command', command: 'node', args: [`${R}/my hook.js`, 'x'] })).toEqual(['my hook.js', 'my'])
    expect(named({ type: 'prompt', prompt: `Read ${R}/a.sh` })).toEqual([])
    expect(named({ type: 'command', command: `${R}/a.sh` }, {})).toEqual([])
  })
})

test('files are hashed, however large and whatever they hold; what is none, leads out of the folder or is not there is not', async () => {
  const root = temporary()
  const big = 'x'.repeat(3_000_000)
  put(root, 'kit/.claude-plugin/plugin.json', '{"name":"kit"}')
  put(root, 'kit/big.bin', `\u0000${big}`)
  put(root, 'kit/lib/x.sh', '')
  put(root, 'other.sh', '')
  const commands = [`${R}/big.bin ${R}/lib ${R}/none.sh ${R}/../other.sh ${R}/lib/../lib/x.sh`]
  const hooks = { Stop: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] }
  put(root, 'kit/hooks/hooks.json', JSON.stringify({ hooks }))
  put(root, 'kit/skills/s/SKILL.md', skillWith(`${R}/lib/x.sh`))
  const compilation = await compile(optionsFor(root, { pluginDirs: [`${root}/kit`] }))
  const { files } = headerOf(compilation).plugins!.kit!
  expect(Object.keys(files)).toEqual(['big.bin', 'hooks/hooks.json', 'lib/x.sh', 'skills/s/SKILL.md'])
  expect(files['big.bin']).toBe(sha256(`\u0000${big}`))
  const looked = compilation.discovery.inputs.map(({ path, kind }) => `${kind} ${path.slice(root.length + 1)}`)
  for (const input of ['file kit/big.bin', 'folder kit/lib', 'absent kit/none.sh', 'file kit/lib/x.sh']) expect(looked).toContain(input)
})

test('a plugin whose hooks run nothing from its folder is known by the files of its parts', async () => {
  const root = temporary()
  put(root, 'project/.claude/agents/a.md', agent('a'))
  put(root, 'kit/.claude-plugin/plugin.json', '{"name":"kit"}')
  put(root, 'kit/run.sh', '')
  put(root, 'kit/hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: './run.sh' }] }] } }))
  const compilation = await compile(optionsFor(root, { pluginDirs: [`${root}/kit`] }))
  expect(Object.keys(headerOf(compilation).plugins!.kit!.files)).toEqual(['hooks/hooks.json'])
})

function skillWith(command: string): string {
  const hooks = ['hooks:', '  Stop:', '    - hooks:', `        - { type: command, command: '${command}' }`]
  return ['---', 'description: A skill', ...hooks, '---', 'Text.', ''].join('\n')
}
