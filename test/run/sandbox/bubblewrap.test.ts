import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import { bashTool } from '../../../runner/tools/bash.ts'
import { git } from '../../support/git.ts'
import { withArgument } from '../../support/processes.ts'
import { put, ROOT, temporary } from '../../support/tree.ts'
import { toolContext, use } from '../tools/use.ts'
import { inWalls, type Within, works } from './walls.ts'

describe.skipIf(!works)('bubblewrap, for real', () => {
  /** What a command says in walls around a folder. */
  const inside = async (cwd: string, command: string, within: Within = {}): Promise<string> => {
    const { text } = await use(bashTool, cwd, { command }, { ...(await inWalls(cwd, within)), ...(within.env && { env: within.env }) })
    return text.replace(/\n\[(?:exit code|Commands run in a sandbox)[^]*$/, '')
  }
  const rule = (tool: string, path: string): Rule => ({ tool, match: { path, anchor: 'cwd' } })
  const repository = (): string => {
    const folder = realpathSync(temporary())
    put(folder, 'a.txt', 'a\n')
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'config', 'user.email', 'a@b')
    git(folder, 'config', 'user.name', 'n')
    git(folder, 'add', '.')
    git(folder, 'commit', '-qm', 'first')
    return folder
  }

  test('a command writes in the project, in further folders and in its own /tmp, and nowhere else', async () => {
    const [project, further, other] = [temporary(), realpathSync(temporary()), temporary()]
    await inside(project, `echo x > in.txt; echo x > ${further}/in.txt; echo x > ${other}/out.txt; echo x > /etc/agentc-test`, {
      folders: [further],
    })
    expect([readFileSync(join(project, 'in.txt'), 'utf8'), readFileSync(join(further, 'in.txt'), 'utf8')]).toEqual(['x\n', 'x\n'])
    expect([existsSync(join(other, 'out.txt')), existsSync('/etc/agentc-test')]).toEqual([false, false])
  })

  test('/tmp is shared by the commands of a run, and by nobody else', async () => {
    const project = temporary()
    const context = await toolContext(project, await inWalls(project))
    const say = async (command: string) => (await bashTool.run({ command }, context)).text
    const name = `shared-${basename(project)}`
    await say(`echo kept > /tmp/${name}; echo v > /var/tmp/${name}`)
    expect(await say(`cat /tmp/${name} /var/tmp/${name}`)).toBe('kept\nv')
    expect(existsSync(`/tmp/${name}`)).toBe(false)
    expect(await inside(project, `ls /tmp/${name}`)).toContain('No such file')
  })

  test('what makes programs run something stays as it is: settings and hooks of git, of shells, editors and agents', async () => {
    const home = repository()
    const files = [
      '.bashrc',
      '.claude/settings.json',
      '.mcp.json',
      '.envrc',
      '.vscode/tasks.json',
      '.npmrc',
      '.yarn/releases/y.cjs',
      '.agentc/x',
    ]
    for (const file of files) put(home, file, 'old')
    mkdirSync(join(home, 'packages/one'), { recursive: true })
    put(home, 'packages/.envrc', 'old')
    const all = [...files, 'packages/.envrc', '.git/config', '.git/hooks/pre-commit', '.claude/new.md']
    const before = readFileSync(join(home, '.git/config'), 'utf8')
    const cwd = join(home, 'packages/one')
    const tries = all.map((file) => `echo new > ${home}/${file}; rm -rf ${home}/${file}`)
    await inside(
      cwd,
      `${tries.join('; ')}; cd ${home}; mv .git g; mv .claude c; rm -rf .claude .git/hooks; mkdir -p .git/hooks; ln -s /bin/sh .git/hooks/post-commit`,
    )
    for (const file of [...files, 'packages/.envrc']) expect(readFileSync(join(home, file), 'utf8')).toBe('old')
    expect(readFileSync(join(home, '.git/config'), 'utf8')).toBe(before)
    expect([existsSync(join(home, '.git/hooks/post-commit')), existsSync(join(home, '.claude/new.md'))]).toEqual([false, false])
    expect(existsSync(join(home, '.git/hooks/pre-commit'))).toBe(false)
  })

  test('a folder for hooks of git is made where there is none, so that no command can make one', async () => {
    const project = repository()
    rmSync(join(project, '.git/hooks'), { recursive: true })
    await inside(project, 'mkdir -p .git/hooks; echo x > .git/hooks/post-commit')
    expect([existsSync(join(project, '.git/hooks')), existsSync(join(project, '.git/hooks/post-commit'))]).toEqual([true, false])
  })

  test('git itself works: commits, branches, a worktree of its own, and one that lies elsewhere', async () => {
    const project = repository()
    expect(await inside(project, 'echo b > b.txt && git add . && git commit -qm second && git checkout -qb x && git log --format=%s')).toBe(
      'second\nfirst',
    )
    const worktree = join(realpathSync(temporary()), 'w')
    git(project, 'worktree', 'add', '-q', worktree)
    expect(await inside(worktree, 'echo c > c.txt && git add . && git commit -qm third && git log --format=%s')).toBe(
      'third\nsecond\nfirst',
    )
    const config = readFileSync(join(project, '.git/config'), 'utf8')
    await inside(worktree, `echo x > ${project}/d.txt; git config a.b c; echo gitdir: /x > .git; echo x > ${project}/.git/hooks/pre-commit`)
    expect([existsSync(join(project, 'd.txt')), readFileSync(join(project, '.git/config'), 'utf8')]).toEqual([false, config])
    expect(git(worktree, 'status', '--porcelain')).toBe('')
    expect(existsSync(join(project, '.git/hooks/pre-commit'))).toBe(false)
  })

  test('a .git file that leads to a repository which does not know of it opens nothing', async () => {
    const [project, other] = [temporary(), repository()]
    put(project, '.git', `gitdir: ${other}/.git\n`)
    await inside(project, `echo x > ${other}/.git/x; echo x > ${other}/.git/objects/x`)
    expect([existsSync(join(other, '.git/x')), existsSync(join(other, '.git/objects/x'))]).toEqual([false, false])
  })

  test('deny rules hold inside: what Read may not open is empty, what Edit may not change stays', async () => {
    const project = temporary()
    put(project, '.env', 'SECRET')
    put(project, 'deep/down/.env', 'SECRET')
    put(project, 'secrets/k', 'SECRET')
    put(project, 'keys/a.pem', 'SECRET')
    put(project, 'keys/a.txt', 'open')
    put(project, 'locked/a', 'old')
    symlinkSync('.env', join(project, 'link'))
    const deny = [rule('Read', '.env'), rule('Read', './secrets/**'), rule('Read', 'keys/*.pem'), rule('Edit', '/locked/')]
    const command = 'cat .env deep/down/.env secrets/k keys/a.pem link; cat keys/a.txt; echo new > locked/a'
    const text = await inside(project, command, { deny })
    expect(text).not.toContain('SECRET')
    expect(text).toContain('open')
    expect([readFileSync(join(project, '.env'), 'utf8'), readFileSync(join(project, 'locked/a'), 'utf8')]).toEqual(['SECRET', 'old'])
  })

  test('a file that was allowed to be written is open for that command, whatever protects it', async () => {
    const project = realpathSync(temporary())
    // Not below /tmp, which is the run's own.
    const base = [join(ROOT, 'node_modules'), homedir()].find((folder) => !/^(?:\/var)?\/tmp\//.test(folder))!
    const other = mkdtempSync(join(base, '.agentc-elsewhere-'))
    onTestFinished(() => rmSync(other, { recursive: true }))
    for (const file of ['.envrc', '.claude/settings.json', '.claude/other.json']) put(project, file, 'old')
    const allowed = [join(project, '.envrc'), join(project, '.claude/settings.json'), join(other, 'made.txt')]
    const all = [...allowed, join(project, '.claude/other.json')]
    await inside(project, all.map((file) => `echo new > ${file}`).join('; '), { allowed })
    expect(all.map((file) => readFileSync(file, 'utf8'))).toEqual(['new\n', 'new\n', 'new\n', 'old'])
  })

  test('a temporary file of the machine is not that of a command, also where it was allowed to be written', async () => {
    const [project, machine] = [temporary(), join(realpathSync(temporary()), 'log.txt')]
    writeFileSync(machine, 'of the machine\n')
    const context = await toolContext(project, await inWalls(project, { allowed: [machine] }))
    const say = async (command: string) => (await bashTool.run({ command }, context)).text
    expect(await say(`mkdir -p ${join(machine, '..')}; echo of the run >> ${machine}; cat ${machine}`)).toBe('of the run')
    expect(await say(`cat ${machine}`)).toBe('of the run')
    expect(readFileSync(machine, 'utf8')).toBe('of the machine\n')
  })

  test('a protected file that a command makes is told of: walls cannot keep it from being made', async () => {
    const [project, said] = [temporary(), [] as string[]]
    await inside(project, 'echo x > .envrc; echo x > plain.txt', { said })
    expect(said).toEqual(['.envrc was made while a command ran, and programs may do what it says: look at it'])
  })

  test('programs that run into a wall are explained', async () => {
    const project = temporary()
    const { text } = await use(bashTool, project, { command: 'touch /usr/x' }, await inWalls(project))
    expect(text).toMatch(
      /Read-only file system\n\[exit code 1\]\n\[Commands run in a sandbox here: they write in the work folder and in \/tmp/,
    )
  })

  test('processes outside are neither seen nor reached, nor mounted away, nor asked by their sockets', async () => {
    const project = temporary()
    const path = join(mkdtempSync(join(tmpdir(), 'sock-')), 's')
    onTestFinished(() => rmSync(join(path, '..'), { recursive: true }))
    const server = createServer().listen(path)
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const text = await inside(
      project,
      `ls -d /proc/[0-9]* | wc -l; kill -0 ${process.pid} && echo reached; mount -o remount,rw,bind / && echo mounted; ls ${path} && echo seen; mknod /tmp/d b 8 0 && echo made; for file in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/power/state; do [ -w $file ] && echo made; done`,
    )
    expect(text).not.toMatch(/reached|mounted|seen|made/m)
    expect(Number(text.split('\n')[0])).toBeLessThan(6)
  })

  test('a command gets no secrets, only its own variables, and a cache that it may write', async () => {
    const env = { ...process.env, MY_TOKEN: 'secret-1', PLAIN: 'p', OTHER_KEY: 'k' }
    const project = temporary()
    const text = await inside(project, 'echo "[$MY_TOKEN$OTHER_KEY$PLAIN]"; mkdir -p "$npm_config_cache" && echo cached', {
      env,
      passed: ['OTHER_KEY'],
    })
    expect(text).toBe('[kp]\ncached')
  })

  test('no process outlives its run, not even one that has left its group and its environment', async () => {
    const project = temporary()
    const context = await toolContext(project, await inWalls(project))
    await bashTool.run({ command: 'env -i setsid sleep 31.4159 & disown; (nohup sleep 31.4159 &)' }, context)
    expect(withArgument('sleep 31.4159')).not.toEqual([])
    await context.scope.close()
    expect(withArgument('31.4159')).toEqual([])
  })
})
