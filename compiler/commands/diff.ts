import { appendFileSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathInside } from '../discover/path.ts'
import { ManifestFault, readManifest, type OpenManifest } from '../../schemas/manifest.ts'
import { broken, compile } from '../compile.ts'
import type { CompileOptions } from '../options.ts'
import { manifestText } from '../emit/manifest-of.ts'
import { compareManifests } from '../diff/diff.ts'
import { diffReport, githubDiff, markdownDiff, prettyDiff } from '../diff/report.ts'
import { faultOf } from '../discover/file-system.ts'
import { printable } from '../report/style.ts'
import { commitOf, GitFault, repositoryAt, type Repository } from '../revision/git.ts'
import { copyFile, copyLocalFiles, writeTree } from '../revision/tree.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'
import { inTemporaryFolder, turn } from './temporary.ts'

export const DIFF_HELP = `agentc diff <old> [new]: what changed in the agents, gains of power first

Each side is a manifest's file or a git revision (main, HEAD~1, a tag …); without [new], the working tree. Of a revision only the
project's files are taken: the other layers are this machine's on both sides. A file wins over a revision of the same name; write
refs/heads/NAME for the branch.

  --fail-on-gain      exit with 1 if any agent gained power
  --format pretty|json|github|markdown
                      github: annotations, and a summary in the file that GITHUB_STEP_SUMMARY names
${COMMON_HELP}`

interface Side {
  name: string
  manifest: OpenManifest
  /** Agents with errors, and files that no agent comes of although they look like one. */
  leftOut: string[]
  /** Its settings have errors, and rules may be missing. */
  unsettled?: boolean
}

/** `agentc diff`. Exit code: 0, or 1 for a gain with `--fail-on-gain`; 2 for a side that is neither a manifest nor a revision. */
export async function diff(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, { 'fail-on-gain': { type: 'boolean' } } as const)
  if (flags.help) return (io.out(DIFF_HELP), 0)
  const [old, now, ...rest] = positionals
  if (old === undefined || rest.length > 0) throw new UsageError('diff takes one or two manifests or git revisions.')
  const format = formatOf(flags, ['pretty', 'json', 'github', 'markdown'])
  const options = compileOptions(flags, io)
  const before = await sideOf(old, options, io)
  const after = now === undefined ? await compiled('working tree', options) : await sideOf(now, options, io)
  const changes = compareManifests(before.manifest, after.manifest)
  const report = diffReport(before.name, after.name, changes, { old: before.leftOut, new: after.leftOut })
  for (const side of [before, after]) noteLeftOut(side, io)
  const failing = flags['fail-on-gain'] === true
  if (format === 'json') io.out(`${JSON.stringify(report, null, 2)}\n`)
  else if (format === 'markdown') io.out(markdownDiff(report))
  else if (format === 'pretty') io.out(prettyDiff(report, styleOf(flags, io)))
  else {
    io.out(githubDiff(report, failing))
    writeSummary(markdownDiff(report), io)
  }
  return failing && report.summary.gains > 0 ? 1 : 0
}

function noteLeftOut({ name, leftOut, unsettled }: Side, io: Io): void {
  if (unsettled)
    io.err(`the settings of ${printable(name)} have errors (agentc build shows them); rules may be missing in this comparison\n`)
  if (leftOut.length === 0) return
  io.err(`not compared in ${printable(name)} (agentc build says why): ${leftOut.map(printable).join(', ')}\n`)
}

/** The job's summary is an extra: that it cannot be written is said and changes nothing. */
function writeSummary(text: string, { env, err }: Io): void {
  const file = env['GITHUB_STEP_SUMMARY']
  if (!file) return
  try {
    appendFileSync(file, text)
  } catch (error) {
    err(`The summary cannot be written (${faultOf(error)}).\n`)
  }
}

async function sideOf(name: string, options: CompileOptions, io: Io): Promise<Side> {
  const file = resolve(io.cwd, name)
  if (isFile(file)) return manifestSide(name, file)
  try {
    const repository = repositoryAt(options.cwd, io.env)
    const commit = commitOf(name, repository)
    if (commit !== undefined) return await revisionSide(name, commit, repository, options)
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    throw new UsageError(`${JSON.stringify(name)} is no file, and cannot be had as a git revision: ${error.message}`)
  }
  throw new UsageError(`${JSON.stringify(name)} is neither a manifest's file nor a git revision.`)
}

/** A name that no file can have (too long, through a file) is none. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch (error) {
    faultOf(error)
    return false
  }
}

function manifestSide(name: string, file: string): Side {
  try {
    return { name, manifest: readManifest(readFileSync(file, 'utf8')), leftOut: [] }
  } catch (error) {
    if (error instanceof ManifestFault) throw new UsageError(`${name}: ${error.message}`)
    throw new UsageError(`${name} cannot be read (${faultOf(error)}).`)
  }
}

function revisionSide(name: string, commit: string, repository: Repository, options: CompileOptions): Promise<Side> {
  return inTemporaryFolder(async (folder) => {
    const { root, prefix } = repository
    writeTree(commit, folder, repository, pathInside(root, options.configDir) || undefined)
    copyLocalFiles(folder, repository)
    await turn()
    return compiled(name, { ...options, cwd: join(folder, prefix), ...flagsIn(folder, root, options) })
  })
}

/** Files that `--agents` and `--settings` name are of this machine, on both sides, and are shown by their place in the project on both. */
function flagsIn(folder: string, root: string, { agentsFlag, settingsFlag, cwd }: CompileOptions): Partial<CompileOptions> {
  const moved = (value: string): string => {
    if (/^[{[]/.test(value.trimStart()) || value.trim() === '') return value
    const path = resolve(realpathSync(cwd), value)
    const inside = pathInside(root, path)
    if (!inside) return path
    copyFile(path, folder, inside)
    return join(folder, inside)
  }
  return {
    ...(agentsFlag !== undefined && { agentsFlag: moved(agentsFlag) }),
    ...(settingsFlag !== undefined && { settingsFlag: moved(settingsFlag) }),
  }
}

/** A build as with `--keep-going`, in memory. */
async function compiled(name: string, options: CompileOptions): Promise<Side> {
  const compilation = await compile(options)
  const leftOut = broken(compilation)
  return {
    name,
    manifest: readManifest(manifestText(compilation, leftOut)),
    leftOut: [...leftOut].sort(),
    unsettled: compilation.settingsErrors.length > 0,
  }
}
