import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readManifest } from '../../schemas/manifest.ts'
import { agent, agentc, agents, project } from '../support/bin.ts'
import { ROOT } from '../support/tree.ts'

const manifestOf = (cwd: string): string => join(cwd, '.agentc/manifest.json')
const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/report.schema.json'), 'utf8')) as object

const GOOD = agents({ reviewer: ['tools: Read, Grep'], writer: [] })

describe('agentc build', () => {
  test('writes a manifest once, keeps .agentc out of git, and leaves what has not changed alone', async () => {
    const cwd = project(GOOD)
    const first = await agentc(['build'], { cwd })
    expect(first).toEqual({ code: 0, out: '7 agents: no findings\nwrote .agentc/manifest.json\n', err: '' })
    expect(readManifest(readFileSync(manifestOf(cwd), 'utf8')).names).toContain('reviewer')
    expect(readFileSync(join(cwd, '.agentc/.gitignore'), 'utf8')).toBe('*\n')
    const { mtimeMs } = statSync(manifestOf(cwd))
    const second = await agentc(['build'], { cwd })
    expect(second).toEqual({ code: 0, out: '7 agents: no findings\nunchanged: .agentc/manifest.json\n', err: '' })
    expect(statSync(manifestOf(cwd)).mtimeMs).toBe(mtimeMs)
    expect(readdirSync(join(cwd, '.agentc')).sort()).toEqual(['.gitignore', 'inputs.json', 'manifest.json'])
  })

  test('--check writes nothing, and says who gained or lost which tool', async () => {
    const cwd = project(GOOD)
    const none = await agentc(['build', '--check'], { cwd })
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining('there is no manifest at .agentc/manifest.json') as string })
    expect(existsSync(join(cwd, '.agentc'))).toBe(false)

    await agentc(['build'], { cwd })
    expect(await agentc(['build', '--check'], { cwd })).toMatchObject({ code: 0, out: expect.stringContaining('up to date') as string })

    const before = readFileSync(manifestOf(cwd), 'utf8')
    writeFileSync(join(cwd, '.claude/agents/reviewer.md'), agent('reviewer', 'tools: Read, Bash', 'maxTurns: 3'))
    writeFileSync(join(cwd, '.claude/agents/tester.md'), agent('tester'))
    const stale = await agentc(['build', '--check'], { cwd })
    expect(stale.code).toBe(1)
    expect(stale.out).toContain('stale: .agentc/manifest.json; run `agentc build`')
    expect(stale.out).toContain('! reviewer: gains Bash')
    expect(stale.out).toContain('~ reviewer: loses Grep')
    expect(stale.out).toContain('~ reviewer: maxTurns: none → 3')
    expect(stale.out).toContain('! tester: is new (.claude/agents/tester.md)')
    expect(readFileSync(manifestOf(cwd), 'utf8')).toBe(before)
  })

  test('writes no manifest while there is an error; --keep-going writes one without the broken agents', async () => {
    const cwd = project({ ...GOOD, '.claude/agents/broken.md': '---\nname: broken\n---\n\nYou work.\n' })
    const strict = await agentc(['build'], { cwd })
    expect(strict.code).toBe(1)
    expect(strict.out).toContain('error[field/missing-description]')
    expect(strict.out).toContain('no manifest was written, because of 1 error')
    expect(existsSync(manifestOf(cwd))).toBe(false)

    const going = await agentc(['build', '--keep-going'], { cwd })
    expect(going.code).toBe(1)
    expect(going.out).toContain('left out: broken\nwrote .agentc/manifest.json')
    const { names } = readManifest(readFileSync(manifestOf(cwd), 'utf8'))
    expect(names).toContain('reviewer')
    expect(names).not.toContain('broken')
    expect((await agentc(['build', '--keep-going', '--check'], { cwd })).code).toBe(1)
  })

  test('--strict fails on warnings, which pass otherwise', async () => {
    const cwd = project(agents({ reviewer: ['tools: Read, Grpe'] }))
    expect((await agentc(['build'], { cwd })).code).toBe(0)
    expect((await agentc(['build', '--strict'], { cwd })).code).toBe(1)
  })

  test('--format json gives what schemas/report.schema.json describes, and nothing else on standard output', async () => {
    const cwd = project(
      agents({ reviewer: ['tools: Read, Grpe', 'disallowedTools: Read'], other: ['color: beige', 'disallowedTools: bash'] }),
    )
    const { code, out, err } = await agentc(['build', '--format', 'json'], { cwd })
    const report = JSON.parse(out) as { diagnostics: { code: string }[]; summary: object }
    const validate = new Ajv({ strict: false }).compile(schema)
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(code).toBe(1)
    expect(err).toBe('no manifest was written, because of 1 error\n')
    expect(report.summary).toEqual({ agents: 7, errors: 1, warnings: 2, infos: 1 })
    expect(report.diagnostics.map((item) => item.code).sort()).toEqual([
      'field/color',
      'tool/denies-nothing',
      'tool/granted-and-denied',
      'tool/unknown',
    ])
    expect(report.diagnostics.find((item) => item.code === 'tool/unknown')).toMatchObject({
      file: '.claude/agents/reviewer.md',
      range: { start: { line: 4, column: 14 }, end: { line: 4, column: 18 } },
      help: 'Did you mean `Grep`?',
    })
  })

  test('--out and --layers give a file to commit, with nothing of this machine beside it', async () => {
    const cwd = project(GOOD)
    const ran = await agentc(['build', '--layers', 'project', '--out', 'agents.lock.json'], { cwd })
    expect(ran).toEqual({ code: 0, out: '2 agents: no findings\nwrote agents.lock.json\n', err: '' })
    expect(readManifest(readFileSync(join(cwd, 'agents.lock.json'), 'utf8')).names).toEqual(['reviewer', 'writer'])
    expect(readdirSync(cwd).sort()).toEqual(['.claude', '.git', 'agents.lock.json'])
    mkdirSync(join(cwd, 'sub'))
    const below = await agentc(['build', '--project', '..', '--layers', 'project', '--out', '../agents.lock.json', '--check'], {
      cwd: join(cwd, 'sub'),
    })
    expect(below).toMatchObject({ code: 0, out: expect.stringContaining('up to date: ../agents.lock.json') as string })
  })

  test('an output folder that cannot be written is one sentence, not a stack', async () => {
    const cwd = project({ ...GOOD, taken: 'a file\n', 'folder/inside': '' })
    const inFile = await agentc(['build', '--out', 'taken/manifest.json'], { cwd })
    expect(inFile).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^taken\/manifest\.json cannot be written \(E\w+\)$/m) as string,
      err: '',
    })
    const onFolder = await agentc(['build', '--out', 'folder'], { cwd })
    expect(onFolder).toMatchObject({ code: 1, out: expect.stringMatching(/^folder cannot be written \(E\w+\)$/m) as string, err: '' })
    expect(readdirSync(cwd).sort()).toEqual(['.claude', '.git', 'folder', 'taken'])
  })

  test('what is no file is not replaced by one: a socket, a device, standard output', async () => {
    const cwd = project(GOOD)
    const socket = join(cwd, 'socket')
    const server = createServer().listen(socket)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    for (const command of ['build', 'types']) {
      const ran = await agentc([command, '--out', 'socket'], { cwd })
      expect(ran.code).toBe(1)
      expect(ran.out + ran.err).toContain('socket cannot be written (it is no regular file)')
      expect(lstatSync(socket).isSocket()).toBe(true)
    }
    symlinkSync('/proc/self/fd/1', join(cwd, 'stdout'))
    const stdout = openSync(join(cwd, 'report.txt'), 'w')
    expect((await agentc(['build', '--out', 'stdout'], { cwd, stdout })).code).toBe(1)
    closeSync(stdout)
    expect(lstatSync(join(cwd, 'stdout')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(cwd, 'report.txt'), 'utf8')).toContain('stdout cannot be written (it is no regular file)')
  })

  test('--check does not pass where there is no manifest to compare: for another target it is wrong usage', async () => {
    const cwd = project(GOOD)
    const ran = await agentc(['build', '--check', '--target', 'claude-code'], { cwd })
    const err = expect.stringContaining('--check compares the manifest, and for --target claude-code there is none.') as string
    expect(ran).toMatchObject({ code: 2, out: '', err })
    expect((await agentc(['build', '--target', 'claude-code'], { cwd })).code).toBe(0)
  })

  test('--max-warnings fails on more warnings than it allows and says so, and not on as many', async () => {
    const cwd = project(agents({ reviewer: ['tools: Read, Grpe'] }))
    expect(await agentc(['build', '--max-warnings', '1'], { cwd })).toMatchObject({ code: 0, err: '' })
    const err = '1 warning, more than the 0 that --max-warnings allows\n'
    expect(await agentc(['build', '--max-warnings', '0'], { cwd })).toMatchObject({ code: 1, err })
    expect(await agentc(['build', '--max-warnings', 'few'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--max-warnings takes a number, but got "few".') as string,
    })
  })

  test('--check writes nothing, and for that refuses to be given together with --fix', async () => {
    const cwd = project(agents({ reviewer: ['tools: Read, Grpe'] }))
    const file = join(cwd, '.claude/agents/reviewer.md')
    const before = readFileSync(file, 'utf8')
    const ran = await agentc(['build', '--check', '--fix'], { cwd })
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--check writes nothing') as string })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(existsSync(join(cwd, '.agentc'))).toBe(false)
  })

  test('wrong usage is exit code 2 and names what is wrong', async () => {
    const cwd = project({ 'notes.txt': '' })
    const wrong: [string[], string][] = [
      [['build', '--frmat', 'json'], "Unknown option '--frmat'"],
      [['build', 'reviewer'], 'build takes no arguments, but got "reviewer".'],
      [['build', '--format', 'xml'], 'There is no format "xml" here'],
      [['build', '--layers', 'project,plugins'], 'There is no layer "plugins"; the layers are builtin, plugin'],
      [['build', '--layers', ''], '--layers takes a list of builtin, plugin, user, project, flag, policy, but got "".'],
      [['build', '--project', 'nowhere'], 'The folder nowhere does not exist.'],
      [['build', '--project', 'notes.txt'], 'notes.txt is a file, and no folder.'],
      [['build', '--color', 'yes'], '--color takes auto, always or never.'],
    ]
    const all = await Promise.all(wrong.map(([argv]) => agentc(argv, { cwd })))
    for (const [i, ran] of all.entries()) {
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toContain(wrong[i]![1])
      expect(ran.err).toContain('See `agentc build --help`.')
    }
    expect(existsSync(join(cwd, '.agentc'))).toBe(false)
  })
})
