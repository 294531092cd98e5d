// Real repositories, clean and hostile; long because each needs its own setting.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent, agentc, ended, start } from '../support/bin.ts'
import { link, put, temporary } from '../support/tree.ts'
import { repository, type TestRepository } from './repository.ts'

const REVIEWER = '.claude/agents/reviewer.md'
const clean = (name: string) => ({ code: 0, out: `${name} → working tree: no difference\n`, err: '' })

describe('agentc diff between git revisions', () => {
  test('one revision is compared with the working tree, two with each other', async () => {
    const repo = repository()
    const first = repo.git('rev-parse', 'HEAD')
    expect(await repo.diff(['main'])).toEqual(clean('main'))
    repo.put(REVIEWER, agent('reviewer', 'tools: Read, Bash'))
    repo.put('.claude/agents/new.md', agent('new', 'tools: Grep'))
    const { code, out } = await repo.diff(['main'])
    expect(code).toBe(0)
    expect(out).toBe('main → working tree: 2 gains of power\n! new: is new (.claude/agents/new.md): Grep\n! reviewer: gains Bash\n')
    repo.commit()
    expect(await repo.diff(['HEAD'])).toEqual(clean('HEAD'))
    expect((await repo.diff(['HEAD~1', 'HEAD'])).out).toContain('HEAD~1 → HEAD: 2 gains')
    expect((await repo.diff(['HEAD', first])).out).toContain('~ reviewer: loses Bash')
    expect((await repo.diff(['HEAD', first.slice(0, 12)])).out).toContain('no gain of power, 2 other changes')
  })

  test('--fail-on-gain ends with 1 for a gain, and with 0 for everything else', async () => {
    const repo = repository()
    expect((await repo.diff(['main', '--fail-on-gain'])).code).toBe(0)
    repo.put(REVIEWER, agent('reviewer', 'tools: ""'))
    expect((await repo.diff(['main', '--fail-on-gain'])).code).toBe(0)
    repo.put(REVIEWER, agent('reviewer', 'tools: Write'))
    expect((await repo.diff(['main', '--fail-on-gain'])).code).toBe(1)
  })

  test('what agentc.config.json asks for is taken from the revision, so that only what changed in it counts', async () => {
    const repo = repository()
    repo.put('agentc.config.json', JSON.stringify({ sandbox: 'required', limits: { usd: 5 } }))
    repo.commit()
    expect(await repo.diff(['HEAD', '--fail-on-gain'])).toEqual(clean('HEAD'))
    repo.put('agentc.config.json', JSON.stringify({ sandbox: 'auto', limits: { usd: 500 } }))
    repo.commit()
    const { code, out } = await repo.diff(['HEAD~1', 'HEAD', '--fail-on-gain'])
    expect(code).toBe(1)
    expect(out).toContain('sandbox')
    expect(out).toContain('usd')
  })

  test('an agent that cannot be compiled is named, and its repair counts as a gain', async () => {
    const repo = repository({ [REVIEWER]: '---\nname: reviewer\n---\n' })
    repo.put(REVIEWER, agent('reviewer', 'tools: Read'))
    const ran = await repo.diff(['main', '--fail-on-gain'])
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('not compared in main (agentc build says why)') as string })
    expect(ran.err).toContain('reviewer')
    expect(ran.out).toContain('! reviewer: is new')
  })

  test('a file that no agent comes of, and that has no error, is not said to have one', async () => {
    const repo = repository({ '.claude/agents/nameless.md': '---\ndescription: Has none.\ntools: Read\n---\nx\n' })
    const { code, out, err } = await repo.diff(['HEAD', '--format', 'markdown'])
    expect({ code, err }).toEqual({
      code: 0,
      err: ['HEAD', 'working tree'].map((side) => `not compared in ${side} (agentc build says why): nameless\n`).join(''),
    })
    expect(out).toContain('\nNot compared (`agentc build` says why): `nameless`\n')
  })

  test('the layers of this machine are the same on both sides', async () => {
    const repo = repository()
    put(repo.base, 'home/.claude/agents/mine.md', agent('mine', 'tools: Bash'))
    put(repo.base, 'kit/.claude-plugin/plugin.json', '{"name": "kit"}')
    put(repo.base, 'kit/agents/helper.md', agent('helper'))
    repo.put('flags.json', '{"given": {"description": "d", "prompt": "p", "tools": ["Bash"]}}')
    repo.put('given.json', '{"permissions": {"allow": ["Bash(ls:*)"]}}')
    const flags = ['--plugin-dir', join(repo.base, 'kit'), '--agents', 'flags.json', '--settings', 'given.json']
    expect(await repo.diff(['main', ...flags])).toEqual(clean('main'))
  })
})

