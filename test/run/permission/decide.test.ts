import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Mode } from '../../../runner/permission/asked.ts'
import { modeNotice } from '../../../runner/permission/mode.ts'
import { ruleText } from '../../../schemas/rule-text.ts'
import { mayFit } from '../../../runner/permission/may-fit.ts'
import { starFits } from '../../../schemas/star.ts'
import { openWorkspace, type Workspace } from '../../../runner/workspace.ts'
import { link, put, temporary } from '../../support/tree.ts'
import { decided, type Lists, rightsOf, rulesOf } from './stage.ts'

async function ground(): Promise<Workspace> {
  const root = temporary()
  put(root, 'project/src/a.ts', '')
  put(root, 'project/.env', '')
  put(root, 'project/.git/config', '')
  link(root, 'project/out', '/etc')
  return openWorkspace(join(root, 'project'), join(root, 'home'))
}

const workspace = await ground()
const outcome = async (tool: string, input: Record<string, unknown>, lists: Lists = {}, mode: Mode = 'default') =>
  (await decided(tool, input, rightsOf(lists, workspace, mode))).outcome
const bash = (command: string) => ({ command })
const file = (file_path: string) => ({ file_path })

const CASES: [string, string, Record<string, unknown>, Lists, Mode, string][] = [
  ['deny wins over allow', 'Bash', bash('git push'), { allow: ['Bash(git push:*)'], deny: ['Bash(git push:*)'] }, 'default', 'deny'],
  ['deny wins over bypass', 'Edit', file('src/a.ts'), { deny: ['Edit'] }, 'bypassPermissions', 'deny'],
  ['deny wins over ask', 'Bash', bash('x'), { ask: ['Bash'], deny: ['Bash(x)'] }, 'default', 'deny'],
  ['ask wins over the mode', 'Edit', file('src/a.ts'), { ask: ['Edit'] }, 'bypassPermissions', 'ask'],
  ['ask wins over allow', 'Bash', bash('make x'), { allow: ['Bash(make:*)'], ask: ['Bash(make x)'] }, 'default', 'ask'],
  ['the mode wins over nothing', 'Edit', file('src/a.ts'), {}, 'acceptEdits', 'allow'],
  ['without a rule a person is asked', 'Edit', file('src/a.ts'), {}, 'default', 'ask'],
  ['auto is as default', 'Edit', file('src/a.ts'), {}, 'auto', 'ask'],
  ['bubble is as default', 'Edit', file('src/a.ts'), {}, 'bubble', 'ask'],
  ['dontAsk denies', 'Edit', file('src/a.ts'), {}, 'dontAsk', 'deny'],
  ['dontAsk follows rules', 'Edit', file('src/a.ts'), { allow: ['Edit(src/**)'] }, 'dontAsk', 'allow'],
  ['the home of a named user is known to the shell alone', 'Bash', bash('cat ~root/.profile'), {}, 'default', 'ask'],
  ['so is a folder that the shell was in before', 'Bash', bash('cat ~-/.profile'), {}, 'default', 'ask'],
  ['what strings takes words from is read', 'Bash', bash('strings @/etc/passwd'), {}, 'default', 'ask'],
  ['plan changes nothing', 'Edit', file('src/a.ts'), { allow: ['Edit'] }, 'plan', 'deny'],
  ['plan runs what reads', 'Bash', bash('ls | head'), {}, 'plan', 'allow'],
  ['plan runs nothing else', 'Bash', bash('make'), { allow: ['Bash(make:*)'] }, 'plan', 'deny'],
  ['a rule that allows a change allows reading', 'Read', file('/etc/hostname'), { allow: ['Edit(//etc/**)'] }, 'default', 'allow'],
  ['a rule must fit the link and its target', 'Read', file('out/hostname'), { allow: ['Read(out/**)'] }, 'default', 'ask'],
  ['both fit', 'Read', file('out/hostname'), { allow: ['Read(out/**)', 'Read(//etc/**)'] }, 'default', 'allow'],
  ['all of Read is about the project', 'Read', file('/etc/hostname'), { allow: ['Read', 'Edit'] }, 'default', 'ask'],
  ['all of Edit is about the project', 'Write', file('/var/x'), { allow: ['Edit', 'Write'] }, 'default', 'ask'],
  ['what is named is written elsewhere', 'Write', file('/var/x'), { allow: ['Edit(//var/**)'] }, 'default', 'allow'],
  ['a person is not asked for what no tool writes', 'Write', file('.git/config'), { allow: ['Edit'] }, 'default', 'deny'],
  ['nor for secrets', 'Edit', file('.env'), {}, 'default', 'deny'],
  ['a hidden file is not written either', 'Write', file('.env'), { deny: ['Read(./.env)'] }, 'bypassPermissions', 'deny'],
  ['but notebooks are', 'NotebookEdit', { notebook_path: '.env' }, { deny: ['Read(./.env)'] }, 'bypassPermissions', 'allow'],
  ['a domain', 'WebFetch', { url: 'https://API.example.com./x' }, { allow: ['WebFetch(domain:*.example.com)'] }, 'default', 'allow'],
  ['not the domain above', 'WebFetch', { url: 'https://example.com' }, { allow: ['WebFetch(domain:*.example.com)'] }, 'default', 'ask'],
  ['no trick with user names', 'WebFetch', { url: 'https://a.example.com@evil.org/' }, { allow: ['WebFetch(domain:*.example.com)'] }, 'default', 'ask'],
  ['a skill by prefix', 'Skill', { skill: '/review:fast' }, { allow: ['Skill(review:*)'] }, 'default', 'allow'],
  ['an agent that is denied', 'Agent', { subagent_type: 'Explore' }, { deny: ['Agent(Explore)'] }, 'default', 'deny'],
  ['another agent', 'Agent', { subagent_type: 'worker' }, { deny: ['Agent(Explore)'] }, 'default', 'allow'],
  ['a parameter', 'Bash', { command: 'ls', run_in_background: true }, { deny: ['Bash(run_in_background:true)'] }, 'default', 'deny'],
  ['a tool of a server', 'mcp__a__b', {}, { allow: ['mcp__a'] }, 'default', 'allow'],
  ['a plan needs a person', 'ExitPlanMode', {}, {}, 'bypassPermissions', 'ask'],
  ['the project is never removed unasked', 'Bash', bash('rm -rf ../project'), { allow: ['Bash'] }, 'bypassPermissions', 'ask'],
  ['the root is never removed unasked', 'Bash', bash('rm -rf /'), { allow: ['Bash(rm:*)'] }, 'bypassPermissions', 'ask'],
  ['a folder of an empty variable', 'Bash', bash('rm -rf "$X"/*'), { allow: ['Bash'] }, 'bypassPermissions', 'ask'],
  ['a line that is too long', 'Bash', bash(`echo ${'a'.repeat(10_000)}`), { allow: ['Bash'] }, 'default', 'ask'],
  ['NUL', 'Bash', bash('echo a\0rm'), { allow: ['Bash'] }, 'default', 'ask'],
  ['a blank that bash takes for a letter', 'Bash', bash('echo\u00a0rm'), { allow: ['Bash'] }, 'default', 'ask'],
  ['a letter that looks like another', 'Bash', bash('g\u0456t status'), { allow: ['Bash(git status:*)'] }, 'default', 'ask'],
  ['the very line', 'Bash', bash('echo $(date) > log'), { allow: ['Bash(echo $(date) > log)'] }, 'default', 'allow'],
  ['all of Bash, with nothing denied', 'Bash', bash('source venv/bin/activate && pytest'), { allow: ['Bash'] }, 'default', 'allow'],
  ['harmless variables', 'Bash', bash('NO_COLOR=1 npm test'), { allow: ['Bash(npm test)'] }, 'default', 'allow'],
  ['other variables', 'Bash', bash('X=1 npm test'), { allow: ['Bash(npm test)'] }, 'default', 'ask'],
] // prettier-ignore

