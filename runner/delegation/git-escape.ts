import { resolve } from 'node:path'
import type { Asked } from '../permission/decide.ts'
import { programOf, withInner } from '../permission/shell/command.ts'
import { HOLE, type Word } from '../permission/shell/word.ts'

/** Options that lead git elsewhere. */
const ELSEWHERE = ['-C', '--git-dir', '--work-tree']
const VARIABLES = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR)$/

/**
 * The folder that a command line leads git to outside of where it may work, as it is written; what is known only when it runs counts.
 * git writes files that no word of its command names, so here the folder decides (M30).
 */
export function gitLedTo({ shell }: Asked, cwd: string, isApart: (path: string) => boolean): string | undefined {
  if (!shell) return undefined
  const gits = shell.line.commands.flatMap(withInner).filter(({ words }) => programOf(words) === 'git')
  if (gits.length === 0) return undefined
  const variable = gits.flatMap(({ assigned }) => assigned).find((name) => VARIABLES.test(name))
  if (variable !== undefined) return `$${variable}`
  const words = [...shell.line.folders, ...gits.flatMap((git) => ledBy(git.words))]
  return words.find((word) => isUnknown(word) || isApart(resolve(cwd, word.text)))?.text.replaceAll(HOLE, '…')
}

function ledBy(words: readonly Word[]): Word[] {
  return words.flatMap((word, at) => {
    const option = ELSEWHERE.find((name) => word.text === name || word.text.startsWith(`${name}=`))
    if (option === undefined) return []
    if (word.text !== option) return [{ ...word, text: word.text.slice(option.length + 1) }]
    return words[at + 1] ? [words[at + 1]!] : []
  })
}

function isUnknown({ text, glob }: Word): boolean {
  return text.includes(HOLE) || Boolean(glob) || text.startsWith('~')
}