describe('rules of the settings', () => {
  test('are compared like everything else, and settings with errors are named', async () => {
    const file = '.claude/settings.json'
    const repo = repository({ [REVIEWER]: agent('reviewer'), [file]: '{"permissions": {"deny": ["Bash(rm:*)"], "allow": []}}' })
    repo.put(file, '{"permissions": {"deny": [], "allow": ["Bash(ls:*)"]}}')
    const { out } = await repo.diff(['HEAD'])
    expect(out).toContain('! all agents: allow rules added: Bash(ls:*) (project)')
    expect(out).toContain('! all agents: deny rules removed: Bash(rm:*) (project)')
    repo.put(file, '{"permissions": ')
    expect((await repo.diff(['HEAD'])).err).toContain('the settings of working tree have errors')
  })
})

describe('instructions', () => {
  const files = {
    [REVIEWER]: agent('reviewer'),
    'CLAUDE.md': '@docs/style.md and @docs/none.md, as in `@docs/code.md`\n',
    'AGENTS.md': 'For others.\n',
    'docs/style.md': '@more/deep.md\nTwo spaces.\n',
    'docs/more/deep.md': 'Deep.\n',
    '.claude/rules/one.md': '@../../docs/rule.md\n',
    'docs/rule.md': 'By a rule.\n',
    'app/CLAUDE.md': 'The app.\n',
    '.gitignore': 'CLAUDE.local.md\n',
  }

  test('are compared with all that they import, and no change of a word is a gain', async () => {
    const repo = repository(files)
    repo.put('CLAUDE.local.md', 'Mine, on both sides.\n')
    expect(await repo.diff(['main'])).toEqual(clean('main'))
    repo.put('docs/more/deep.md', 'Deeper.\n')
    repo.put('.claude/rules/two.md', 'Another rule.\n')
    repo.put('AGENTS.md', 'For others still.\n')
    const { code, out } = await repo.diff(['main', '--fail-on-gain'])
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'main → working tree: no gain of power, 2 other changes',
        '~ all agents: instructions added: .claude/rules/two.md (project)',
        '~ all agents: instructions changed: docs/more/deep.md (project)',
        '',
      ].join('\n'),
    )
    repo.commit()
    expect((await repo.diff(['HEAD~1', 'HEAD'])).out).toBe(out.replace('main → working tree', 'HEAD~1 → HEAD'))
    expect((await repo.diff(['HEAD', 'HEAD~1'])).out).toContain('instructions removed: .claude/rules/two.md (project)')
  })

  test('are those of the folder that it is started in', async () => {
    const repo = repository(files)
    repo.put('app/CLAUDE.md', 'The app, again.\n')
    expect(await repo.diff(['main'])).toEqual(clean('main'))
    expect((await repo.diff(['main'], { cwd: join(repo.root, 'app') })).out).toContain('instructions changed: app/CLAUDE.md (project)')
  })

  test('over links, and as large as they may be, are the same in a clean checkout', async () => {
    const repo = repository({ ...files, 'docs/large.md': `${'word '.repeat(300_000)}\n`, 'docs/linked/here.md': 'Linked.\n' })
    repo.put('app/CLAUDE.md', '@../docs/large.md @../docs/way.md\n')
    link(repo.root, 'docs/way.md', 'linked/here.md')
    link(repo.root, 'app/.claude/CLAUDE.md', '../../docs/linked/here.md')
    repo.commit()
    expect(await repo.diff(['HEAD'], { cwd: join(repo.root, 'app') })).toEqual(clean('HEAD'))
  })
})

