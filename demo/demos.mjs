// What the demos show, step by step: a title, a program and its arguments. The prompts stand in the recordings (scripts/record-demo.mjs).
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

export const DEMOS = {
  review: {
    project: 'project',
    home: 'home',
    run: ['reviewer', 'Review src/duration.js.'],
    recording: 'reviewer.jsonl',
    model: 'reviewer.json',
    steps: (here) => [
      ['Three agents, and two of one name: what does the compiler say?', 'agentc', 'build'],
      ['Which agents are there now, and what may they use?', 'agentc', 'list'],
      ['Explore stands in three layers. Which one won, and what did it get?', 'agentc', 'explain', 'Explore'],
      ['Why has it no Bash?', 'agentc', 'explain', 'Explore', 'Bash'],
      ['Run the reviewer, on a recorded conversation.', 'agentc', 'run', ...DEMOS.review.run, '--replay', join(here, 'reviewer.jsonl')],
    ],
  },
  delegation: {
    project: 'delegation/project',
    repository: true,
    run: ['lead', "seconds('2d') gives NaN: find out why, and mend it.", '--trust'],
    recording: 'delegation.jsonl',
    model: 'delegation.json',
    steps: (here) => [
      ['A lead, three agents that it may start, an MCP server, a hook and a skill.', 'agentc', 'build'],
      [
        'The lead works, on a recorded conversation; tools, server, hook and git are real.',
        'agentc',
        'run',
        ...DEMOS.delegation.run,
        '--replay',
        join(here, 'delegation.jsonl'),
      ],
      ['What happened, as a tree: who started whom, what each did, and what allowed it.', 'agentc', 'runs', 'show', 'THE_RUN'],
      ['The fixer worked in a copy of its own: the change waits there, on its branch.', 'git', 'worktree', 'list'],
      ['The hook has written down who stopped.', 'cat', 'stopped.log'],
    ],
  },
}

/** Lays the project of a demo, and the person's folder beside it. */
export function lay({ project, home, repository }, here, work) {
  cpSync(join(here, project), join(work, 'project'), { recursive: true })
  mkdirSync(join(work, 'home'), { recursive: true })
  if (home) cpSync(join(here, home), join(work, 'home'), { recursive: true })
  if (repository) asRepository(join(work, 'project'))
}

/** A worktree needs a repository with a commit; always the same one, because a recording holds what git says of it. */
function asRepository(cwd) {
  const at = '2026-01-01T00:00:00Z'
  const who = {
    GIT_AUTHOR_NAME: 'demo',
    GIT_AUTHOR_EMAIL: 'demo@example.com',
    GIT_COMMITTER_NAME: 'demo',
    GIT_COMMITTER_EMAIL: 'demo@example.com',
  }
  const env = {
    ...process.env,
    ...who,
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_DATE: at,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  }
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'A small library'],
  ]) {
    const { status, error, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args[0]} failed: ${error?.message ?? stderr}`)
  }
}
