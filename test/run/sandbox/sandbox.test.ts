import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bubblewrap, probe } from '../../../runner/sandbox/bubblewrap.ts'
import { openSandbox } from '../../../runner/sandbox/sandbox.ts'
import { put, temporary } from '../../support/tree.ts'

const here = temporary()
const works = await probe(here, process.env)
if (!works.works) console.warn(`SKIPPED: the tests of the sandbox, because ${works.why}`)

const no = () => Promise.resolve({ works: false as const, why: 'bwrap is not installed' })
const yes = () => Promise.resolve({ works: true as const })
const walls = { writable: [here], cwd: here }

test('a sandbox that is not there is said in auto, refused in required, and off is said too', async () => {
  expect(await openSandbox('auto', walls, {}, no)).toMatchObject({
    kind: 'none',
    notice: 'Commands run without a sandbox: bwrap is not installed.',
  })
  expect(await openSandbox('required', walls, {}, no)).toEqual({
    fault: 'There is no sandbox: bwrap is not installed, and --sandbox required was given.',
  })
  expect(await openSandbox('off', walls, {}, yes)).toMatchObject({
    kind: 'none',
    notice: 'Commands run without a sandbox, because of --sandbox off.',
  })
})

test('a sandbox that is there wraps every command and has nothing to say', async () => {
  for (const mode of ['auto', 'required'] as const) {
    const sandbox = await openSandbox(mode, walls, {}, yes)
    if ('fault' in sandbox) throw new Error(sandbox.fault)
    expect(sandbox).toMatchObject({ kind: 'bubblewrap' })
    expect(sandbox.notice).toBeUndefined()
    expect(sandbox.wrap(['bash', '-c', 'true'])).toEqual([...bubblewrap(walls), 'bash', '-c', 'true'])
  }
})

test('a program that is missing is a reason and no crash', async () => {
  expect(await probe(here, { PATH: '/nowhere' })).toEqual({ works: false, why: 'bwrap is not installed' })
})

test('walls: the project may be written but for what is protected, and hidden files are covered', () => {
  const root = temporary()
  put(root, '.git/config', '')
  put(root, '.env', 'x')
  put(root, 'secrets/k', 'x')
  const argv = bubblewrap({
    writable: [root],
    cwd: root,
    hidden: [join(root, '.env'), join(root, 'secrets'), join(root, 'none')],
    network: false,
  }).join(' ')
  expect(argv).toContain(
    `--bind ${root} ${root} --ro-bind ${root}/.git/config ${root}/.git/config --ro-bind /dev/null ${root}/.env --tmpfs ${root}/secrets --chdir ${root} --`,
  )
  expect(argv).toContain('--unshare-net')
  expect(argv).not.toContain('none')
})

describe.skipIf(!works.works)('bubblewrap, for real', () => {
  const inside = (root: string, line: string, hidden: string[] = []) => {
    const [program, ...args] = [...bubblewrap({ writable: [root], cwd: root, hidden }), 'bash', '-c', line]
    return spawnSync(program!, args, { encoding: 'utf8' })
  }

  test('a command writes in the project and nowhere else', () => {
    const [root, other] = [temporary(), temporary()]
    inside(root, `echo x > in.txt; echo x > ${other}/out.txt; echo x > /etc/agentc-test`)
    expect(readFileSync(join(root, 'in.txt'), 'utf8')).toBe('x\n')
    expect([existsSync(join(other, 'out.txt')), existsSync('/etc/agentc-test')]).toEqual([false, false])
  })

  test('what is protected cannot be written, and what is hidden cannot be read', () => {
    const root = temporary()
    put(root, '.git/config', 'a')
    put(root, '.env', 'SECRET')
    put(root, 'secrets/k', 'SECRET')
    const { stdout } = inside(root, 'echo x > .git/config; cat .env secrets/k', [join(root, '.env'), join(root, 'secrets')])
    expect(stdout).toBe('')
    expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe('a')
  })

  test('no process outlives it', () => {
    const root = temporary()
    inside(root, 'setsid sleep 31.4159 & disown; (nohup sleep 31.4159 &)')
    expect(execFileSync('ps', ['ax'], { encoding: 'utf8' })).not.toContain('31.4159')
  })
})
