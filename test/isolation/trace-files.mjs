// Preloaded with `--import`: appends every path that the program opens, reads, lists or asks about to the file that TRACE_FILES names.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'

const note = fs.appendFileSync
const log = process.env.TRACE_FILES
const ASKS =
  /^(?:open|openAsBlob|readFile|readdir|opendir|stat|lstat|exists|access|realpath|createReadStream|readlink)(?:Sync)?$|^realpath(?:Sync)?\.native$/

function traced(holder, name) {
  const original = holder[name]
  if (typeof original !== 'function') return
  holder[name] = Object.assign(function (path, ...rest) {
    if (typeof path === 'string') note(log, `${path}\n`)
    else if (path instanceof URL && path.protocol === 'file:') note(log, `${fileURLToPath(path)}\n`)
    return original.call(this, path, ...rest)
  }, original)
}

if (log) {
  for (const holder of [fs, fs.promises]) for (const name of Object.keys(holder)) if (ASKS.test(name)) traced(holder, name)
  syncBuiltinESMExports()
}
