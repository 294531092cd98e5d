import { dirname, sep } from 'node:path'
import { isInside, slashed } from '../workspace.ts'
import type { AskedFile, Rights } from './asked.ts'

/** Folders and files that make programs run something, or say what agents may do (claude-code-agents.md 5.7). Compared in lower case. */
const FOLDERS = new Set(['.git', '.vscode', '.idea', '.husky', '.cargo', '.devcontainer', '.yarn', '.mvn', '.claude', '.agentc'])

const FILES = new Set(
  '.gitconfig .gitmodules .gitattributes .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc pyrightconfig.json .mcp.json .claude.json config.fish authorized_keys .netrc .wgetrc .curlrc .vimrc .exrc .nvimrc .gdbinit .pythonrc .pylintrc .irbrc'.split(
    ' ',
  ),
)

/** Whether what bears this name is protected wherever it lies. */
export function isProtectedName(name: string): boolean {
  const folded = name.toLowerCase()
  return FOLDERS.has(folded) || FILES.has(folded)
}

/** Why a file must not be written unasked, by its own path or where it leads; `undefined` for one that may. */
export function protection({ path, real }: AskedFile, rights: Rights): string | undefined {
  if (rights.own?.some((folder) => isInside(folder, real)) === true) return undefined
  for (const at of new Set([path, real])) {
    // What lies in a worktree is as little protected as in the checkout; a worktree may lie in another one.
    const parts = at
      .toLowerCase()
      .replaceAll(/\/\.claude(?=\/worktrees\/.)/g, '')
      .split(sep)
    const folder = parts.find((part) => FOLDERS.has(part)) ?? (/\/\.config\/(?:git|fish)(?:\/|$)/i.test(at) ? '.config/git' : undefined)
    if (folder !== undefined) return `${folder} is protected`
    if (FILES.has(parts.at(-1)!)) return `${parts.at(-1)} is protected`
    if (/^\/(?:dev|proc|sys|etc|boot|usr|bin|sbin|lib\d*)(?:\/|$)/.test(at) && !isWorking(at, rights)) return `${at} belongs to the system`
  }
  return undefined
}

/** Whether a file lies, by both of its paths, in a folder that the agent works in. */
export function isWorkingFile({ path, real }: AskedFile, rights: Rights): boolean {
  return isWorking(path, rights) && isWorking(real, rights)
}

function isWorking(path: string, { workspace: { root, folders = [] } }: Rights): boolean {
  return isInside(root, path) || folders.some((folder) => isInside(folder, path))
}

/** Whether nothing about a path says that what it holds is private, or no file at all: a part that is hidden, a device, a process. */
export function isPlain({ path, real }: AskedFile): boolean {
  return [path, real].every((at) => !/^\/(?:dev|proc|sys|run)(?:\/|$)/.test(at) && !/\/\./.test(slashed(at)))
}

/** What must never be removed unasked: the root, what lies in it, home, and the working directory with all above it (5.7). */
export function isCritical({ path, real }: AskedFile, { workspace }: Rights): boolean {
  const { folders = [] } = workspace
  return [path, real].some((at) => {
    if (dirname(at) === dirname(dirname(at)) || dirname(at) === at) return true
    return [workspace.cwd, workspace.root, workspace.home, ...folders].some((folder) => folder !== undefined && isInside(at, folder))
  })
}
