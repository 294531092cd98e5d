import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { resumed } from '../../../runner/commands/resumed.ts'
import { type ModelRequest, resultText } from '../../../runner/message.ts'
import { keptApart } from '../../../runner/delegation/apart.ts'
import { decide } from '../../../runner/permission/decide.ts'
import type { Workspace } from '../../../runner/workspace.ts'
import { committed, git, GIT_ENV } from '../../support/git.ts'
import type { AgentParts } from '../manifest-fixture.ts'
import { decided, rightsOf } from '../permission/stage.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

/** Without walls, what keeps an agent in its worktree is what can be told of its commands. */

const ENV = { ...process.env, ...GIT_ENV }
const REFUSED = /^Permission denied: .* in the main checkout, and this agent works in a worktree: use \S+worktrees/

async function repository(): Promise<string> {
  const scripts = { test: 'node write.mjs tested', put: 'node write.mjs put' }
  const files = {
    'a.txt': 'main\n',
    'sub/b.txt': 'b\n',
    'package.json': JSON.stringify({ scripts }),
    'write.mjs': 'import { writeFileSync } from "node:fs"\nwriteFileSync(process.argv[2], "x")\n',
  }
  return committed(await folder(files))
}

const js = (path: string): string => `require("fs").writeFileSync("${path}", "leak")`
/** Lines that would write into the checkout `at` from a worktree of it, each by another way that no rule about files sees. */
const leaks = (at: string): string[] => [
  `node -e '${js(`${at}/new`)}'`,
  `node <<'END'\n${js(`${at}/new`)}\nEND`,
  `node write.mjs ${at}/new`,
  `node write.mjs --out=${at}/new`,
  `timeout 20 node write.mjs ../../../new`,
  `WHERE=${at}; echo leak > $WHERE/new`,
  `WHERE=${at}; touch "$WHERE/new"`,
  `eval "echo leak > ${at}/new"`,
  `sh -c 'echo leak > $0' ${at}/new`,
  `echo ${at}/new | xargs touch`,
  `find ${at} -maxdepth 1 -name a.txt -exec cp {} {}.new ';'`,
  `tar -cf ${at}/new a.txt`,
  `tar -C ${at} -cf new a.txt`,
  `npm --prefix ${at} run put`,
  'cd ../../.. && npm run put',
  'cd ../../.. && node write.mjs new',
  `cd sub && node ../write.mjs ../../../../new`,
  `cp a.txt ${at}/new`,
  `ln ${at}/a.txt link`,
  `cp -l ${at}/a.txt link`,
  `docker run -v ../../..:/there image`,
]

/** What an agent in a worktree has to be able to do all the same. */
const works = (at: string): string[] => [
  'npm test && test -f tested',
  `cat ${at}/a.txt`,
  `ls ${at} && diff ${at}/a.txt a.txt && grep -rn main ${at}/a.txt`,
  `timeout 20 cat ${at}/a.txt`,
  `cp ${at}/a.txt copy.txt`,
  `node -e '${js('inside')}' && node write.mjs sub/inside && node write.mjs "$PWD/also"`,
  'cd sub && node ../write.mjs ../up && cd .. && node write.mjs down',
  'eval "echo > evaluated"',
  'ln -s ../a.txt sub/link',
  `node -e 'const text = "import x from \\"../../../x\\""; ${js('sub/inside')}'`,
  "sed -i 's#main#../../../main#' copy.txt",
  'git add -A && git -c user.name=a -c user.email=a@example.invalid commit -qm "From ../../../x to ../x"',
  'git show --stat=80 --format=%s HEAD',
]

interface Played {
  results: { text: string; isError: boolean }[]
  requests: ModelRequest[]
}

/** A run in which `agent` of `agents` makes these calls, one after another. */
async function played(cwd: string, agents: Record<string, AgentParts>, agent: string, calls: object[]): Promise<Played> {
  const rules = { permissions: { allow: [{ tool: 'Bash' }, { tool: 'Write' }], ask: [], deny: [] } }
  const { start, agents: all } = cast(agents, 'go', rules)
  const starts = [{ content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: agent })] }, { text: 'end' }]
  const turns = [{ content: calls }, { text: 'done' }]
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: `You are ${agent}` }, turns },
      { when: { system: 'You are lead' }, turns: starts },
    ],
  })
  const { events } = await runToEnd({ ...start, sandbox: 'off' }, { cwd, url, agents: all, env: ENV, host: process })
  return { results: toolResults(events), requests: await requests() }
}

/** The results of calls, as the agent that made them was sent them. */
function resultsOf({ requests }: Played, calls: number): string[] {
  const sent = requests.map(({ messages }) => messages.at(-1)!.content.filter((block) => block.type === 'tool_result'))
  return sent.find((blocks) => blocks.length === calls)!.map((block) => resultText(block))
}

