import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../runner/events.ts'
import { ended } from '../support/bin.ts'
import { caseNames, CASES } from '../support/case.ts'
import { git } from '../support/git.ts'
import { withEnvironment } from '../support/processes.ts'
import { put } from '../support/tree.ts'
import { below, type Driver, faults, runFaults, sides, text, transcripts, until, wrong } from './case-stage.ts'

const STUB = new URL('mcp/stub.mjs', import.meta.url).pathname

const DRIVERS: Readonly<Record<string, Driver>> = {
  '26-closest-directory-wins': ({ run, api }) =>
    faults(run('run', 'critic', 'hi'), () => ({ 'the prompt of the root is sent': JSON.stringify(api.requests).includes('ROOT PROMPT') })),
  '35-deny-also-covers-deferred-tools': ({ run, cwd, root, api }) => {
    const { mcpServers } = JSON.parse(readFileSync(join(root, 'session.json'), 'utf8')) as { mcpServers: Record<string, string[]> }
    const servers = Object.entries(mcpServers).map(([name, tools]) => [
      name,
      { type: 'stdio', command: process.execPath, args: [STUB, `tools:${tools.join(',')}`] },
    ])
    put(root, 'home/.claude.json', JSON.stringify({ mcpServers: Object.fromEntries(servers) as object }))
    return faults(run('run', 'quiet', 'go'), ({ code }) => ({
      'it does not succeed': code !== 0,
      'the command was run': existsSync(join(cwd, 'escaped')),
      'tools that nothing denies are missing': !['Read', 'mcp__tickets__list', 'mcp__docs__search', 'mcp__mail__send'].every((name) =>
        api.requests[0]?.body.tools?.some((tool) => tool.name === name),
      ),
    }))
  },
  '38-bash-specifier-reads-as-a-limit': ({ run, cwd }) =>
    faults(run('run', 'historian', 'go'), () => ({ 'the command was run': existsSync(join(cwd, 'escaped')) })),
  '48-plan-mode-binds-children': ({ run, cwd }) =>
    faults(run('run', 'lead', 'go'), ({ code, result }) => ({
      'the run does not succeed': code !== 0,
      'a file was written': existsSync(join(cwd, 'escaped.txt')) || existsSync(join(cwd, 'escaped2')),
      'the child is not told that it is in plan mode': sides(cwd, result).split('in plan mode').length < 3,
    })),
  '50-settings-deny-binds-children': ({ run, cwd }) =>
    faults(run('run', 'lead', 'go'), ({ result }) => ({
      'the denied calls are not denied': sides(cwd, result).split('"denied":true').length !== 3,
      'the rule is not named': !sides(cwd, result).includes('Bash(git push'),
    })),
  '52-tool-names-unique-in-request': ({ run }) => faults(run('run', 'double', 'go'), ({ code }) => ({ 'it does not succeed': code !== 0 })),
  async '53-model-reaches-the-request'({ begin }) {
    const ran = await ended(begin('run', 'lead', 'go', '--format', 'stream-json'))
    const started = ran.out.split('\n').filter((line) => line.includes('"task_started"'))
    const models = started.map((line) => JSON.parse(line) as { model: string; model_from: string })
    return wrong({
      'it does not succeed': ran.code !== 0,
      'the model and whose choice it was are not told': !/^claude-\S* definition,claude-\S* parent$/.test(
        models.map(({ model, model_from }) => `${model} ${model_from}`).join(','),
      ),
    })
  },
  '56-effort-reaches-the-request': ({ run }) => faults(run('run', 'low', 'go'), ({ code }) => ({ 'it does not succeed': code !== 0 })),
  '59-hook-blocks-child-call': ({ run, cwd }) =>
    faults(run('run', 'lead', 'go', '--trust'), () => ({
      'the blocked command was run': existsSync(join(cwd, 'escaped')),
      'the hook of the agent was not told of the call': !/"agent_type":"fenced"/.test(text(join(cwd, 'seen-frontmatter.json'))),
      'the hook of the settings was not told of the call': !/"tool_name":"Bash"/.test(text(join(cwd, 'seen-settings.jsonl'))),
    })),
  async '62-skills-preload'({ run, root, api }) {
    const plugin = ['--plugin-dir', join(root, 'plugins/kit')]
    const { code } = await run('run', 'writer', 'go', ...plugin)
    const whole = api.faults.length
    // The case scripts one answer; the request of the second agent is looked at all the same.
    await run('run', 'writer2', 'go', ...plugin)
    api.faults.splice(whole)
    const sent = JSON.stringify(api.requests)
    return wrong({
      'it does not succeed': code !== 0,
      'the two agents do not both get both skills': sent.split('MARKER-TONE').length !== 3 || sent.split('MARKER-REPORT').length !== 3,
      'a frontmatter is put in': sent.includes('description: '),
    })
  },
  '66-memory-folder-follows-the-agent': ({ run, cwd }) =>
    faults(run('run', 'keeper', 'go'), ({ code }) => ({
      'it does not succeed': code !== 0,
      'there is a folder of notes below the working directory': existsSync(join(cwd, '.claude')),
      'there is a folder of notes that holds none': existsSync(join(cwd, '../../.claude/agent-memory-local')),
    })),
  async '70-silent-child-times-out'({ run, cwd }) {
    // The script tells requests apart by the name in the prompt, which the files of the case do not hold.
    for (const name of ['mute', 'quick']) appendFileSync(join(cwd, `.claude/agents/${name}.md`), `\nYou are ${name}.\n`)
    return faults(run('run', 'lead', 'go', '--max-idle-seconds', '2'), ({ code, result }) => ({
      'the run does not go on': code !== 0,
      'the silent agent counts as completed': result.subagent_stats?.completed !== 1 || result.subagent_stats.failed !== 1,
    }))
  },
  async '71-mcp-children-are-reaped'({ run, begin, cwd, root, api }) {
    const wrapper = join(cwd, 'wrap.sh')
    writeFileSync(wrapper, readFileSync(wrapper, 'utf8').replace('exec node fake-server.mjs', `exec '${process.execPath}' '${STUB}'`))
    chmodSync(wrapper, 0o755)
    const argv = ['run', 'user-of-server', 'go', '--trust']
    const well = await run(...argv)
    const afterEnd = below(root)
    const refused = await run(...argv)
    const afterFault = below(root)
    const unscripted = api.faults.splice(0)
    // Whoever asks now waits for ever.
    api.hang()
    const child = begin(...argv, '--format', 'json')
    const ran = ended(child)
    await until(() => api.requests.length === 3)
    const started = below(root).length
    child.kill('SIGTERM')
    const { code } = await ran
    return wrong({
      'the first run does not succeed': well.code !== 0,
      'the second run did not meet a fault of the API': refused.code === 0 || unscripted.length !== 1,
      'the server and what it has started were not there': started < 2,
      'the third run was not ended': code !== 143,
      'a process is left': [...afterEnd, ...afterFault, ...below(root)].length > 0,
    })
  },
  '72-bash-timeout-kills-the-group': ({ run, api: { requests } }) =>
    faults(run('run', 'runner', 'go'), ({ code, result }) => ({
      'it does not succeed': code !== 0,
      // From the reply with the call to the request with its answer, so that a busy machine's start of a program does not count.
      'the call is not answered within five seconds': !(requests[1]!.at - requests[0]!.at < 5000),
      'a process is left': withEnvironment(result.session_id).length > 0,
    })),
  '74-turn-limit-keeps-partial-work': ({ run, api }) =>
    faults(run('run', 'busy', 'go'), ({ code, result }) => ({
      'there are not two requests': api.requests.length !== 2,
      'it does not say that the limit was reached': result.terminal_reason !== 'max_turns' || result.num_turns !== 2,
      'it counts as success': code === 0,
      'a finding is lost': !/FINDING-ONE[^]*FINDING-TWO/.test(result.result),
    })),
  '76-context-overflow': ({ run, api }) =>
    faults(run('run', 'glutton', 'go'), ({ code, result }) => ({
      'it neither goes on nor says why not': result.terminal_reason !== 'completed' && result.terminal_reason !== 'context_overflow',
      'what it had said is lost': !result.result.includes('SO-FAR') && result.terminal_reason !== 'completed',
      'an overflow counts as success': result.terminal_reason === 'context_overflow' && code === 0,
      'the same request is sent again': new Set(api.requests.map(({ body }) => JSON.stringify(body))).size < api.requests.length,
      // A run that shortens the conversation may ask for a summary, which the case does not script.
      'it goes on and on': api.faults.splice(0).length > 1,
    })),
  '77-reply-split-by-output-limit': ({ run }) =>
    faults(run('run', 'author', 'go'), ({ code, result }) => ({
      'the first part is lost': !result.result.includes('PART-A'),
      'a part that is missing counts as success': !result.result.includes('PART-B') && code === 0,
    })),
  '79-overloaded-is-retried': ({ run, api }) =>
    faults(run('run', 'patient', 'go'), ({ code, result }) => ({
      'it does not succeed': code !== 0 || !result.result.includes('DONE'),
      'there are not five requests': api.requests.length !== 5,
    })),
  async '81-interrupted-call-keeps-pairs'({ begin, run, cwd }) {
    const child = begin('run', 'pairs', 'go', '--format', 'json')
    const ran = ended(child)
    await until(() => transcripts(cwd).some((text) => text.split('"tool_start"').length === 3))
    child.kill('SIGINT')
    const first = JSON.parse((await ran).out) as RunResult
    const second = await run('run', '--resume', first.run_id!, 'go on')
    return wrong({
      'the first run does not say that it was interrupted': first.terminal_reason !== 'interrupted',
      'a process is left': withEnvironment(first.session_id).length > 0,
      'the second run does not succeed': second.code !== 0,
    })
  },
  async '82-resume-keeps-identity'({ run, cwd }) {
    const first = await run('run', 'narrow', 'one')
    const file = join(cwd, '.claude/agents/narrow.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^---\n/, '---\ndisallowedTools: Read\n'))
    const second = await run('run', '--resume', first.result.run_id!, 'two')
    appendFileSync(join(cwd, first.result.run_folder!, 'manifest.json'), 'x')
    const damaged = await run('run', '--resume', first.result.run_id!, 'three')
    return wrong({
      'the second run does not succeed': second.code !== 0,
      'a damaged run is gone on with': damaged.code === 0 || damaged.err === '',
    })
  },
  async '83-clean-worktree-is-removed'({ run, cwd }) {
    const before = [git(cwd, 'worktree', 'list'), git(cwd, 'branch'), git(cwd, 'rev-parse', 'HEAD')].join('\n')
    const { code } = await run('run', 'iso-read', 'go')
    const after = [git(cwd, 'worktree', 'list'), git(cwd, 'branch'), git(cwd, 'rev-parse', 'HEAD')].join('\n')
    return wrong({ 'it does not succeed': code !== 0, 'something is left, or HEAD has moved': before !== after })
  },
  '85-absolute-path-out-of-the-worktree': ({ run, cwd }) =>
    faults(run('run', 'escapee', 'go'), ({ result }) => ({
      'the file of the main checkout was changed': readFileSync(join(cwd, 'a.txt'), 'utf8') !== 'main\n',
      'the error does not name the path to use': !/use \S+worktrees\/agent-\S+a\.txt/.test(
        text(join(cwd, result.run_folder!, 'transcript.jsonl')),
      ),
    })),
  '86-spawn-depth-and-budget': ({ run, api }) =>
    faults(run('run', 'researcher', 'go'), ({ code, result }) => ({
      'it counts as success': code === 0,
      'it sends more than 60 requests': api.requests.length > 60,
      'the limit is not named': !JSON.stringify(api.requests).includes('limits.spawnDepth'),
      'what the whole tree has used is not told': !result.subagent_stats || Object.keys(result.modelUsage).length === 0,
    })),
  '96-unattended-ask-is-denied-aloud': ({ run, cwd }) =>
    faults(run('run', 'scribe', 'go'), ({ code, result, err }) => ({
      'the file was written': existsSync(join(cwd, 'note.txt')),
      'it counts as success': code === 0,
      'the denied call is not listed': result.permission_denials.length !== 1,
      'the rule that would allow it is not named': !/Write\(|Edit\(/.test(JSON.stringify(result) + err),
    })),
}

describe('the runs of the cases', () => {
  it('every case with an API is run here', () => {
    const scripted = caseNames().filter((name) => existsSync(join(CASES, name, 'api.json')))
    expect(Object.keys(DRIVERS).sort()).toEqual(scripted)
  })

  it.each(Object.keys(DRIVERS))('%s', async (name) => {
    expect(await runFaults(name, DRIVERS[name]!)).toEqual([])
  })
})
