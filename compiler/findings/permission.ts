import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about permission rules: each is about one rule, at its place. */

interface Written {
  text: string
  list: 'allow' | 'ask' | 'deny'
  file: SourceFile
  range: Range
}

/** What it means that a rule does not count. */
function effect({ list }: Written): string {
  return list === 'allow' ? 'so it is left out and allows nothing' : list === 'deny' ? 'so it denies nothing' : 'so nobody is asked'
}

/** A rule that is left out: an error where it was to restrict. */
function leftOut(written: Written, code: 'permission/malformed' | 'permission/never-matches', problem: string, help: string): Diagnostic {
  const lost = written.list !== 'allow' && code === 'permission/malformed'
  return finding(
    lost ? 'permission/lost-restriction' : code,
    placeIn(written.file, written.range),
    `The rule \`${clipped(written.text)}\` ${problem}, ${effect(written)}.`,
    { help },
  )
}

export function malformedRule(written: Written, fault: string): Diagnostic {
  return leftOut(written, 'permission/malformed', fault, 'Write `Tool`, `Tool(what it is about)` or `mcp__server__tool`.')
}

/** An item of a list of rules that is no text. */
export function ruleType(written: Written, type: string): Diagnostic {
  return leftOut(written, 'permission/malformed', `is ${type} and no text`, 'Write each rule as a text in quotes.')
}

export function neverMatches(written: Written, why: string, help: string): Diagnostic {
  return leftOut(written, 'permission/never-matches', `can never match, because ${why}`, help)
}

export function allowGlob(written: Written): Diagnostic {
  const why = 'an allow rule may have a star only after the full name of an MCP server'
  return neverMatches(written, why, 'Name the tools one by one, or write `mcp__server__*`.')
}

/** Claude Code takes such a rule and never looks at it. agentc enforces it where it restricts. */
export function pathNotConsulted(written: Written, tool: string, instead: 'Read' | 'Edit'): Diagnostic {
  const what = `is never consulted by Claude Code, because paths of ${tool} are judged by the rules of ${instead}`
  const here = written.list === 'allow' ? effect(written) : 'only agentc enforces it'
  return finding(
    'permission/never-matches',
    placeIn(written.file, written.range),
    `The rule \`${clipped(written.text)}\` ${what}, ${here}.`,
    {
      help: `Write \`${instead}(…)\` with the same path.`,
    },
  )
}

export function pathUp(written: Written): Diagnostic {
  return leftOut(
    written,
    'permission/malformed',
    'goes up with `..`, which a pattern cannot do',
    'Write the path from the root with `//`, from the home folder with `~/`, or from the folder of the settings with `/`.',
  )
}

/** `!` takes paths out of the other rules of the same list; without it, an allow rule reaches too far and any other far enough. */
export function exception(written: Written): Diagnostic {
  const loosens = written.list === 'allow'
  const outcome = loosens
    ? 'so what it takes out of the other rules stays allowed'
    : 'so the other rules of the list hold for these paths too'
  const message = `agentc knows no exceptions such as \`${clipped(written.text)}\`, ${outcome}.`
  return finding(loosens ? 'permission/lost-restriction' : 'permission/exception', placeIn(written.file, written.range), message, {
    help: 'Write the other rules so that they leave these paths out, or rules for these paths under `ask` or `deny`.',
  })
}

export function unknownAnchor(written: Written): Diagnostic {
  const result =
    written.list === 'deny'
      ? 'refuses every call it could be about'
      : written.list === 'ask'
        ? 'asks about every such call'
        : 'allows nothing'
  return finding(
    'permission/anchor',
    placeIn(written.file, written.range),
    `The path of \`${clipped(written.text)}\` counts from the folder of this file, which a manifest cannot name, so the rule ${result}.`,
    { help: 'Write the path from the root with `//`, from the home folder with `~/`, or from the working directory without a slash.' },
  )
}

export function misspeltTool(written: Written, tool: string, meant: string): Diagnostic {
  return finding(
    'permission/lost-restriction',
    placeIn(written.file, written.range),
    `There is no tool \`${clipped(tool)}\`, ${effect(written)}.`,
    {
      help: `Did you mean \`${meant}\`?`,
    },
  )
}

export function unknownTool(written: Written, tool: string, meant: string | undefined): Diagnostic {
  return finding(
    'permission/unknown-tool',
    placeIn(written.file, written.range),
    `There is no tool \`${clipped(tool)}\`, so this rule is about nothing.`,
    {
      help: meant ? `Did you mean \`${meant}\`?` : 'Correct the name, or remove the rule.',
    },
  )
}

/** In: an allow rule, and the deny rule that is stronger. */
export function deadAllow(written: Written, by: Written): Diagnostic {
  return finding(
    'permission/dead-allow',
    placeIn(written.file, written.range),
    `\`${clipped(written.text)}\` allows nothing, because \`${clipped(by.text)}\` in ${by.file.origin.path} denies it.`,
    { help: 'Remove one of the two rules.', related: [{ message: 'the deny rule', at: placeIn(by.file, by.range) }] },
  )
}

export function inNoView(written: Written, tool: string): Diagnostic {
  return finding('permission/in-no-view', placeIn(written.file, written.range), `No agent has ${tool}, so this rule is about nothing.`, {
    help: 'Give the tool to an agent, or remove the rule.',
  })
}

const LENGTH = 80

function clipped(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= LENGTH ? line : `${line.slice(0, LENGTH)}…`
}