const bash = (command: string): object => call('Bash', { command })
const WORKER: AgentParts = { tools: ['Bash', 'Write'] }

test.each([
  ['an agent of the run itself', { worker: { ...WORKER, isolation: 'worktree' } }],
  ['an agent that was started', { lead: { tools: ['Agent'] }, worker: { ...WORKER, isolation: 'worktree' } }],
  ['an agent below one in a worktree', { lead: { tools: ['Agent'], isolation: 'worktree' }, worker: WORKER }],
  ['an agent for which the mode allows everything', { worker: { ...WORKER, isolation: 'worktree', permissionMode: 'bypassPermissions' } }],
] satisfies [string, Record<string, AgentParts>][])(
  '%s is led to no file of the main checkout by what stands in its commands',
  async (_, agents) => {
    const cwd = await repository()
    const calls = [...leaks(cwd).map(bash), call('Write', { file_path: join(cwd, 'new'), content: 'leak' })]
    const run = await played(cwd, agents, 'worker', calls)
    const results = resultsOf(run, calls.length)
    const ran = results.flatMap((text, at) => (REFUSED.test(text) ? [] : [`${leaks('$AT')[at]}: ${text}`]))
    expect(ran).toEqual([])
    expect(git(cwd, 'status', '--short')).toBe('')
  },
)

test('what stays in the worktree, and what only reads the checkout, is done', async () => {
  const cwd = await repository()
  const calls = works(cwd).map(bash)
  const run = await played(cwd, { worker: { ...WORKER, isolation: 'worktree' } }, 'worker', calls)
  expect(run.results.flatMap(({ text, isError }, at) => (isError ? [`${works('$AT')[at]}: ${text}`] : []))).toEqual([])
  expect(run.results.at(-1)!.text).toMatch(/^From \.\.\/\.\.\/\.\.\/x to \.\.\/x\n/)
  for (const made of ['also', 'copy.txt', 'down', 'evaluated', 'inside', 'sub/inside', 'sub/link', 'tested', 'up'])
    expect(run.results.at(-1)!.text).toContain(` ${made} `)
  expect(git(cwd, 'status', '--short')).toBe('')
})

test('a run that goes on in its worktree is kept out of the checkout as before', async () => {
  const cwd = await repository()
  const { start, keep } = cast({ worker: { ...WORKER, isolation: 'worktree' } }, 'go', {
    permissions: { allow: [{ tool: 'Bash' }], ask: [], deny: [] },
  })
  const leak = bash(`cp a.txt ${cwd}/new`)
  const { url } = await fakeApi({
    turns: [{ content: [bash('echo > kept'), leak] }, { text: 'end' }, { content: [leak] }, { text: 'end' }],
  })
  const off = { ...start, sandbox: 'off' as const }
  const { result, events } = await runToEnd(off, { cwd, url, env: ENV, host: process, keep })
  const run = join(cwd, result.run_folder!)
  const [manifest, transcript] = ['manifest.json', 'transcript.jsonl'].map((name) => readFileSync(join(run, name), 'utf8')) as [
    string,
    string,
  ]
  const resume = resumed({ id: result.run_id!, folder: run, transcript, manifest: readManifest(manifest) }, { prompt: 'again' })
  const again = await runToEnd({ ...resume.history.start, sandbox: 'off' }, { cwd, url, env: ENV, host: process, resume })
  for (const all of [events, again.events]) expect(toolResults(all).at(-1)!.text).toMatch(REFUSED)
  expect(git(cwd, 'status', '--short')).toBe('')
})

test('programs of a skill that lies in the checkout are run from a worktree, and written they are not', async () => {
  const checkout = await folder({ 'kit/skills/s/run.sh': '', 'other/run.sh': '', '.claude/worktrees/agent-a/a.txt': '' })
  const path = join(checkout, '.claude/worktrees/agent-a')
  const workspace: Workspace = { root: path, cwd: path, told: path, checkout }
  const rights = { ...rightsOf({ allow: ['Bash'] }, workspace), readable: [join(checkout, 'kit/skills/s')] }
  const said = async (command: string): Promise<string> =>
    (await decided('Bash', { command }, rights, keptApart(decide, [{ checkout, path }]))).outcome
  expect(await said(`sh ${checkout}/kit/skills/s/run.sh a.txt`)).toBe('allow')
  expect(await said(`cd ${checkout}/kit/skills/s && ./run.sh`)).toBe('allow')
  for (const command of [
    `sh ${checkout}/other/run.sh a.txt`,
    `sh ${checkout}/kit/skills/s/run.sh ${checkout}/other`,
    `cp a.txt ${checkout}/kit/skills/s/run.sh`,
    `echo > ${checkout}/kit/skills/s/run.sh`,
  ])
    expect([command, await said(command)]).toEqual([command, 'deny'])
})
