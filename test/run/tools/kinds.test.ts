import { execFileSync, spawnSync } from 'node:child_process'
import { mknod } from './mknod.ts'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { describe, expect, test } from 'vitest'
import { bashTool } from '../../../runner/tools/bash.ts'
import { editTool } from '../../../runner/tools/edit.ts'
import { globTool } from '../../../runner/tools/glob.ts'
import { grepTool } from '../../../runner/tools/grep.ts'
import { notebookEditTool } from '../../../runner/tools/notebook-edit.ts'
import { readTool } from '../../../runner/tools/read.ts'
import type { Tool, ToolInput } from '../../../runner/tools/tool.ts'
import { writeTool } from '../../../runner/tools/write.ts'
import { NOBODY } from '../permission/evasion-ground.ts'
import { folder } from '../stage.ts'
import { asNobody, KINDS } from './kinds.ts'
import { call, toolContext } from './use.ts'

/** Each tool that is given a file, and the calls that are tried on it. `Edit after Read` has read the file before. */
const CALLS: Readonly<Record<string, [Tool, (path: string) => ToolInput][]>> = {
  Read: [[readTool, (path) => ({ file_path: path, limit: 1 })]],
  Grep: [[grepTool, (path) => ({ pattern: 'needle', path, output_mode: 'count' })]],
  'Grep in the folder': [[grepTool, () => ({ pattern: 'needle', output_mode: 'files_with_matches' })]],
  Glob: [[globTool, () => ({ pattern: '**/*' })]],
  Write: [[writeTool, (path) => ({ file_path: path, content: 'new\n' })]],
  'Write after Read': [
    [readTool, (path) => ({ file_path: path })],
    [writeTool, (path) => ({ file_path: path, content: 'new\n' })],
  ],
  'Edit after Read': [
    [readTool, (path) => ({ file_path: path, limit: 1 })],
    [editTool, (path) => ({ file_path: path, old_string: 'needle', new_string: 'thread' })],
  ],
  NotebookEdit: [
    [readTool, (path) => ({ file_path: path, limit: 1 })],
    [notebookEditTool, (path) => ({ notebook_path: path, cell_id: 'a', new_source: 'x' })],
  ],
  'NotebookEdit of a notebook': [
    [readTool, (path) => ({ file_path: path })],
    [notebookEditTool, (path) => ({ notebook_path: path, cell_id: 'a', new_source: 'thread' })],
  ],
  Bash: [[bashTool, (path) => ({ command: `test -e "$(printf %b '${octal(path)}')" && echo there`, timeout: 5000 })]],
}

const BOOK = '{"cells":[{"cell_type":"markdown","id":"a","metadata":{},"source":"needle"}],"metadata":{},"nbformat":4,"nbformat_minor":5}'

/** The same kind of file as a notebook. */
const asBook = (path: string): string => `${path.replace(/\.\w+$/, '')}.ipynb`

