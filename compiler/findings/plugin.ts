import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Origin, Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding, wholeFile } from './finding.ts'

/** Findings about plugins and the marketplaces that list them. They point at a whole file. */

/** In: the base name of the folder that was given. */
export function pluginMissing(folder: string): Diagnostic {
  const origin: Origin = { source: 'plugin', path: '.', plugin: folder }
  return finding(
    'plugin/missing',
    wholeFile(origin),
    `The plugin folder ${folder} is not there or is no folder, so its agents are missing.`,
    {
      help: 'Give --plugin-dir the folder that holds ".claude-plugin" or "agents".',
    },
  )
}

/** In: the base name of the folder that was given. */
export function pluginEmpty(folder: string): Diagnostic {
  const origin: Origin = { source: 'plugin', path: '.', plugin: folder }
  return finding('plugin/empty', wholeFile(origin), `The folder ${folder} holds no part of a plugin, so nothing is read from it.`, {
    help: 'Give the folder that holds ".claude-plugin" or "agents", not the one above it; for several plugins give --plugin-dir several times.',
  })
}

/** In: the plugin's name or folder, the text of its manifest, and what is wrong with it, as the end of a sentence. */
export function invalidPluginManifest(plugin: string, text: string, reason: string): Diagnostic {
  return finding(
    'plugin/invalid-manifest',
    wholeFile(manifestOf(plugin), text),
    `The manifest of the plugin ${plugin} ${reason}; that part of it is ignored.`,
    {
      help: 'A manifest is a JSON object: { "name": "my-plugin", "agents": ["./agents/"] }; both keys may be left out.',
    },
  )
}

/** In: a file of a plugin that is to hold hooks and holds none, and why, as the middle of a sentence. */
export function invalidPluginHooks(file: SourceFile, range: Range, reason: string): Diagnostic {
  const message = `${file.origin.path} of the plugin ${file.origin.plugin} ${reason}, so none of its hooks runs.`
  return finding('plugin/invalid-hooks', placeIn(file, range), message, {
    help: 'Write a JSON object whose key "hooks" holds the events: { "hooks": { "PreToolUse": […] } }.',
  })
}

/** In: the part of the plugin that the path stands under: `agents`, `hooks` … */
export function invalidPluginPath(plugin: string, text: string, part: string, path: string, reason: string): Diagnostic {
  const message = `The path ${JSON.stringify(path)} under "${part}" of the plugin ${plugin} ${reason}, so nothing is read from it.`
  return finding('plugin/invalid-path', wholeFile(manifestOf(plugin), text), message, {
    help: 'Write paths that start with "./", from the plugin\'s folder; agents are folders or files that end in ".md".',
  })
}

/** In: the base names of the folders of two plugins of one name. */
export function duplicatePlugin(plugin: string, text: string, first: string, second: string): Diagnostic {
  const message = `The plugins in ${first} and ${second} are both called ${plugin}, so agents and servers of one name replace each other.`
  return finding('plugin/duplicate-name', wholeFile(manifestOf(plugin), text), message, {
    help: 'Give one of them another "name" in its plugin.json, or leave it out.',
  })
}

export function invalidMarketplace(folder: string, text: string, reason: string): Diagnostic {
  const message = `The marketplace in ${folder} ${reason}; that part of it is ignored.`
  return finding('plugin/invalid-marketplace', wholeFile(marketplaceOf(folder), text), message, {
    help: 'Write { "name": "…", "plugins": [{ "name": "my-plugin", "source": "./plugins/my-plugin" }] }.',
  })
}

export function remotePlugin(folder: string, text: string, plugin: string): Diagnostic {
  const message = `The plugin ${plugin} of the marketplace in ${folder} lies somewhere else, so its agents are not part of this build.`
  return finding('plugin/remote', wholeFile(marketplaceOf(folder), text), message, {
    help: 'Nothing is fetched at build time; give --plugin-dir a copy of the plugin.',
  })
}

function manifestOf(plugin: string): Origin {
  return { source: 'plugin', path: '.claude-plugin/plugin.json', plugin }
}

function marketplaceOf(folder: string): Origin {
  return { source: 'plugin', path: '.claude-plugin/marketplace.json', plugin: folder }
}