describe('a clean checkout has no difference from its commit', () => {
  const check = async (repo: TestRepository, cwd = repo.root): Promise<void> => {
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(await repo.diff(['HEAD'], { cwd })).toEqual(clean('HEAD'))
    const names = JSON.parse((await agentc(['list', '--format', 'json'], { cwd })).out) as { name: string; source: string }[]
    expect(names.filter(({ source }) => source === 'project').map(({ name }) => name)).toContain('reviewer')
  }

  test('with .claude as a link to another folder of the repository', async () => {
    const repo = repository({ 'dot/real/agents/reviewer.md': agent('reviewer'), 'dot/files': '' })
    link(repo.root, 'dot/claude', 'real')
    link(repo.root, '.claude', 'dot/claude')
    repo.commit()
    await check(repo)
  })

  test('with agents that are links to files and folders, inside and outside', async () => {
    const repo = repository()
    put(repo.base, 'outside/far.md', agent('far'))
    repo.put('shared/near.md', agent('near'))
    repo.put('shared/more/other.md', agent('other'))
    link(repo.root, '.claude/agents/near.md', '../../shared/near.md')
    link(repo.root, '.claude/agents/more', '../../shared/more')
    link(repo.root, '.claude/agents/far.md', '../../../outside/far.md')
    link(repo.root, '.claude/agents/absolute.md', join(repo.base, 'outside/far.md'))
    link(repo.root, '.claude/agents/nowhere.md', 'nothing.md')
    link(repo.root, '.claude/agents/loop', '.')
    repo.commit()
    await check(repo)
  })

  test('in a folder below, whose agents come on top of those of the root', async () => {
    const repo = repository({
      [REVIEWER]: agent('reviewer', 'tools: Bash'),
      'packages/a/.claude/agents/reviewer.md': agent('reviewer', 'tools: Read'),
      'packages/a/x': '',
    })
    await check(repo, join(repo.root, 'packages/a'))
  })

  test('in a linked worktree that takes its agents from the main checkout', async () => {
    const repo = repository({ 'README.md': '' })
    repo.git('worktree', 'add', '-q', '../linked')
    put(repo.root, REVIEWER, agent('reviewer'))
    put(repo.root, '.git/info/exclude', '.claude\n')
    await check(repo, join(repo.base, 'linked'))
  })

  test('whatever attributes say, and with line ends as this checkout has them', async () => {
    const repo = repository({
      [REVIEWER]: agent('reviewer', 'tools: Read'),
      '.gitattributes': '* export-ignore export-subst text eol=crlf\n',
    })
    rmSync(join(repo.root, REVIEWER))
    repo.git('checkout', '-q', '--', REVIEWER)
    expect(readFileSync(join(repo.root, REVIEWER), 'utf8')).toContain('\r\n')
    await check(repo)
  })

  test('inside a hook of git, whose variables point at its own index', async () => {
    const repo = repository()
    repo.put(REVIEWER, agent('reviewer', 'tools: Read, Bash'))
    const env = { GIT_DIR: '.git', GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: '/', GIT_EXTERNAL_DIFF: 'false' }
    expect((await repo.diff(['HEAD'], { env })).out).toContain('! reviewer: gains Bash')
  })
})

describe('a hostile repository', () => {
  test('names of revisions never are options, commands or paths', async () => {
    const repo = repository()
    repo.git('branch', '--', 'it;touch$IFS$9pwned')
    const names = [
      '--output=pwned',
      '--upload-pack=touch pwned',
      '-h',
      '$(touch pwned)',
      'main; touch pwned',
      '`touch pwned`',
      'main:README',
      'HEAD\n',
      '',
      '..',
      'main..main',
      ':/',
      'ext::sh -c touch% pwned',
      'x'.repeat(5000),
    ]
    for (const name of names) {
      const ran = await repo.diff(['--', name])
      expect(ran, JSON.stringify(name)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/is neither a manifest's file nor a git revision/) as string,
      })
    }
    expect(await repo.diff(['--', 'it;touch$IFS$9pwned'])).toMatchObject({ code: 0 })
    expect(readdirSync(repo.root).sort()).toEqual(['.claude', '.git'])
  })

  test('nothing that its configuration names is started', async () => {
    const repo = repository({
      [REVIEWER]: agent('reviewer'),
      '.gitattributes': '* filter=trap diff=trap\n',
      '.gitmodules': '[submodule "x"]\n path = x\n url = .\n update = !touch pwned\n',
    })
    const trap = join(repo.base, 'trap.sh')
    writeFileSync(trap, `#!/bin/sh\ntouch '${repo.base}/pwned'\n`)
    chmodSync(trap, 0o755)
    put(repo.root, '.git/hooks/post-checkout', readFileSync(trap, 'utf8'))
    chmodSync(join(repo.root, '.git/hooks/post-checkout'), 0o755)
    const keys = [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'core.editor',
      'core.gitProxy',
      'diff.external',
      'diff.trap.textconv',
      'diff.trap.command',
      'filter.trap.smudge',
      'filter.trap.clean',
      'filter.trap.process',
      'credential.helper',
      'pager.ls-tree',
      'pager.rev-parse',
      'alias.ls-tree',
    ]
    for (const key of keys) repo.git('config', key, key.startsWith('alias') ? `!${trap}` : trap)
    repo.git('config', 'core.hooksPath', join(repo.root, '.git/hooks'))
    expect((await repo.diff(['HEAD'])).code).toBe(0)
    expect(existsSync(join(repo.base, 'pwned'))).toBe(false)
  })

  test('a commit that lacks objects is not completed through a transport', async () => {
    const repo = repository()
    const id = repo.git('rev-parse', `HEAD:${REVIEWER}`)
    rmSync(join(repo.root, '.git/objects', id.slice(0, 2), id.slice(2)))
    repo.git('config', 'core.repositoryFormatVersion', '1')
    repo.git('config', 'extensions.partialClone', 'origin')
    repo.git('config', 'remote.origin.url', `ext::sh -c touch% ${repo.base}/pwned`)
    repo.git('config', 'remote.origin.promisor', 'true')
    repo.git('config', 'protocol.ext.allow', 'always')
    await repo.diff(['HEAD'])
    expect(existsSync(join(repo.base, 'pwned'))).toBe(false)
  })

  test('a tree with .., .git or a link and a folder of one name writes nothing outside of the copy', async () => {
    const repo = repository()
    mkdirSync(join(repo.base, 'victim'))
    const write = (type: string, data: string | Buffer): string =>
      execFileSync('git', ['hash-object', '-w', '-t', type, '--literally', '--stdin'], {
        cwd: repo.root,
        input: data,
        encoding: 'utf8',
      }).trim()
    const tree = (...entries: [mode: string, name: string, id: string][]): string =>
      write(
        'tree',
        Buffer.concat(entries.map(([mode, name, id]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]))),
      )
    const evil = write('blob', agent('evil'))
    const inner = tree(['100644', 'evil.md', evil])
    const away = write('blob', join(repo.base, 'victim'))
    const claude = tree(
      ['120000', 'agents', away],
      ['40000', 'agents', inner],
      ['40000', '..', tree(['40000', '..', inner], ['100644', 'evil.md', evil])],
      ['40000', '.git', inner],
    )
    const commit = repo.git('commit-tree', '-m', 'evil', tree(['40000', '.claude', claude]))
    const before = readdirSync(repo.base).sort()
    expect((await repo.diff([commit])).code).toBe(0)
    expect(readdirSync(join(repo.base, 'victim'))).toEqual([])
    expect(readdirSync(repo.base).sort()).toEqual(before)
    expect(readdirSync(join(repo.base, 'tmp'))).toEqual([])
  })

  test('a settings file that belongs to this checkout is the same on both sides, and one that git tracks is not', async () => {
    const repo = repository()
    const file = '.claude/settings.local.json'
    const grants = '{"permissions": {"allow": ["Bash(rm:*)"]}}\n'
    repo.put(file, grants)
    expect(await repo.diff(['HEAD'])).toEqual(clean('HEAD'))
    repo.commit()
    expect((await repo.diff(['HEAD~1'])).out).not.toContain('no difference')
  })
})

