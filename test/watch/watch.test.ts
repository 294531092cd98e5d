import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../schemas/manifest.ts'
import { agent, agentc, project } from '../support/bin.ts'
import { copyOf, link, put, ROOT, saveOver } from '../support/tree.ts'
import { git } from '../support/git.ts'
import { about, type WatchEvent, watching, written } from '../support/watching.ts'

const FILE = '.claude/agents/live.md'
/** All but the one that is off by default. */
const BUILT_IN = readdirSync(join(ROOT, 'agents')).filter((name) => name.endsWith('.md')).length - 1
const live = (turn: number): string => agent('live', 'tools: Read').replace('You are live.', `You are live for the ${turn}th time.`)
const manifestIn = (cwd: string) => readManifest(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8'))
const promptIn = (cwd: string, name = 'live'): string | undefined => manifestIn(cwd).agents.get(name)?.prompt

describe('agentc watch', () => {
  test('case 88: an edit, an override and its removal each give a new manifest; a broken file keeps the last good one', async () => {
    const root = copyOf(join(ROOT, 'test/cases/88-watch-edit-add-delete'))
    execFileSync('sh', ['setup.sh'], { cwd: root })
    const cwd = join(root, 'project')
    mkdirSync(join(cwd, '.git'))
    const base = join(root, 'home/.claude/agents/base.md')
    const watch = await watching(cwd)
    writeFileSync(base, `${readFileSync(base, 'utf8')}One line more.\n`)
    expect((await watch.next(about('base', 'prompt'))).parsed).toBe(1)
    await watch.next(written)
    expect(promptIn(cwd, 'base')).toContain('One line more.')

    put(cwd, '.claude/agents/base.md', agent('base'))
    await watch.next(about('base', 'origin'))
    await watch.next(written)
    expect(manifestIn(cwd).agents.get('base')).toMatchObject({ origin: { source: 'project' }, overrides: [{ source: 'user' }] })
    rmSync(join(cwd, '.claude/agents/base.md'))
    await watch.next(written)
    expect(manifestIn(cwd).agents.get('base')).toMatchObject({ origin: { source: 'user' }, overrides: [] })

    const good = readFileSync(base)
    const manifest = readFileSync(join(cwd, '.agentc/manifest.json'))
    writeFileSync(base, '---\nname: base\n  description: [\n---\n')
    expect(await watch.next(({ errors }) => errors > 0)).toMatchObject({ new: [{ file: '~/.claude/agents/base.md' }] })
    expect(await watch.next(({ event }) => event === 'manifest')).toMatchObject({ state: 'kept', reason: 'there is an error' })
    expect(readFileSync(join(cwd, '.agentc/manifest.json')).equals(manifest)).toBe(true)
    expect(await watch.quiet(1000)).toBe(true)
    writeFileSync(base, good)
    expect((await watch.next(({ gone }) => gone?.length > 0)).errors).toBe(0)
    utimesSync(base, 1000, 1000)
    await watch.next(({ event }) => event === 'manifest')
    expect(await watch.quiet(1000)).toBe(true)
    expect(readFileSync(join(cwd, '.agentc/manifest.json')).equals(manifest)).toBe(true)
  })

  test('instructions that come, change and go are told, imports too, without an agent being parsed again', async () => {
    const cwd = project({ [FILE]: live(0) })
    const watch = await watching(cwd)
    const told = (words: string) => (event: WatchEvent) => event.changes?.some(({ message }) => message === `instructions ${words}`)
    put(cwd, 'CLAUDE.md', 'See @docs/style.md.\n')
    expect((await watch.next(told('added: CLAUDE.md (project)'))).parsed).toBe(0)
    put(cwd, 'docs/style.md', 'Two spaces.\n')
    await watch.next(told('added: docs/style.md (project)'))
    put(cwd, 'docs/style.md', 'Four spaces.\n')
    await watch.next(told('changed: docs/style.md (project)'))
    await watch.next(written)
    expect(manifestIn(cwd).header.instructions!.files.map(({ origin }) => origin.path)).toEqual(['docs/style.md', 'CLAUDE.md'])
    rmSync(join(cwd, 'CLAUDE.md'))
    await watch.next(told('removed: CLAUDE.md (project), docs/style.md (project)'))
    await watch.next(written)
    expect(manifestIn(cwd).header.instructions).toBeUndefined()
  })

  test('case 89: ten files renamed over the old one are seen, also through a link; a checkout is one or two builds', async () => {
    const cwd = project({ [FILE]: live(0), 'elsewhere/team/linked.md': agent('linked') })
    link(cwd, '.claude/agents/team', '../../elsewhere/team')
    const watch = await watching(cwd)
    for (let turn = 1; turn <= 10; turn++) {
      saveOver(join(cwd, FILE), live(turn))
      await watch.next(about('live', 'prompt'))
      await watch.next(written)
      expect(promptIn(cwd)).toBe(`You are live for the ${turn}th time.`)
    }
    saveOver(join(cwd, 'elsewhere/team/linked.md'), agent('linked', 'tools: Read'))
    await watch.next(about('linked', 'tools'))

    rmSync(join(cwd, '.git'), { recursive: true })
    writeFileSync(join(cwd, '.gitignore'), '.agentc/\n')
    git(cwd, 'init', '-q')
    git(cwd, 'add', '-A')
    git(cwd, 'commit', '-qm', 'few')
    git(cwd, 'checkout', '-qb', 'many')
    for (let i = 0; i < 50; i++) put(cwd, `.claude/agents/more-${i}.md`, agent(`more-${i}`))
    git(cwd, 'add', '-A')
    git(cwd, 'commit', '-qm', 'many')
    await watch.next(({ agents }) => agents === BUILT_IN + 52)
    await watch.next(written)
    expect(await watch.quiet(1500)).toBe(true)
    const before = watch.events.length
    git(cwd, 'checkout', '-q', '-')
    await watch.next(about('more-49', 'agent', 'removed'))
    await watch.next(written)
    expect(await watch.quiet(1500)).toBe(true)
    expect(watch.events.slice(before).filter(({ event }) => event === 'changed').length).toBeLessThanOrEqual(2)
  })

  test('what editors leave beside a file is no news', async () => {
    const cwd = project({ [FILE]: live(0) })
    const watch = await watching(cwd)
    for (const name of ['4913', '.live.md.swp', 'live.md~', '#live.md#']) {
      writeFileSync(join(cwd, '.claude/agents', name), live(1))
      if (name === '4913') rmSync(join(cwd, '.claude/agents', name))
    }
    expect(await watch.quiet(1500)).toBe(true)
  })

  test('folders that come later, are renamed, removed and put back are followed', async () => {
    const cwd = project({})
    const watch = await watching(cwd)
    put(cwd, FILE, live(0))
    await watch.next(about('live', 'agent', 'added'))
    put(cwd, '.claude/agents/deep/down/inner.md', agent('inner'))
    await watch.next(about('inner', 'agent', 'added'))
    renameSync(join(cwd, '.claude/agents/deep'), join(cwd, '.claude/agents/moved'))
    await watch.next(about('inner', 'origin'))
    put(cwd, '.claude/agents/moved/down/inner.md', agent('inner', 'tools: Read'))
    await watch.next(about('inner', 'tools'))
    rmSync(join(cwd, '.claude'), { recursive: true })
    await watch.next(about('live', 'agent', 'removed'))
    put(cwd, FILE, live(1))
    await watch.next(about('live', 'agent', 'added'))
    put(cwd, FILE, live(2))
    await watch.next(about('live', 'prompt'))
    put(cwd, '../home/.claude/agents/mine.md', agent('mine'))
    await watch.next(about('mine', 'agent', 'added'))
    put(cwd, '../home/.claude/agents/mine.md', agent('mine', 'tools: Read'))
    await watch.next(about('mine', 'tools'))
  })

  test('a project that is removed is not written back, and is there again when it comes back', async () => {
    const cwd = project({ [FILE]: live(0) })
    const watch = await watching(cwd)
    renameSync(cwd, `${cwd}-away`)
    await watch.next(about('live', 'agent', 'removed'))
    expect(await watch.next(({ event }) => event === 'manifest')).toMatchObject({
      state: 'kept',
      reason: 'the folder of the project is gone',
    })
    expect(existsSync(cwd)).toBe(false)
    mkdirSync(join(cwd, '.git'), { recursive: true })
    put(cwd, FILE, live(1))
    await watch.next(about('live', 'agent', 'added'))
    put(cwd, FILE, live(2))
    await watch.next(about('live', 'prompt'))
  })

  test('a thousand files at once are all there at the end, and the last of many changes to one file wins', async () => {
    const cwd = project({ [FILE]: live(0) })
    const watch = await watching(cwd)
    for (let i = 0; i < 1000; i++) {
      put(cwd, `.claude/agents/many/m${i}.md`, agent(`m${i}`))
      if (i % 10 === 0) put(cwd, FILE, live(i))
    }
    await watch.next(({ event, agents }) => event === 'changed' && agents === BUILT_IN + 1001)
    await watch.next(written)
    expect(await watch.quiet(2000)).toBe(true)
    expect(promptIn(cwd)).toBe('You are live for the 990th time.')
    const ran = await agentc(['build', '--check', '--managed-dir', join(cwd, '../managed')], { cwd })
    expect(ran).toMatchObject({ code: 0, err: '' })
  })

  test('settings count at once, and the next build has nothing to do', async () => {
    const cwd = project({ [FILE]: agent('live', 'tools: Read, Bash') })
    const watch = await watching(cwd)
    put(cwd, '.claude/settings.json', '{ "permissions": { "deny": ["Bash"] } }')
    await watch.next(about('live', 'tools', 'removed'))
    await watch.next(written)
    expect(await watch.quiet(2500)).toBe(true)
    const { mtimeMs } = statSync(join(cwd, '.agentc/inputs.json'))
    const ran = await agentc(['build', '--managed-dir', join(cwd, '../managed')], { cwd })
    expect(ran.out).toContain('unchanged: .agentc/manifest.json')
    expect(statSync(join(cwd, '.agentc/inputs.json')).mtimeMs).toBeGreaterThanOrEqual(mtimeMs)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends it at once with exit code %d, and leaves nothing behind', async (signal, code) => {
    const cwd = project({ [FILE]: live(0) })
    const watch = await watching(cwd)
    put(cwd, FILE, live(1))
    await watch.next(about('live', 'prompt'))
    const ended = await watch.end(signal)
    expect(ended).toMatchObject({ code, err: '' })
    expect(ended.took).toBeLessThan(2000)
    expect(readdirSync(join(cwd, '.agentc')).sort()).toEqual(expect.arrayContaining(['.gitignore', 'manifest.json']))
    expect(readdirSync(join(cwd, '.agentc')).filter((name) => name.includes('.tmp-'))).toEqual([])
  })

  test('arguments are refused as wrong usage', async () => {
    const ran = await agentc(['watch', 'here'], { cwd: project({}) })
    expect(ran).toMatchObject({ code: 2, out: '' })
  })
})
