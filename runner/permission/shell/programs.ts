/**
 * What is known about programs: data, so that a person can see at one place what runs unasked (claude-code-agents.md 5.3).
 * A program that is not here is never run without a rule.
 */

/** Wrappers that a rule for the inner command looks through, with the options that take a value (5.3). */
export const TRANSPARENT: Readonly<Record<string, { values: readonly string[]; operands: number }>> = {
  timeout: { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  time: { values: ['-f', '--format', '-o', '--output'], operands: 0 },
  nice: { values: ['-n', '--adjustment'], operands: 0 },
  nohup: { values: [], operands: 0 },
  stdbuf: { values: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 },
  command: { values: [], operands: 0 },
  builtin: { values: [], operands: 0 },
  noglob: { values: [], operands: 0 },
}

/** Wrappers that only deny rules look through: they change who, where or with what the inner command runs. */
export const OPAQUE_WRAPPERS: Readonly<Record<string, { values: readonly string[]; operands: number }>> = {
  sudo: { values: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-r', '-t', '--user', '--group', '--chdir'], operands: 0 },
  doas: { values: ['-u', '-C'], operands: 0 },
  env: { values: ['-u', '--unset', '-C', '--chdir'], operands: 0 },
  xargs: {
    values: ['-I', '-i', '-n', '-L', '-P', '-s', '-d', '-E', '-a', '--max-args', '--max-procs', '--arg-file', '--delimiter', '--replace'],
    operands: 0,
  },
  exec: { values: ['-a'], operands: 0 },
  setsid: { values: [], operands: 0 },
  ionice: { values: ['-c', '-n', '-p', '--class', '--classdata'], operands: 0 },
  watch: { values: ['-n', '--interval', '-q'], operands: 0 },
  flock: { values: ['-w', '--wait', '-E', '--timeout'], operands: 1 },
  chroot: { values: [], operands: 1 },
  busybox: { values: [], operands: 0 },
  toybox: { values: [], operands: 0 },
  strace: { values: ['-o', '-e', '-p', '-s'], operands: 0 },
  ltrace: { values: ['-o', '-e', '-p', '-s'], operands: 0 },
  unshare: { values: [], operands: 0 },
  nsenter: { values: ['-t'], operands: 0 },
  taskset: { values: [], operands: 1 },
  chrt: { values: [], operands: 1 },
  prlimit: { values: [], operands: 0 },
  setarch: { values: [], operands: 1 },
  fakeroot: { values: [], operands: 0 },
  parallel: { values: ['-j', '--jobs'], operands: 0 },
  coproc: { values: [], operands: 0 },
  systemd: { values: [], operands: 0 },
  'systemd-run': { values: ['-p', '-u'], operands: 0 },
  'dbus-run-session': { values: [], operands: 0 },
  'run-parts': { values: [], operands: 0 },
}

/** Never approved by a prefix: they repeat, detach or hold what they run (5.3). */
export const NEVER_BY_PREFIX = new Set(['watch', 'setsid', 'ionice', 'flock'])

export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'csh', 'tcsh', 'pwsh'])

/** Programs that take a program as text; with the option that holds it. */
export const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  python: ['-c'],
  python2: ['-c'],
  python3: ['-c'],
  pypy3: ['-c'],
  node: ['-e', '--eval', '-p', '--print', '-pe'],
  bun: ['-e', '--eval'],
  deno: ['eval'],
  perl: ['-e', '-E', '-ne', '-pe', '-ie', '-i', '-n', '-p'],
  ruby: ['-e', '-ne', '-pe'],
  php: ['-r'],
  lua: ['-e'],
  Rscript: ['-e'],
  tclsh: [],
  osascript: ['-e'],
  gawk: [],
  mawk: [],
  nawk: [],
  awk: [],
}

/** The interpreter that a program is, by the name under which it is known: `python3.12` is `python`. */
export function interpreterOf(program: string): string | undefined {
  return Object.keys(INTERPRETERS).find((known) => program.startsWith(known) && /^[\d.]*$/.test(program.slice(known.length)))
}