describe('the temporary folder', () => {
  test('is gone after success, after a fault and after an interruption', async () => {
    const repo = repository(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`.claude/agents/a${i}.md`, agent(`a${i}`)])))
    const tmp = join(repo.base, 'tmp')
    const left = (): string[] => readdirSync(tmp).filter((name) => name.startsWith('agentc-'))
    expect((await repo.diff(['HEAD'])).code).toBe(0)
    expect(left()).toEqual([])
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const child = start(['diff', 'HEAD'], { cwd: repo.root, env: { TMPDIR: tmp } })
      const ran = ended(child)
      while (left().length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      child.kill(signal)
      expect((await ran).code, signal).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal])
      expect(left(), signal).toEqual([])
    }
    put(repo.root, 'planted.cjs', "Array.prototype.findLast = () => { throw new TypeError('planted') }\n")
    const bug = await repo.diff(['HEAD'], { env: { NODE_OPTIONS: '--require ./planted.cjs' } })
    expect(bug.code).toBe(70)
    expect(left()).toEqual([])
  })
})

describe('what cannot be compared is exit code 2 and one sentence', () => {
  test('no repository, no commit, no argument, too many', async () => {
    const base = temporary()
    mkdirSync(join(base, 'plain'))
    const cwd = join(base, 'plain')
    expect(await agentc(['diff', 'main'], { cwd })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('not a git repository') as string,
    })
    for (const args of [[], ['a', 'b', 'c'], ['a', '--format', 'sarif']])
      expect(await agentc(['diff', ...args], { cwd })).toMatchObject({ code: 2, out: '' })
  })

  test('manifests are read from files, before any revision of the name', async () => {
    const repo = repository()
    await agentc(['build', '--out', 'main'], { cwd: repo.root })
    repo.put(REVIEWER, agent('reviewer', 'tools: Read, Bash'))
    await agentc(['build', '--out', 'new.json'], { cwd: repo.root })
    expect((await repo.diff(['main', 'new.json'])).out).toBe('main → new.json: 1 gain of power\n! reviewer: gains Bash\n')
    expect((await repo.diff(['refs/heads/main', 'new.json'])).out).toContain('! reviewer: gains Bash')
    writeFileSync(join(repo.root, 'broken.json'), readFileSync(join(repo.root, 'new.json'), 'utf8').replace('Bash', 'Bush'))
    expect(await repo.diff(['main', 'broken.json'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('broken.json: ') as string,
    })
  })
})
