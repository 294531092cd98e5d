// A hook of the project: writes down which agent has stopped.
import { appendFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const { agent_type: agent } = JSON.parse(await text(process.stdin))
appendFileSync('stopped.log', `${agent} has stopped\n`)
