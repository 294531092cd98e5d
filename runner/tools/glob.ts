import { ripgrep } from './ripgrep.ts'
import { Harvest, harvested, searchGround } from './search.ts'
import { failed, isOutput, type Tool } from './tool.ts'

/** Files of one result. */
const FILES = 1000

/** Finds files by a glob. A pattern without a slash is compared with the name at any depth. The order is that of the paths. */
export const globTool: Tool = {
  paths: (input) => [(input.path as string | undefined) ?? '.'],
  search: true,
  async run(input, context) {
    const ground = await searchGround(input.path, context)
    if (isOutput(ground)) return ground
    if (!ground.folder) return failed(`${ground.place.shown} is a file, not a folder to search.`)
    const harvest = new Harvest(ground, context, input.pattern as string, FILES)
    const found = await ripgrep({
      args: ['--files', '--', ground.target],
      cwd: ground.cwd,
      env: context.env,
      signal: context.signal,
      separator: '\0',
      take: (record) => {
        const shown = harvest.shown(record)
        return shown === undefined || harvest.add(shown)
      },
    })
    const inside = ground.place.shown === '.' ? '' : ` in ${ground.place.shown}`
    return harvested(harvest, found, context.hides, `No file matches ${input.pattern as string}${inside}.`)
  },
}
