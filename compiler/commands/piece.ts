import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/**
 * A command that ends within a second never gets back what V8's optimising compiler costs it: 400 of 1,200 ms of processor time in a build
 * of 5,000 agents. After this a function has to be sixty times as hot as usual before it is optimised. And nearly all that a build makes is
 * needed to its end: room for what dies young does not pay, and costs a sixth of the memory. A small build is over before either is told,
 * and does not wait for the module.
 */
export function prepareForMany(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  for (const flag of ['--interrupt-budget=4000000', '--semi-space-growth-factor=1']) setFlagsFromString(flag)
}

/**
 * A command that was bundled into one piece, with the code that V8 made of it when the package was built: to read a hundred modules and
 * compile them takes half of a small build. V8 itself checks that the code is its own and belongs to this text, and else makes it anew, so
 * another Node is only slower. In: where the piece is. Out: what it exports.
 */
export function loadPiece<T>(url: URL): T {
  const filename = fileURLToPath(url)
  const cachedData = codeBeside(filename)
  // All that a bundle holds beyond ASCII is escaped, and one byte a character is read faster.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  const load = async (specifier: string): Promise<object> =>
    withNames((await import(specifier.startsWith('.') ? new URL(specifier, url).href : specifier)) as object)
  const run = script.runInThisContext() as (...its: unknown[]) => void
  run(module.exports, createRequire(url), module, load, url.href)
  return module.exports as T
}

/** Node finds no names in a package that was bundled as one value: it gets them from there. */
function withNames(module: object & { default?: unknown }): object {
  const { default: whole, ...names } = module
  const isValue = (typeof whole === 'object' && whole !== null) || typeof whole === 'function'
  return isValue && Object.keys(names).length === 0 ? { default: whole, ...whole } : module
}

function codeBeside(filename: string): Buffer | undefined {
  try {
    return readFileSync(`${filename}.code`)
  } catch {
    return undefined
  }
}
