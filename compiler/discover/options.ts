import type { Source } from '../../schemas/source.ts'

/** Where to look. All folders are absolute; everything a search depends on is in here, nothing is read from the environment. */
export interface DiscoverOptions {
  /** The working directory: the project is looked for from here up to the git root. */
  cwd: string
  /** The person's home folder. */
  home: string
  /** `CLAUDE_CONFIG_DIR`, or `<home>/.claude`. */
  configDir: string
  /** The managed folder of this system, which holds `.claude/agents` of the policy layer. */
  managedDir: string
  /** Folder with the built-in agents. */
  builtinDir: string
  /** Plugin folders, in the order given. */
  pluginDirs: readonly string[]
  /** `enabledPlugins` of the settings: `name@marketplace` to whether it is on. */
  enabledPlugins?: ReadonlyMap<string, boolean>
  /** The lock file of MCP servers, if it is not the project's `agentc.mcp.lock.json`. */
  mcpLock?: string
  /** Value of `--agents`: JSON text, or the path of a file that holds it. */
  agentsFlag?: string
  /** Value of `--settings`: JSON text, or the path of a file that holds it. */
  settingsFlag?: string
  /** Whether `settings.local.json` is read; where it is not said, with the project's other settings. */
  localSettings?: boolean
  /** No CLAUDE.md but that of policy is read. */
  policyInstructionsOnly?: true
  /** The layers to read; all by default. */
  layers: readonly Source[]
  /** Called when a folder has many entries, before anything is done with them, for who can make ready for that. */
  whenMany?: () => void
}
