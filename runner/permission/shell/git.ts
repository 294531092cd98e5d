import { isShortFor } from './programs.ts'
import { type Word } from './word.ts'

/** Options before git's own command that take the next word along. */
const VALUES = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
  '--attr-source',
])

/** Settings by which git runs a program, or is led to others that do. */
const RUNS =
  /^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile|worktree|excludesfile)|pager\.|diff\.|difftool\.|merge\.|mergetool\.|filter\.|credential\.|gpg\.|include|url\.|protocol\.|remote\..*(?:proxy|uploadpack|receivepack|vcs|url)|sequence\.editor|ssh\.|sendemail\.|web\.|browser\.|man\.|help\.|init\.templatedir|interactive\.|uploadpack\.|submodule\.|trailer\.|instaweb\.|guitool\.|http\.|blame\.|trace2\.|tar\.|receive\.|fsck\.|safe\.)/i

/** Options of git's commands that name a program. */
const PROGRAM_OPTIONS =
  /^(?:--(?:exec|upload-pack|receive-pack|open-files-in-pager|extcmd|tool|ext-diff|textconv|filters|template|strategy|to-cmd|cc-cmd|smtp-server|sendmail-cmd|tree-filter|index-filter|msg-filter|env-filter)(?:=|$)|-O|-x$|-u$)/

/** Those of them that git also takes written shorter, and options of its own that are no such short form. */
const PROGRAM_LONG = ['exec', 'upload-pack', 'receive-pack', 'open-files-in-pager', 'extcmd', 'ext-diff', 'textconv', 'filters']
const WHOLE = /^--(?:text|filter)(?:=|$)/

function isShortOption(command: string, arg: string, options: readonly string[]): boolean {
  return isShortFor(arg, options) && !(WHOLE.test(arg) && command !== 'cat-file')
}

const KNOWN = new Set(
  'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook index-pack init init-db interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff read-tree rebase receive-pack reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace submodule subtree switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive var verify-commit verify-pack verify-tag version whatchanged worktree write-tree'.split(
    ' ',
  ),
)

export interface GitCall {
  /** `git`, its command and what follows, without the options in between. */
  plain: readonly Word[]
  /** There were such options. */
  options: boolean
  /** Why it may run a program that is not named in a way that rules see. */
  runs?: string
  /** The folder of `-C`. */
  folder?: Word
}

/** Takes the options before git's command away (`git -C . push` is `git push`), and finds what makes it run other programs. */
export function gitCall(words: readonly Word[]): GitCall {
  let at = 1
  let runs: string | undefined
  let folder: Word | undefined
  for (; at < words.length && words[at]!.text.startsWith('-'); at++) {
    const { text } = words[at]!
    const [option, given] =
      text.startsWith('--') && text.includes('=') ? [text.split('=')[0]!, text.replace(/^[^=]*=/s, '')] : [text, undefined]
    const value = given ?? (VALUES.has(option) ? words[++at]?.text : undefined)
    if (option === '-C') folder = words[at]
    if (/^(?:--exec-path|--config-env|--git-dir|--work-tree)$/.test(option) && value !== undefined)
      runs = `git ${option} changes where git finds its programs and settings`
    if (option === '-c' && (value === undefined || value.includes('\0') || RUNS.test(value)))
      runs = `git -c ${shownKey(value)} can run a program`
  }
  const plain = [words[0]!, ...words.slice(at)]
  runs ??= byCommand(plain)
  return { plain, options: at > 1, ...(runs !== undefined && { runs }), ...(folder && { folder }) }
}

function shownKey(value: string | undefined): string {
  return (value ?? '').split('=')[0]!.replaceAll('\0', '…')
}

function byCommand(plain: readonly Word[]): string | undefined {
  const [, command, ...args] = plain.map(({ text }) => text)
  if (command === undefined) return undefined
  if (!KNOWN.has(command)) return `\`git ${command.replaceAll('\0', '…')}\` may be an alias for any command`
  if (/^(?:filter-branch|difftool|mergetool|send-email|hook|for-each-repo|credential|fast-import)$/.test(command))
    return `git ${command} runs programs`
  if (/^(?:bisect|submodule)$/.test(command) && args.some((arg) => /^(?:run|foreach)$/.test(arg)))
    return `git ${command} ${args[0]} runs a command`
  const option = args.find((arg) => PROGRAM_OPTIONS.test(arg) || isShortOption(command, arg, PROGRAM_LONG) || /^ext::|^-c$/.test(arg))
  if (
    option !== undefined &&
    !(
      command === 'add' ||
      (command === 'push' && option === '-u') ||
      (option === '-x' && /^(?:cherry-pick|clean)$/.test(command)) ||
      (option === '-u' && /^(?:stash|commit|branch|diff|status|show|log)$/.test(command)) ||
      (option === '-c' && /^(?:switch|commit|log|diff|show|diff-tree|ls-files)$/.test(command))
    )
  )
    return `git ${command} ${option.split('=')[0]} can run a program`
  if (command === 'config' && !isRead(args) && args.some((arg) => RUNS.test(arg) || arg.includes('\0')))
    return 'git config is to set what programs git runs'
  if (command === 'config' && args.some((arg) => /^(?:-e|--edit|edit)$/.test(arg))) return 'git config opens an editor'
  return undefined
}

function isRead(args: readonly string[]): boolean {
  return (
    args.some((arg) => /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)$/.test(arg)) ||
    args.filter((arg) => !arg.startsWith('-')).length === 1
  )
}

const READS = new Set(
  'status log diff show blame annotate describe rev-parse rev-list ls-files ls-tree cat-file shortlog merge-base name-rev for-each-ref show-ref count-objects whatchanged cherry range-diff diff-tree diff-index diff-files version grep show-branch check-ignore check-attr verify-commit verify-tag'.split(
    ' ',
  ),
)
const WRITES = /^(?:--output|-o$|--no-index|--ext-diff|--textconv|--filters|--open-files-in-pager|-O|--exec|--show-signature$)/

const WRITES_LONG = ['output', 'no-index', ...PROGRAM_LONG]

function mayWrite(command: string, args: readonly string[]): boolean {
  return args.some((arg) => WRITES.test(arg) || isShortOption(command, arg, WRITES_LONG))
}

/** Whether a call of git, with no options before its command, only shows something (claude-code-agents.md 5.3). */
export function gitReads(plain: readonly Word[]): boolean {
  const [, command, ...args] = plain.map(({ text }) => text)
  if (command === undefined) return true
  const free = args.find((arg) => !arg.startsWith('-'))
  const only = (options: RegExp): boolean => args.every((arg) => options.test(arg))
  if (READS.has(command)) return !mayWrite(command, args)
  if (command === 'branch') return only(/^(?:-a|-r|-v|-vv|-l|--list|--all|--remotes|--show-current|--merged|--no-merged|--verbose)$/)
  if (command === 'tag') return args.length === 0 || /^(?:-l|--list)$/.test(args[0]!)
  if (command === 'remote') return only(/^-v$|^--verbose$/) || free === 'get-url'
  if (command === 'stash' || command === 'worktree' || command === 'reflog')
    return /^(?:list|show)$/.test(args[0] ?? '') && !mayWrite(command, args)
  if (command === 'config') return args.some((arg) => /^(?:--get|--get-all|--get-regexp|--list|-l)$/.test(arg))
  return false
}
