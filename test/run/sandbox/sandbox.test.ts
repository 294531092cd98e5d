import { chmodSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SandboxMode } from '../../../schemas/values.ts'
import { findBubblewrap } from '../../../runner/sandbox/bubblewrap.ts'
import { secretsIn } from '../../../runner/sandbox/environment.ts'
import { openable } from '../../../runner/sandbox/openable.ts'
import { probe } from '../../../runner/sandbox/probe.ts'
import { openSandbox, SandboxFault } from '../../../runner/sandbox/sandbox.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { put, temporary } from '../../support/tree.ts'

const root = temporary()
const workspace = await openWorkspace(root)
const no = () => Promise.resolve({ why: 'bwrap is not installed' })
const yes = () => Promise.resolve({ program: { path: '/usr/bin/bwrap', root: false } })
const place = { workspace, deny: [], allowed: [] }

/** A sandbox as a run has it, and what it says. */
async function opened(mode: SandboxMode, tried: typeof yes | typeof no, env: Record<string, string> = {}) {
  const said: string[] = []
  const run = { temporary: () => Promise.resolve(temporary()), say: (message: string) => void said.push(message) }
  const sandbox = (await openSandbox({ mode, workspace, env }, tried))(run)
  return { said, sandbox, start: (all: Record<string, string> = env) => sandbox.start(place, all) }
}

describe('which sandbox there is', () => {
  test('one that is not there is said in auto, before the first command and once; off is said too', async () => {
    const auto = await opened('auto', no)
    expect(auto.said).toEqual([])
    await auto.sandbox.open()
    expect(auto.said).toEqual(['commands run without a sandbox: bwrap is not installed'])
    expect(await auto.start({ A: '1' })).toEqual({ env: { A: '1' } })
    expect(auto.said).toHaveLength(1)
    const off = await opened('off', yes)
    expect(await off.start({ A_TOKEN: '1' })).toEqual({ env: { A_TOKEN: '1' } })
    expect(off.said).toEqual(['commands run without a sandbox, because of --sandbox off'])
  })

  test('one that is required and not there is a fault, at once', async () => {
    await expect(opened('required', no)).rejects.toEqual(
      new SandboxFault('There is no sandbox: bwrap is not installed, and one is required.'),
    )
  })

  test('one that is there puts up walls for every command, and has nothing to say', async () => {
    for (const mode of ['auto', 'required'] as const) {
      const { said, start } = await opened(mode, yes)
      const { walls } = await start()
      expect([walls!.at(0), walls!.at(-1), said]).toEqual(['/usr/bin/bwrap', '--', []])
    }
  })

  test('a program that is missing, or that runs commands without walls, is a reason and no crash', async () => {
    expect(await probe(workspace, { PATH: '/nowhere' })).toEqual({ why: 'bwrap is not installed' })
    const fake = temporary()
    const asProgram = (text: string) => {
      writeFileSync(join(fake, 'bwrap'), `#!/bin/sh\n${text}\n`)
      chmodSync(join(fake, 'bwrap'), 0o755)
      return probe(workspace, { PATH: `${fake}:${process.env.PATH}` })
    }
    expect(await asProgram('while [ "$1" != -- ]; do shift; done; shift; exec "$@"')).toEqual({
      why: 'bwrap does not work here (it runs commands without walls)',
    })
    expect(await asProgram('echo "bwrap: No permissions to create new namespace" >&2; exit 1')).toEqual({
      why: 'bwrap does not work here (bwrap: No permissions to create new namespace)',
    })
  })

  test('a bwrap that the project brings along is not taken, nor one by a relative path', () => {
    const [project, other] = [temporary(), temporary()]
    for (const folder of [project, other]) put(folder, 'bin/bwrap', '')
    const path = `bin:${project}/bin:${other}/bin`
    expect(findBubblewrap(path, [project])).toBe(join(realpathSync(other), 'bin/bwrap'))
    expect(findBubblewrap(path, [project, other])).toBeUndefined()
  })

  test('walls around the whole file system are none', async () => {
    expect(await probe({ ...workspace, root: '/' }, process.env)).toEqual({
      why: 'the root of the file system is to be written, and walls around everything keep nothing out',
    })
  })
})

describe('the environment', () => {
  test('variables that are called like secrets are left out, but for those that are passed on or name a place', () => {
    const env = { PATH: '/bin', GH_TOKEN: 'x', NPM_TOKEN: 'y', GOOGLE_APPLICATION_CREDENTIALS: '/a.json', EMPTY_KEY: '', DB_PASSWORD: '1' }
    expect(secretsIn(env, [])).toEqual(['DB_PASSWORD', 'GH_TOKEN', 'NPM_TOKEN'])
    expect(secretsIn(env, ['GH_TOKEN'])).toEqual(['DB_PASSWORD', 'NPM_TOKEN'])
  })

  test('they are left out without walls too, so that a command sees the same everywhere, and it is said which', async () => {
    const env = { GH_TOKEN: 'x', HOME: '/h' }
    const { said, start } = await opened('auto', no, env)
    expect((await start({ ...env, AGENTC_RUN: 'r' })).env).toEqual({ HOME: '/h', AGENTC_RUN: 'r' })
    expect(said[1]).toBe('commands do not get GH_TOKEN, called like secrets; --pass-env NAME gives one')
  })
})

test('for a file that may be written, the file is opened or the folder for it, unless others depend on that folder', () => {
  const home = realpathSync(temporary())
  put(home, 'notes/a.txt', '')
  const workspace = { root: join(home, 'work'), cwd: join(home, 'work'), told: '', home }
  expect(openable(join(home, 'notes/a.txt'), workspace)).toEqual([join(home, 'notes/a.txt')])
  expect(openable(join(home, 'notes/b.txt'), workspace)).toEqual([join(home, 'notes')])
  expect(openable(join(home, 'b.txt'), workspace)).toEqual([])
  expect(openable('/etc/agentc-none', workspace)).toEqual([])
})
