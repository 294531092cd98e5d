import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

const GOOD = agent()
const MANIFEST = 'plugins/kit/.claude-plugin/plugin.json'

export const PLUGIN_CODES = {
  'plugin/missing': {
    severity: 'error',
    what: 'A plugin folder that was given is not there, or is no folder.',
    why: 'The agents of the plugin are missing.',
    todo: 'Give --plugin-dir the folder that holds ".claude-plugin" or "agents".',
    bad: { 'plugins/kit': { link: '../somewhere/else' } },
    good: { 'plugins/kit/agents/example.md': GOOD },
  },
  'plugin/invalid-manifest': {
    severity: 'warning',
    what: 'The plugin.json of a plugin is not a JSON object, or has a "name" or "agents" of the wrong type.',
    why: 'What is wrong is ignored: the plugin is called as its folder, and agents are read from its "agents" folder.',
    todo: 'Write a JSON object such as { "name": "my-plugin" }.',
    bad: { [MANIFEST]: '{ "name": 7 }\n', 'plugins/kit/agents/example.md': GOOD },
    good: { [MANIFEST]: '{ "name": "kit" }\n', 'plugins/kit/agents/example.md': GOOD },
  },
  'plugin/invalid-path': {
    severity: 'warning',
    what: 'A path under "agents" in a plugin.json names nothing that agents can be read from.',
    why: 'No agents are read from it, and the "agents" folder is not read in its place.',
    todo: 'Write paths that start with "./", from the plugin\'s folder and inside it, to folders or to files that end in ".md".',
    bad: { [MANIFEST]: '{ "name": "kit", "agents": ["../other/example.md"] }\n', 'plugins/kit/agents/example.md': GOOD },
    good: { [MANIFEST]: '{ "name": "kit", "agents": ["./more/example.md"] }\n', 'plugins/kit/more/example.md': GOOD },
  },
} as const satisfies Record<string, CodeDoc>
