/** Loaded into a measured Node process where GNU time is absent: at the end it writes `kilobytes user-seconds system-seconds`. */
const { writeFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const file = process.env.AGENTC_BENCH_NOTE
if (file !== undefined && isMainThread) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(file, `${maxRSS} ${userCPUTime / 1e6} ${systemCPUTime / 1e6}`)
  })
}
