import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What this process has open, by descriptor: `socket:[7]`, `pipe:[8]`, or a path. Linux alone tells. */
export function descriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      // The one by which the folder was read.
      return []
    }
  })
}

/** Connections over TCP that this process has open to these ports: those that it has made itself, not those that it was asked for. */
export function connectionsTo(ports: readonly number[]): string[] {
  const own = new Set(descriptors())
  const lines = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/self/net/${file}`, 'latin1').trim().split('\n').slice(1))
  return lines.flatMap((line) => {
    const [, , remote = '', , , , , , , inode] = line.trim().split(/\s+/)
    const port = Number.parseInt(remote.split(':')[1]!, 16)
    return own.has(`socket:[${inode}]`) && ports.includes(port) ? [`${port} (socket ${inode})`] : []
  })
}
