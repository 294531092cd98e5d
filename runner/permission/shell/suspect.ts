import { programOf } from './command.ts'
import { interpreterOf, INTERPRETERS, isShortFor, SHELL_CHANGES } from './programs.ts'
import { HOLE, type Word } from './word.ts'

/** In the text of a program: whatever reaches files or other programs, or hides that it does. */
const REACHES =
  /system|exec|popen|spawn|process|fork|open|read|write|file|import|require|unlink|remove|delete|rmtree|rename|chmod|walk|glob|environ|argv|stdin|input|eval|compile|decode|chr\b|fromCharCode|getattr|globals|ctypes|qx|`|\bdo\b|socket|fetch|http|%x/i

/** awk runs commands through `system`, pipes and `getline`, and writes by redirecting. */
const AWK = /system|getline|\||>\s*["($\w]|close\(|@/

/** sed: the commands e, r, w and the flags e and w. */
const SED = /(?:^|[;{}\n\d$/,!\s])\s*[eErRwW](?:\s|$)|s([^\w\s])[^\n]*\1[a-zA-Z0-9]*[ewEW]/

/** Options by which a program starts another one. */
const STARTS: Readonly<Record<string, RegExp>> = {
  tar: /^(?:-[a-zA-Z]*[IF]|--(?:to-command|use-compress-program|checkpoint-action|rsh-command|info-script|new-volume-script))|^[a-zA-Z]*[IF][a-zA-Z]*$/,
  rsync: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/,
  scp: /^-[SoF]/,
  sort: /^--compress-program/,
  split: /^--filter/,
  zip: /^(?:-[a-zA-Z]*T|--unzip-command)/,
  man: /^(?:-[PHl]|--pager|--html)/,
  less: /^\+|^-[a-zA-Z]*[kK]|^--lesskey/,
  more: /^\+/,
  make: /^(?:-f-?$|-E|--eval|SHELL=|.*=.*[`$!])/,
  rg: /^--(?:pre|hostname-bin)/,
  ip: /^(?:exec|-b|-batch)/,
  install: /^--strip-program/,
  cargo: /^--config/,
  npm: /^--script-shell/,
  docker: /^(?:-H|--config|-c$)/,
  pip: /^--(?:config|index-url|extra-index-url)/,
  curl: /^(?:-K|--config)/,
  wget: /^--use-askpass|^-e$/,
  mysql: /^(?:-e|--execute|--pager)/,
  sqlite3: /^(?:-cmd|\.)|\.(?:shell|system)/,
  psql: /^(?:-c|-f)|\\!/,
}

/** Of these, long options that may be written shorter. */
const STARTS_LONG: Readonly<Record<string, readonly string[]>> = {
  tar: ['to-command', 'use-compress-program', 'checkpoint-action', 'rsh-command', 'info-script', 'new-volume-script'],
  sort: ['compress-program'],
  split: ['filter'],
  man: ['pager', 'html'],
  install: ['strip-program'],
  wget: ['use-askpass'],
  mysql: ['execute', 'pager'],
}

/** Builtins that take the name of a variable, and run the commands in its subscript: `test -v 'a[$(rm x)]'`. */
const NAMES: Readonly<Record<string, RegExp | undefined>> = {
  test: /^-[vR]$/, '[': /^-[vR]$/, printf: /^-v/, read: undefined, let: undefined, declare: undefined, typeset: undefined, local: undefined,
  export: undefined, readonly: undefined, unset: undefined, wait: undefined,
} // prettier-ignore
const SUBSCRIPT = /[A-Za-z_]\w*\[[^]*[$`\0]/

const EDITORS = new Set(['vi', 'vim', 'nvim', 'ex', 'ed', 'view', 'emacs', 'nano', 'tmux', 'screen', 'dialog', 'busctl', 'at', 'cron'])

/** Why a program may start others that rules cannot see, `undefined` if nothing says so. */
export function suspicion(words: readonly Word[]): string | undefined {
  const program = programOf(words)
  const args = words.slice(1)
  if (SHELL_CHANGES.has(program)) return `\`${program}\` changes what runs, or runs what rules cannot see`
  if (EDITORS.has(program)) return `${program} can run any command`
  if (runsSubscript(program, args)) return `${program} runs the commands in a subscript`
  if (program === 'printf' || program === 'read') return undefined
  const option = Object.hasOwn(STARTS, program)
    ? args.find(({ text }) => STARTS[program]!.test(text) || isShortFor(text, STARTS_LONG[program]))
    : undefined
  if (option) return `${program} ${option.text.split('=')[0]!.replaceAll(HOLE, '…')} can run a program`
  if (program === 'sed' && args.some(({ text }) => SED.test(text))) return 'a command of the script of sed can run or write something'
  if (/^(?:g|m|n)?awk$/.test(program)) return awk(args)
  return interpreter(program, args)
}

function runsSubscript(program: string, args: readonly Word[]): boolean {
  if (!Object.hasOwn(NAMES, program)) return false
  const option = NAMES[program]
  return (!option || args.some(({ text }) => option.test(text))) && args.some(({ text }) => SUBSCRIPT.test(text))
}

function awk(args: readonly Word[]): string | undefined {
  const file = args.some(({ text }) => /^(?:-[a-zA-Z]*[fEli]|--(?:file|exec|include|load))/.test(text))
  return file || args.some(({ text }) => AWK.test(text) || text === HOLE) ? 'the script of awk can run or write something' : undefined
}

function interpreter(program: string, args: readonly Word[]): string | undefined {
  const name = interpreterOf(program)
  if (name === undefined) return undefined
  const script = args.find(({ text }) => !text.startsWith('-'))
  if (args.length === 0 || (!script && args.some(({ text }) => text === '-')) || script?.text === '/dev/stdin')
    return `${program} runs what it reads`
  const inline = args.some(
    ({ text }) => INTERPRETERS[name]!.includes(text) || /^-[a-zA-Z]*[ceEr]$/.test(text) || /^--eval|^--print/.test(text) || text === 'eval',
  )
  if (!inline)
    return args.every(({ text }) => text.startsWith('-')) && !args.every(({ text }) => /^(?:-[vV]|--version|--help)$/.test(text))
      ? `${program} runs what it reads`
      : undefined
  return args.some(({ text }) => REACHES.test(text) || text.includes(HOLE))
    ? `a program in ${name} stands in the command, and it may do anything`
    : undefined
}
