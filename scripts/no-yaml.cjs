// Stands in the bundle for the js-yaml that gray-matter brings along (build.mjs): 42 KB, which look for a parser of JavaScript when they start.
// compiler/skills/matter.ts hands every document's frontmatter to our own reader, so nothing of this is ever called.
const unused = () => {
  throw new Error('js-yaml is not in the bundle')
}
module.exports = { safeLoad: unused, safeDump: unused }
