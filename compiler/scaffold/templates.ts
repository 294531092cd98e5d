/** A file that `agentc init` makes, relative to the project's root. */
export interface Template {
  path: string
  text: string
  /** What it is, in a few words. */
  what: string
}

/**
 * The schema is named relative to the file, in the installed package: nothing is fetched, and it fits the version that checks the file.
 * The comment stands inside the frontmatter, where it is a YAML comment to every reader.
 */
const EXAMPLE = `---
# yaml-language-server: $schema=../../node_modules/agentc/schemas/agent.schema.json
name: example
description: Reviews a change for mistakes before it is committed. Use it when a piece of work is done, and say which files it touched.
tools: Read, Grep, Glob
model: inherit
maxTurns: 20
---

You review a change. You read and search; you change nothing.

How to work:

- Read every file of the change as a whole, not only the changed lines, and then the places that call what was changed.
- Look first for what breaks: wrong results, lost errors, unchecked input, missing tests. Style comes last, and only where it misleads.
- Be sure before you report. Quote the line, say what happens because of it, and what would mend it.

Answer with a list, the worst first, each with the path and line. If there is nothing to report, say so in one sentence.
`

/**
 * It starts the agentc that the project has installed, by its path: nothing is looked up or fetched by name. Values that others can
 * choose, such as a branch's name, come as environment variables and never as part of a script.
 */
const WORKFLOW = `# Checks the agents on each push, and says in a pull request what they gained.
# It runs the agentc of the project's own node_modules, so agentc has to be in its devDependencies.
name: agents
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  agents:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - name: Build
        run: node_modules/.bin/agentc build --strict --format github
      - name: What changed in power
        if: \${{ !cancelled() && github.event_name == 'pull_request' }}
        # Add --fail-on-gain to make it a gate.
        run: node_modules/.bin/agentc diff "origin/$GITHUB_BASE_REF" --format github
`

export const AGENT_FOLDER = '.claude/agents'

export const EXAMPLE_AGENT: Template = { path: `${AGENT_FOLDER}/example.md`, text: EXAMPLE, what: 'an agent to start from' }
export const WORKFLOW_FILE: Template = { path: '.github/workflows/agents.yml', text: WORKFLOW, what: 'a check for GitHub Actions' }
