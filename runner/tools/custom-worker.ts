/**
 * What runs in the worker of a custom tool, as text: the worker gets no file of this program. The tool's code is loaded as a `data:` URL,
 * from which nothing but Node's own modules can be imported. The answer is made into text here, so that only text crosses.
 */
export const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { code, input, cwd } = workerData
process.cwd = () => cwd
const text = (value) => value === undefined ? '' : typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value))
const told = (error) => error instanceof Error ? error.message : String(error)
import('data:text/javascript;base64,' + Buffer.from(code).toString('base64'))
  .then((module) => module.default(input))
  .then((value) => parentPort.postMessage({ text: text(value), isError: false }))
  .catch((error) => parentPort.postMessage({ text: told(error), isError: true }))
`