/** Builtins that change what other words of the line mean, or run text that is not in the tree. */
export const SHELL_CHANGES = new Set([
  'alias', 'unalias', 'source', '.', 'trap', 'enable', 'hash', 'complete', 'compgen', 'bind', 'mapfile', 'readarray', 'shopt', 'set',
  'fc', 'history', 'coproc', 'at', 'batch', 'crontab', 'su', 'runuser', 'pkexec', 'expect', 'script', 'entr', 'ssh', 'gdb', 'socat', 'nc', 'ncat',
]) // prettier-ignore

/** Words that the grammar sometimes takes for commands. */
export const RESERVED = new Set(['{', '}', '!', 'if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'while', 'until', 'for', 'case', 'esac', 'function', 'select', '[[', ']]', 'in']) // prettier-ignore

/** Programs whose arguments are data and no files: what stands there is neither read nor run. */
export const DATA = new Set(['echo', 'printf', 'true', 'false', ':', 'test', '[', 'cd', 'pwd', 'sleep', 'seq', 'basename', 'dirname', 'exit', 'return', 'expr', 'which', 'type', 'whoami', 'date', 'kill', 'export', 'local', 'declare', 'readonly', 'typeset', 'unset', 'mkdir', 'pushd', 'popd', 'wait', 'jobs', 'let', 'shift', 'break', 'continue', 'read', 'umask', 'ls', 'stat', 'realpath', 'readlink', 'rm', 'rmdir', 'chmod', 'chown', 'touch', 'du', 'df', 'uname', 'id', 'nproc', 'hostname', 'tty', 'alias', 'man', 'tput', 'clear']) // prettier-ignore

/** Programs that tell about files without showing what is in them. */
export const LISTERS = new Set(['ls', 'stat', 'du', 'df', 'find', 'cd', 'pushd', 'realpath', 'readlink', 'test', '[', 'tree', 'file'])

/** Programs with commands of their own, whose words are not programs: `npm rm x` runs no `rm`. */
export const WITH_COMMANDS = new Set(['git', 'npm', 'yarn', 'pnpm', 'docker', 'podman', 'cargo', 'go', 'pip', 'pip3', 'uv', 'poetry', 'brew', 'kubectl', 'gh', 'apt', 'apt-get', 'dnf', 'helm', 'terraform', 'aws', 'gcloud', 'az', 'make', 'just', 'svn', 'hg', 'conda', 'gem', 'bundle', 'composer', 'dotnet', 'mvn', 'gradle', 'rustup', 'grep', 'rg', 'find', 'cat', 'head', 'tail', 'wc', 'less', 'cp', 'mv', 'ln', 'diff', 'sort', 'jq']) // prettier-ignore

/** Programs that show or copy what is in the files they are given. `skip`: operands before the files. `tree`: options that go down. */
export const READERS: Readonly<Record<string, { skip?: number; tree?: RegExp | true; values?: readonly string[] }>> = {
  cat: {}, tac: {}, nl: {}, head: { values: ['-n', '-c'] }, tail: { values: ['-n', '-c', '-s'] }, less: {}, more: {}, bat: {}, view: {},
  od: {}, xxd: {}, hexdump: {}, strings: {}, base64: {}, base32: {}, rev: {}, fold: {}, fmt: {}, pr: {}, expand: {}, unexpand: {},
  sort: { values: ['-k', '-t', '-o', '-T', '-S'] }, uniq: {}, cut: { values: ['-d', '-f', '-c', '-b'] }, paste: {}, join: {}, comm: {}, column: {},
  diff: { tree: /^-(?:[a-zA-Z]*[rN]|-recursive)/ }, cmp: {}, sdiff: {}, wc: {}, md5sum: {}, sha1sum: {}, sha256sum: {}, sha512sum: {}, cksum: {},
  grep: { skip: 1, tree: /^-(?:[a-zA-Z]*[rR]|-recursive|-dereference-recursive)/, values: ['-A', '-B', '-C', '-m', '-d', '-D'] },
  egrep: { skip: 1, tree: /^-(?:[a-zA-Z]*[rR])/ }, fgrep: { skip: 1, tree: /^-(?:[a-zA-Z]*[rR])/ }, zgrep: { skip: 1 },
  rg: { skip: 1, tree: true, values: ['-A', '-B', '-C', '-g', '-t', '-m', '-T'] }, ag: { skip: 1, tree: true },
  sed: { skip: 1 }, awk: { skip: 1, values: ['-F', '-v'] }, gawk: { skip: 1, values: ['-F', '-v'] }, mawk: { skip: 1, values: ['-F', '-v'] },
  jq: { skip: 1, values: ['--arg', '--argjson', '--indent'] }, yq: { skip: 1 }, tr: { skip: 9 }, gzip: {}, zcat: {}, bzip2: {}, xz: {}, zstd: {}, split: {},
  cp: { tree: /^-(?:[a-zA-Z]*[rRa]|-recursive|-archive)/ }, mv: { tree: true }, ln: { tree: true }, install: {}, rsync: { tree: true }, scp: { tree: true },
  tar: { tree: true }, zip: { tree: true }, '7z': { tree: true }, cpio: {}, dd: {}, tee: {}, link: {}, ed: {}, ex: {}, vim: {}, vi: {}, nano: {}, emacs: {},
} // prettier-ignore

/** Programs that change the files they are given: all operands, or the last one only. */
export const WRITERS: Readonly<Record<string, { which: 'all' | 'last'; skip?: number; values?: readonly string[]; when?: RegExp }>> = {
  tee: { which: 'all' }, touch: { which: 'all', values: ['-d', '-r', '-t'] }, mkdir: { which: 'all', values: ['-m'] }, rm: { which: 'all' },
  rmdir: { which: 'all' }, unlink: { which: 'all' }, shred: { which: 'all' }, truncate: { which: 'all', values: ['-s', '-r'] },
  cp: { which: 'last' }, mv: { which: 'all' }, ln: { which: 'last' }, link: { which: 'last' }, install: { which: 'last', values: ['-m', '-o', '-g'] },
  rsync: { which: 'last' }, scp: { which: 'last' }, chmod: { which: 'all', skip: 1 }, chown: { which: 'all', skip: 1 }, chgrp: { which: 'all', skip: 1 },
  sed: { which: 'all', skip: 1, when: /^(?:-[a-zA-Z]*i|--in-place)/ }, perl: { which: 'all', skip: 1, when: /^-[a-zA-Z]*i/ }, patch: { which: 'all' },
  ed: { which: 'all' }, ex: { which: 'all' }, vim: { which: 'all' }, vi: { which: 'all' }, nano: { which: 'all' }, mkfifo: { which: 'all' }, mknod: { which: 'all' },
  gzip: { which: 'all' }, gunzip: { which: 'all' }, bzip2: { which: 'all' }, xz: { which: 'all' }, split: { which: 'last' }, unzip: { which: 'last' },
} // prettier-ignore

/** What `acceptEdits` lets run inside the working folders (5.6). */
export const FILE_COMMANDS = new Set(['mkdir', 'touch', 'rm', 'rmdir', 'mv', 'cp', 'sed'])

/** Read-only programs, with the options that make them write or run something. Without a pattern there is none such. */
export const READ_ONLY: Readonly<Record<string, RegExp | undefined>> = {
  ls: undefined, cat: undefined, tac: undefined, nl: undefined, echo: undefined, pwd: undefined, head: undefined, tail: /^(?:-[a-zA-Z]*[fF]|--follow|--retry)/,
  wc: undefined, stat: undefined, du: undefined, df: undefined, cd: undefined, which: undefined, true: undefined, false: undefined, ':': undefined,
  printf: /^-v/, test: /^-[vR]$/, '[': /^-[vR]$/, diff: /^--(?:output|to-file)/, cmp: undefined, comm: undefined, cut: undefined, paste: undefined, tr: undefined,
  rev: undefined, uniq: /^(?!-)(?=[^]*)/, basename: undefined, dirname: undefined, realpath: undefined, readlink: undefined, whoami: undefined, id: undefined,
  uname: undefined, date: /^(?:-[a-zA-Z]*s|--set)/, seq: undefined, sleep: undefined, nproc: undefined, arch: undefined, groups: undefined, tty: undefined,
  md5sum: undefined, sha1sum: undefined, sha256sum: undefined, sha512sum: undefined, cksum: undefined, strings: undefined, od: undefined, hexdump: undefined,
  fold: undefined, fmt: undefined, column: undefined, expr: undefined, type: undefined, grep: undefined, egrep: undefined, fgrep: undefined,
  file: /^(?:-[a-zA-Z]*[Cm]|--compile|--magic-file)/, sort: /^(?:-[a-zA-Z]*[oTS]|--(?:output|compress-program|temporary-directory|files0-from))/,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/, rg: /^(?:--(?:pre|hostname-bin|search-zip)|-[a-zA-Z]*z)/, exit: undefined,
  jq: /^(?:-[a-zA-Z]*[fLn]|--from-file|--slurpfile|--rawfile|-L)/, base64: undefined, sed: /^(?:-[a-zA-Z]*[isfE]*i|--in-place|-[a-zA-Z]*f|--file)/,
} // prettier-ignore

/** Of these options the long ones of programs that take them written shorter too: `sort --out=x` is `sort --output=x`. */
export const WRITING_LONG: Readonly<Record<string, readonly string[]>> = {
  sort: ['output', 'compress-program', 'temporary-directory', 'files0-from'],
  tail: ['follow', 'retry'],
  diff: ['to-file'],
  date: ['set'],
  file: ['compile', 'magic-file'],
}

/** Options that name a file to be read by programs that else only tell about names, or of which only the operands count as read. */
export const FILE_OPTIONS: Readonly<Record<string, { long: readonly string[]; short?: RegExp }>> = {
  date: { long: ['file'], short: /^-[a-zA-Z]*f(.*)$/s },
  file: { long: ['files-from'], short: /^-[a-zA-Z]*f(.*)$/s },
  find: { long: [], short: /^-files0-from$/ },
  du: { long: ['files0-from'] },
  wc: { long: ['files0-from'] },
  sort: { long: ['files0-from'] },
  diff: { long: ['from-file', 'to-file'] },
}

/** Whether a word is a long option of these, written whole or shorter. */
export function isShortFor(word: string, options: readonly string[] = []): boolean {
  const name = /^--([^=]+)/.exec(word)?.[1]
  return name !== undefined && options.some((option) => option.startsWith(name))
}

/** Variables that no program takes orders from; a rule may look past their assignment. */
export const SAFE_VARIABLES = new Set(['LANG', 'LC_ALL', 'LC_CTYPE', 'LC_COLLATE', 'LANGUAGE', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'TERM', 'COLUMNS', 'LINES', 'CI', 'DEBIAN_FRONTEND', 'RUST_BACKTRACE', 'RUST_LOG', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'NODE_ENV', 'GOOS', 'GOARCH', 'CGO_ENABLED']) // prettier-ignore

/** Variables by which the shell, the loader or a program is made to run something else. */
export const RUNS_CODE = /^(?:PATH|IFS|ENV|BASH_ENV|BASH_FUNC.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|CDPATH|GLOBIGNORE|LD_.*|DYLD_.*|GCONV_PATH|GIT_.*|SSH_.*|PAGER|MANPAGER|LESS.*|EDITOR|VISUAL|BROWSER|PYTHON(?:PATH|STARTUP|HOME|BREAKPOINT|WARNINGS)|PERL.*|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|NPM_CONFIG_.*|RUSTC_WRAPPER|CARGO_.*|MAKEFLAGS|CC|CXX|TAR_OPTIONS|RIPGREP_CONFIG_PATH|GREP_OPTIONS|HOME|ZDOTDIR|XDG_CONFIG_HOME|EXINIT|VIMINIT|RSYNC_.*)$/i // prettier-ignore
