/** What a script cannot decide about the faults, read by hand. Keys are ids of test/faults/INDEX.md. */

/** Legal files: a tool may say something as an info, and is too loud above it. The reasons are in INDEX.md and what-to-report.md. */
export const LEGAL = ['07', '13', '14', '31', '39', '44', '49', '54']

/** A valid agent with every documented field, beside the two controls: what a tool says of it, it says of valid values. */
export const RICH = `---
name: rich-control
description: Reviews code changes for defects before they are merged. Use proactively after each change set
tools: Read, Grep, Glob, Bash, Edit
disallowedTools: WebFetch
model: sonnet
color: blue
effort: high
maxTurns: 12
permissionMode: acceptEdits
memory: project
isolation: worktree
background: true
skills:
  - code-review
mcpServers:
  - docs:
      type: stdio
      command: docs-server
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: "./scripts/check.sh"
---

You are a careful reviewer of code changes. You work on one task at a time and report back in plain words.

## How to work

1. Read the change set and list the files that it touches.
2. For each file, compare the code with its documented contract.
`

/** [fault, tool, the letter after reading, why]. */
export const READ = [
  ['08', 'cclint', '.', 'says that the name differs from the file name, nothing of the second file of that name'],
  ['08', 'claudelint', '.', 'says that the name differs from the file name, nothing of the second file of that name'],
  ['10', 'cclint', '.', 'calls the keys hooks and PreToolUse unrecognized, nothing of the tab'],
  ['12', 'claudelint', '.', 'calls the body too short, nothing of the fence'],
  ['37', 'cclint', '.', 'calls the nine keys unrecognized, nothing of the aliases'],
  ['41', 'claudelint', '.', 'calls the body too short, nothing of the frontmatter'],
  ['52', 'cclint', '.', 'asks for lower case, nothing of the second file'],
  ['52', 'claudelint', '.', 'asks for lower case, nothing of the second file'],
]
