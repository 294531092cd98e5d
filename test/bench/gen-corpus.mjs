import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A deterministic project of N valid agents, about 4 KB of Markdown each, in a git repository.
 * Usage: node gen-corpus.mjs N DIR
 */

const ROLES = 'reviewer tester architect debugger migrator auditor documenter profiler refactorer planner translator releaser'.split(' ')
const AREAS = 'api payments search auth billing mobile infra database frontend observability compiler pipeline'.split(' ')
const TOOLS = [
  'Read, Grep, Glob',
  'Read, Grep, Glob, Bash',
  'Read, Write, Edit, Bash',
  'Read, Edit, Grep',
  'Read, Grep, Glob, WebFetch, WebSearch',
]
const COLORS = 'red blue green yellow purple orange pink cyan'.split(' ')
const MODELS = 'sonnet opus haiku inherit'.split(' ')
const VERBS = 'Inspect Verify Compare Trace Record Summarise Rank Question Reproduce Measure'.split(' ')
const NOUNS = [
  'the change set',
  'each public function',
  'the failing test',
  'the schema migration',
  'every call site',
  'the error path',
  'the configuration',
  'the dependency graph',
  'the rollout plan',
  'the latency budget',
]
const TAILS = [
  'before anything else is touched.',
  'and write down what you found.',
  'against the documented contract.',
  'with the smallest example that shows it.',
  'and name the file and line.',
  'so that a reader can repeat it.',
]
const HEADS = ['When you are called', 'How to work', 'What to check', 'Output format', 'Constraints', 'Examples']
const JSON_BLOCK = '```json\n{"verdict": "approve", "findings": [{"file": "src/a.ts", "line": 12, "severity": "high"}]}\n```\n'
const HOOKS = `hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: "./scripts/check.sh"
`
const EXTRA = [
  () => 'skills:\n  - code-review\n',
  (i) => `maxTurns: ${10 + (i % 20)}\n`,
  () => 'permissionMode: plan\n',
  () => 'memory: project\n',
  () => HOOKS,
]
const REST = {
  'README.md': '# corpus\n',
  'scripts/check.sh': '#!/bin/sh\nexit 0\n',
  '.claude/skills/code-review/SKILL.md':
    '---\nname: code-review\ndescription: Reviews code changes step by step. Use when a change set has to be reviewed before it is merged.\n---\n\n# Code review\n\nRead the change set, then list the findings.\n',
  '.claude/settings.json':
    '{\n  "$schema": "https://json.schemastore.org/claude-code-settings.json",\n  "permissions": { "allow": ["Read"] }\n}\n',
  'CLAUDE.md': '# Project\n\n- Build with `npm run build`.\n- Test with `npm test`.\n',
}

/** In: a count and a folder (emptied first). Does: writes the project. Out: the bytes of all agents. */
export function generate(count, dir) {
  const pick = picker(12345)
  rmSync(dir, { recursive: true, force: true })
  let bytes = 0
  for (let i = 0; i < count; i++) {
    const { name, text } = agent(i, pick)
    bytes += Buffer.byteLength(text)
    write(join(dir, '.claude/agents', `${name}.md`), text)
  }
  for (const [path, text] of Object.entries(REST)) write(join(dir, path), text)
  chmodSync(join(dir, 'scripts/check.sh'), 0o755)
  commit(dir)
  return bytes
}

/** Out: a function that picks from a list, the same picks for the same seed on every machine. */
function picker(seed) {
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff
  return (list) => list[Math.floor(random() * list.length)]
}

function agent(i, pick) {
  const area = AREAS[i % AREAS.length]
  const role = ROLES[Math.floor(i / AREAS.length) % ROLES.length]
  const name = `${area}-${role}-${String(i).padStart(4, '0')}`
  const prompt = body(area, role, pick)
  const description = `${area} ${role} number ${i}. Use proactively after changes to the ${area} code to find defects early`
  const fields = `name: ${name}\ndescription: ${description}\ntools: ${pick(TOOLS)}\nmodel: ${pick(MODELS)}\ncolor: ${pick(COLORS)}\n`
  return { name, text: `---\n${fields}${EXTRA[i % 5](i)}---\n\n${prompt}` }
}

function body(area, role, pick) {
  const sentence = () => `${pick(VERBS)} ${pick(NOUNS)} ${pick(TAILS)}`
  let text = `You are the ${area} ${role}. You work on one task at a time and report back in plain words.\n\n`
  for (const head of HEADS) {
    const lines = Array.from({ length: 9 }, (_, i) => `${head === 'How to work' ? `${i + 1}.` : '-'} ${sentence()}\n`)
    text += `## ${head}\n\n${lines.join('')}\n`
  }
  text += JSON_BLOCK
  while (Buffer.byteLength(text) < 3700) text += `\n${sentence()} ${sentence()} ${sentence()}\n`
  return text
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function commit(dir) {
  const git = (...args) => execFileSync('git', args, { cwd: dir })
  git('init', '-q')
  // What git tidies up after the commit would go on while the folder is copied.
  git('config', 'gc.auto', '0')
  git('config', 'maintenance.auto', 'false')
  git('add', '-A')
  git('-c', 'user.name=b', '-c', 'user.email=b@x', 'commit', '-qm', 'corpus')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [count, dir] = [Number(process.argv[2]), process.argv[3]]
  console.log(`${dir}: ${count} agents, ${generate(count, dir)} bytes`)
}
