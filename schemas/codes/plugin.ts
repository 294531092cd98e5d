import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

const GOOD = agent()
const MARKETPLACE = 'plugins/shop/.claude-plugin/marketplace.json'
const SHOP = '{ "name": "shop", "plugins": [{ "name": "kit", "source": "./kit" }] }\n'
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
  'plugin/empty': {
    severity: 'warning',
    what: 'A folder that was given as a plugin has none of the files and folders of which plugins are made.',
    why: 'Nothing is read from it. Often it is the folder in which the plugins lie.',
    todo: 'Give --plugin-dir the folder of the plugin itself, and several times for several plugins.',
    bad: { 'plugins/kit/one/agents/example.md': GOOD },
    good: { 'plugins/kit/agents/example.md': GOOD },
  },
  'plugin/invalid-manifest': {
    severity: 'warning',
    what: 'The plugin.json of a plugin is not a JSON object, or has a "name" or a part of the wrong type.',
    why: 'What is wrong is ignored: the plugin is called as its folder, and agents, skills, hooks and servers are read from the usual places.',
    todo: 'Write a JSON object such as { "name": "my-plugin" }.',
    bad: { [MANIFEST]: '{ "name": 7 }\n', 'plugins/kit/agents/example.md': GOOD },
    good: { [MANIFEST]: '{ "name": "kit" }\n', 'plugins/kit/agents/example.md': GOOD },
  },
  'plugin/invalid-path': {
    severity: 'warning',
    what: 'A path in a plugin.json leads out of the plugin, or names nothing that its part can be read from.',
    why: 'Nothing is read from it; under "agents" the "agents" folder is not read in its place either.',
    todo: 'Write paths that start with "./", from the plugin\'s folder and inside it; agents are folders or files that end in ".md".',
    bad: { [MANIFEST]: '{ "name": "kit", "agents": ["../other/example.md"] }\n', 'plugins/kit/agents/example.md': GOOD },
    good: { [MANIFEST]: '{ "name": "kit", "agents": ["./more/example.md"] }\n', 'plugins/kit/more/example.md': GOOD },
  },
  'plugin/invalid-hooks': {
    severity: 'warning',
    what: 'The file with the hooks of a plugin is not JSON, or has no key "hooks".',
    why: 'None of the hooks in it runs, so nothing of what they should check is checked.',
    todo: 'Write a JSON object whose key "hooks" holds the events, each with a list.',
    bad: { 'plugins/kit/hooks/hooks.json': '{ "PreToolUse": [] }\n', 'plugins/kit/agents/example.md': GOOD },
    good: { 'plugins/kit/hooks/hooks.json': '{ "hooks": { "PreToolUse": [] } }\n', 'plugins/kit/agents/example.md': GOOD },
  },
  'plugin/duplicate-name': {
    severity: 'warning',
    what: 'Two plugins that were given have the same name.',
    why: 'Their agents, skills and servers share one name space, so those of one name replace each other.',
    todo: 'Rename one of them in its plugin.json, or leave it out.',
    bad: { 'plugins/kit/agents/example.md': GOOD, 'plugins/copy/.claude-plugin/plugin.json': '{ "name": "kit" }\n' },
    good: { 'plugins/kit/agents/example.md': GOOD, 'plugins/copy/.claude-plugin/plugin.json': '{ "name": "copy" }\n' },
  },
  'plugin/invalid-marketplace': {
    severity: 'warning',
    what: 'The marketplace.json of a folder is not as it should be, or lists a plugin that is not there.',
    why: 'What is wrong is ignored, and the agents of the plugins it was to list are missing.',
    todo: 'Write { "name": "…", "plugins": [{ "name": "my-plugin", "source": "./plugins/my-plugin" }] }.',
    bad: { [MARKETPLACE]: '{ "name": "shop", "plugins": [{ "name": "kit", "source": "./kit" }] }\n' },
    good: { [MARKETPLACE]: SHOP, 'plugins/shop/kit/agents/example.md': GOOD },
  },
  'plugin/remote': {
    severity: 'info',
    what: 'A marketplace lists a plugin that lies somewhere else.',
    why: 'Nothing is fetched at build time, so the agents of that plugin are not part of the build.',
    todo: 'Give --plugin-dir a copy of the plugin if its agents are to be there.',
    bad: { [MARKETPLACE]: '{ "name": "shop", "plugins": [{ "name": "kit", "source": { "source": "github", "repo": "someone/kit" } }] }\n' },
    good: { [MARKETPLACE]: SHOP, 'plugins/shop/kit/agents/example.md': GOOD },
  },
} as const satisfies Record<string, CodeDoc>
