// Writes the code that V8 made of a piece beside it. Usage: node code-cache.mjs PIECE PACKAGE. The piece is loaded and run as
// `compiler/commands/piece.ts` and `agentc.ts` do it, because V8 keeps what was called, and refuses code that was made with other flags.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [piece, root] = process.argv.slice(2)
const flags = readFileSync(join(root, 'compiler/commands/piece.ts'), 'utf8').match(/(?<=')--[\w-]+=\d+(?=')/g)
const folder = mkdtempSync(join(tmpdir(), 'agentc-code-'))
try {
  for (const flag of flags) setFlagsFromString(flag)
  const source = `(function (exports, require, module, load) {${readFileSync(piece, 'utf8')}\n})`
  const script = new Script(source, { filename: '/agentc/build.cjs' })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(piece), module)
  layProject()
  const silent = () => {}
  const io = {
    out: silent,
    err: silent,
    env: {},
    cwd: folder,
    home: join(folder, 'home'),
    platform: process.platform,
    terminal: false,
    columns: 80,
  }
  for (const format of ['pretty', 'json'])
    await module.exports.build(['--format', format, '--managed-dir', join(folder, 'none')], {
      ...io,
      builtinDir: join(root, 'agents'),
      schemaDir: join(root, 'schemas'),
      version: '0',
    })
  writeFileSync(`${piece}.code`, script.createCachedData())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What people's projects have, so that the code of all of it is made. */
function layProject() {
  const files = {
    '.git/HEAD': '',
    '.claude/settings.json': '{ "permissions": { "allow": ["Read"] } }\n',
    '.claude/skills/s/SKILL.md': '---\nname: s\ndescription: Is a skill.\n---\n\nText.\n',
    '.claude/agents/a.md':
      '---\nname: a\ndescription: Does a.\ntools: Read, Bash(git *), Wrte\nmodel: sonnet\nmemory: project\nskills:\n  - s\n---\n\nYou are a.\n',
    '.claude/agents/b.md':
      '---\nname: b\ndescription: "Does b."\ncolor: red\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./x.sh\n---\n\nYou are b.\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
