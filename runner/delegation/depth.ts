/** Why an agent at the depth limit starts no others. */
export function tooDeep(most: number): string {
  return `This agent is at the depth limit of ${most} (limits.spawnDepth), so it starts no agents: do the work yourself.`
}
