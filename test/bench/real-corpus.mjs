import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { corpusDir, corpusRows } from '../corpus/rows.mjs'

/** Real agent files as a benchmark input: those that load without loss and are strict YAML, copied under new names up to the size. */

/** A prime, so that every size takes from all repositories alike. */
const STRIDE = 7919

/** In: a count and a folder. Does: writes `.claude/agents/<name>.md`. Out: bytes, or undefined without a corpus (said aloud). */
export function layReal(count, dir) {
  const corpus = corpusDir()
  if (corpus === undefined)
    return (console.log('REAL FILES NOT MEASURED: there is no corpus at $AGENTC_CORPUS or ../shared/corpus'), undefined)
  const texts = corpusRows(corpus)
    .filter(plain)
    .map(({ file }) => readFileSync(file, 'utf8'))
    .filter(measurable)
  mkdirSync(join(dir, '.claude/agents'), { recursive: true })
  let bytes = 0
  for (let i = 0; i < count; i++) {
    const name = `real-${String(i).padStart(5, '0')}`
    const text = texts[(i * STRIDE) % texts.length].replace(/^name:.*$/m, `name: ${name}`)
    bytes += Buffer.byteLength(text)
    writeFileSync(join(dir, '.claude/agents', `${name}.md`), text)
  }
  return bytes
}

/** The floor parses with js-yaml, which would end at the first file that is not strict YAML. */
function plain({ fate, odd }) {
  return fate === 'loads' && !odd.some((item) => item.startsWith('YAML invalid'))
}

function measurable(text) {
  return text.startsWith('---\nname:') && text.includes('\n---\n')
}