const octal = (path: string) => [...Buffer.from(path)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/** What comes of it. `!`: the call fails. */
const EXPECTED: Readonly<Record<string, Readonly<Record<keyof typeof CALLS, RegExp>>>> = {
  'of no bytes': {
    Read: /^\[empty\.txt is empty\]$/,
    Grep: /^No match/,
    'Grep in the folder': /^No match/,
    Glob: /^empty\.txt$/,
    Write: /^!empty\.txt has not been read/,
    'Write after Read': /^Changed empty\.txt: 1 line added, 0 removed; 1 line now\.$/,
    'Edit after Read': /^!old_string is not in empty\.txt/,
    NotebookEdit: /^!empty\.txt is not a notebook \(\.ipynb\)/,
    'NotebookEdit of a notebook': /^!empty\.ipynb is not a notebook of nbformat 4/,
    Bash: /^there$/,
  },
  'of a gigabyte, text at its beginning': {
    Read: /^1\tneedle\n\[The file goes on/,
    Grep: /binary|20000/,
    'Grep in the folder': /huge\.txt/,
    Glob: /^huge\.txt$/,
    Write: /^!huge\.txt has not been read/,
    'Write after Read': /^!huge\.txt is too big to be changed by this tool: 1073741824 bytes/,
    'Edit after Read': /^!huge\.txt is too big to be changed by this tool/,
    NotebookEdit: /^!huge\.txt is too big/,
    'NotebookEdit of a notebook': /^!huge\.ipynb has not been read/,
    Bash: /^there$/,
  },
  'that is binary': {
    Read: /^!a\.bin is not text: it holds NUL bytes/,
    Grep: /^a\.bin:1$/,
    'Grep in the folder': /No match|a\.bin/,
    Glob: /^a\.bin$/,
    Write: /^!a\.bin has not been read/,
    'Write after Read': /^!a\.bin has not been read/,
    'Edit after Read': /^!a\.bin has not been read/,
    NotebookEdit: /^!a\.bin has not been read/,
    'NotebookEdit of a notebook': /^!a\.ipynb has not been read/,
    Bash: /^there$/,
  },
  'that nobody may read': {
    Read: /^!locked\.txt cannot be opened \(EACCES\)\.$/,
    Grep: /^!.*locked\.txt: Permission denied/s,
    'Grep in the folder': /^!.*locked\.txt: Permission denied/s,
    Glob: /^locked\.txt$/,
    Write: /^!locked\.txt has not been read/,
    'Write after Read': /^!locked\.txt has not been read/,
    'Edit after Read': /^!locked\.txt has not been read/,
    NotebookEdit: /^!locked\.txt has not been read/,
    'NotebookEdit of a notebook': /^!locked\.ipynb has not been read/,
    Bash: /^there$/,
  },
  'that nobody may write': {
    Read: /^1\tneedle$/,
    Grep: /^fixed\.txt:1$/,
    'Grep in the folder': /^fixed\.txt$/,
    Glob: /^fixed\.txt$/,
    Write: /^!fixed\.txt is write-protected/,
    'Write after Read': /^!fixed\.txt is write-protected/,
    'Edit after Read': /^!fixed\.txt is write-protected/,
    NotebookEdit: /^!fixed\.txt is write-protected/,
    'NotebookEdit of a notebook': /^!fixed\.ipynb is write-protected/,
    Bash: /^there$/,
  },
  'that is a named pipe': {
    Read: /^!pipe is a named pipe, not a regular file; it is not opened\.$/,
    Grep: /^!pipe is neither a file nor a folder/,
    'Grep in the folder': /^No match/,
    Glob: /^No file matches|^pipe$/,
    Write: /^!pipe is a named pipe/,
    'Write after Read': /^!pipe is a named pipe/,
    'Edit after Read': /^!pipe is a named pipe/,
    NotebookEdit: /^!pipe is a named pipe/,
    'NotebookEdit of a notebook': /^!pipe\.ipynb is a named pipe/,
    Bash: /^there$/,
  },
  'that is a folder': {
    Read: /^!folder is a folder\. List its files with Glob/,
    Grep: /^No match/,
    'Grep in the folder': /^No match/,
    Glob: /^No file matches/,
    Write: /^!folder is a folder/,
    'Write after Read': /^!folder is a folder/,
    'Edit after Read': /^!folder is a folder/,
    NotebookEdit: /^!folder is a folder/,
    'NotebookEdit of a notebook': /^!folder\.ipynb is a folder/,
    Bash: /^there$/,
  },
  'that is a link': {
    Read: /^1\tneedle$/,
    Grep: /^link\.txt:1$/,
    'Grep in the folder': /^target\.txt$/,
    Glob: /^target\.txt$/,
    Write: /^!link\.txt is a link, and links are not written through/,
    'Write after Read': /^!link\.txt is a link/,
    'Edit after Read': /^!link\.txt is a link/,
    NotebookEdit: /^!link\.txt is a link/,
    'NotebookEdit of a notebook': /^!link\.ipynb is a link/,
    Bash: /^there$/,
  },
  'that lies deep': {
    Read: /^1\tneedle$/,
    Grep: /^(?:d\/){200}deep\.txt:1$/,
    'Grep in the folder': /^(?:d\/){200}deep\.txt$/,
    Glob: /^(?:d\/){200}deep\.txt$/,
    Write: /^!.*deep\.txt has not been read/,
    'Write after Read': /^Changed (?:d\/){200}deep\.txt/,
    'Edit after Read': /^Changed (?:d\/){200}deep\.txt/,
    NotebookEdit: /^!.*deep\.txt is not a notebook/,
    'NotebookEdit of a notebook': /^Changed (?:d\/){200}deep\.ipynb/,
    Bash: /^there$/,
  },
  'with a name from all over the world': {
    Read: /^1\tneedle$/,
    Grep: /^ünï 世界 🦊\u200d é\.txt:1$/u,
    'Grep in the folder': /^ünï 世界 🦊\u200d é\.txt$/u,
    Glob: /^ünï 世界 🦊\u200d é\.txt$/u,
    Write: /^!.*has not been read/,
    'Write after Read': /^Changed ünï 世界 🦊\u200d é\.txt/u,
    'Edit after Read': /^Changed ünï 世界 🦊\u200d é\.txt/u,
    NotebookEdit: /^!.*is not a notebook/,
    'NotebookEdit of a notebook': /^Changed ünï 世界 🦊\u200d é\.ipynb/u,
    Bash: /^there$/,
  },
  'with a name of two lines': {
    Read: /^1\tneedle$/,
    Grep: /^a\nb\.txt:1$/,
    'Grep in the folder': /^a\nb\.txt$/,
    Glob: /^a\nb\.txt$/,
    Write: /^!a\nb\.txt has not been read/,
    'Write after Read': /^Changed a\nb\.txt/,
    'Edit after Read': /^Changed a\nb\.txt/,
    NotebookEdit: /^!a\nb\.txt is not a notebook/,
    'NotebookEdit of a notebook': /^Changed a\nb\.ipynb/,
    Bash: /^there$/,
  },
  'that is not there': {
    Read: /^!none\.txt does not exist/,
    Grep: /^!none\.txt does not exist/,
    'Grep in the folder': /^No match/,
    Glob: /^No file matches/,
    Write: /^Made none\.txt \(1 line\)\.$/,
    'Write after Read': /^Made none\.txt/,
    'Edit after Read': /^!none\.txt does not exist\. A new file is made with Write\.$/,
    NotebookEdit: /^!none\.txt is not a notebook/,
    'NotebookEdit of a notebook': /^!none\.ipynb does not exist/,
    Bash: /^!\[exit code 1\]$/,
  },
  'with a name that is too long': {
    Read: /^!x+ cannot be used: it cannot be opened \(ENAMETOOLONG\)\.$/,
    Grep: /^!x+ cannot be used/,
    'Grep in the folder': /^No match/,
    Glob: /^No file matches/,
    Write: /^!x+ cannot be used/,
    'Write after Read': /^!x+ cannot be used/,
    'Edit after Read': /^!x+ cannot be used/,
    NotebookEdit: /^!x+ cannot be used/,
    'NotebookEdit of a notebook': /^!x+\.ipynb cannot be used/,
    Bash: /^!\[exit code 1\]$/,
  },
}

/** Nobody cannot search with a program in a folder that nobody may enter, as a clone in one of `mktemp -d` is. */
const nobodySearches = NOBODY === undefined || spawnSync(rgPath, ['--version'], NOBODY).status === 0
const SEARCHES = new Set(['Grep', 'Grep in the folder', 'Glob'])
if (!nobodySearches) process.stdout.write('skipped aloud: nobody cannot search, because this clone is in a folder that nobody may read\n')

describe.each(Object.keys(KINDS))('a file %s', (kind) => {
  test.for(Object.keys(CALLS))('%s', async (name, { skip }) => {
    const { path, make, asNobody: nobody } = KINDS[kind]!
    if (nobody && SEARCHES.has(name) && !nobodySearches) skip()
    const cwd = await folder()
    const ofBook = name === 'NotebookEdit of a notebook'
    const own = ofBook ? asBook(path) : path
    make(join(cwd, own), ofBook ? BOOK : undefined)
    const context = await toolContext(cwd)
    const tried = async () => {
      let shown = ''
      for (const [tool, input] of CALLS[name]!) {
        const output = await call(tool, context, input(own))
        shown = `${output.isError ? '!' : ''}${output.text}`
      }
      return shown
    }
    expect(await (nobody ? asNobody(tried) : tried())).toMatch(EXPECTED[kind]![name]!)
  })
})

test('a device is never opened: not one outside the project, and not one in it', async () => {
  const cwd = await folder()
  const paths = ['/dev/zero', '/dev/stdin', '/proc/self/environ', ...(mknod(join(cwd, 'zero')) ? ['zero'] : [])]
  for (const path of paths) {
    const refusal =
      path === 'zero'
        ? /zero is a device, not a regular file|zero is neither a file nor a folder|zero is a file, not a folder/
        : /lies outside the project/
    for (const [tool, input] of [
      [readTool, { file_path: path }],
      [writeTool, { file_path: path, content: '' }],
      [editTool, { file_path: path, old_string: 'a', new_string: 'b' }],
      [notebookEditTool, { notebook_path: path, new_source: '' }],
      [grepTool, { pattern: 'a', path }],
      [globTool, { pattern: '*', path }],
    ] as [Tool, ToolInput][]) {
      const { text, isError } = await call(tool, await toolContext(cwd), input)
      expect([isError, text]).toEqual([true, expect.stringMatching(refusal)])
    }
  }
})

test('a search of a folder passes over the devices and pipes in it', async () => {
  const cwd = await folder({ 'a.txt': 'needle\n' })
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  mknod(join(cwd, 'zero'))
  const found = async (tool: Tool, input: ToolInput) => (await call(tool, await toolContext(cwd), input)).text
  expect(await found(grepTool, { pattern: 'needle' })).toBe('a.txt')
  expect(await found(globTool, { pattern: '*' })).toBe('a.txt')
})