test.each(CASES)('%s: %s', async (_, tool, input, lists, mode, expected) => {
  expect(await outcome(tool, input, lists, mode)).toBe(expected)
})

test('a limit is a cap: what it does not name is denied, what it names still needs to be allowed', async () => {
  const limits = rulesOf('allow', ['Bash(git *)'])
  const rights = (lists: Lists, mode?: Mode) => ({ ...rightsOf(lists, workspace, mode), limits })
  expect((await decided('Bash', bash('make'), rights({ allow: ['Bash'] }, 'bypassPermissions'))).outcome).toBe('deny')
  expect((await decided('Bash', bash('git commit -m x'), rights({}))).outcome).toBe('ask')
  expect((await decided('Bash', bash('git commit -m x'), rights({ allow: ['Bash'] }))).outcome).toBe('allow')
  expect((await decided('Bash', bash('git commit -m x; make'), rights({ allow: ['Bash'] }))).outcome).toBe('deny')
})

test.each<[string, Record<string, unknown>, string]>([
  ['Bash', bash('npm run build -- -w'), 'Bash(npm run build:*)'],
  ['Bash', bash('git push origin main'), 'Bash(git push:*)'],
  ['Bash', bash('timeout 5 make all'), 'Bash(make all:*)'],
  ['Bash', bash('curl http://x'), 'Bash(curl http://x)'],
  ['Edit', file('src/a.ts'), 'Edit(src/a.ts)'],
  ['Read', file('/etc/hostname'), 'Read(//etc/**)'],
  ['WebFetch', { url: 'https://a.example.com/x' }, 'WebFetch(domain:a.example.com)'],
  ['mcp__a__b', {}, 'mcp__a__b'],
])('a denial of %s %j names a rule, and that rule allows it', async (tool, input, rule) => {
  const decision = await decided(tool, input, rightsOf({}, workspace))
  const would = decision.outcome === 'ask' ? decision.would! : expect.fail('it is not asked about')
  expect(ruleText(would)).toBe(rule)
  expect(rulesOf('allow', [rule])).toMatchObject([would])
  expect(await outcome(tool, input, { allow: [rule] })).toBe('allow')
})

test('what decided is named with its place', async () => {
  const decision = await decided('Bash', bash('rm x'), rightsOf({ deny: ['Bash(rm:*)'] }, workspace))
  expect(decision).toMatchObject({
    reason: 'denied by the rule Bash(rm:*) (.claude/settings.json:1)',
    rule: { tool: 'Bash', origin: { source: 'project' } },
  })
})

test('the memory of an agent is written without asking, the rest of its folder is not', async () => {
  const rights = { ...rightsOf({}, workspace), own: [join(workspace.cwd, '.claude/agent-memory/a')] }
  expect((await decided('Write', file('.claude/agent-memory/a/x.md'), rights)).outcome).toBe('allow')
  expect((await decided('Write', file('.claude/agent-memory/b/x.md'), rights)).outcome).toBe('ask')
})

test('a mode that does not do what its name says is said', () => {
  expect(modeNotice('auto')).toContain('as default')
  expect(modeNotice('plan')).toBeUndefined()
})

test('a pattern may fit what holes turn into, and only then', () => {
  expect([mayFit('git push *', 'git \0', '\0'), mayFit('git push', '\0 push', '\0'), mayFit('rm *', 'ls \0', '\0')]).toEqual([
    true,
    true,
    false,
  ])
  expect([starFits('a*b*c', 'abc'), starFits('a*b*c', 'acb'), starFits('ab*ba', 'aba')]).toEqual([true, false, false])
})
