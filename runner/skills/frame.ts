/** A skill as it stands in a conversation. */
export interface FramedSkill {
  name: string
  text: string
  /** Where its files are, as the model can open them. */
  folder?: string | undefined
  /** That folder without links, where it lies outside the project: what is in it may be read. */
  opens?: string | undefined
}

/** The text of a skill for the model; it opens with the skill's folder, so that files it names can be found (measured.md, Prompt). */
export function skillFrame({ name, text, folder }: FramedSkill): string {
  const where = folder === undefined ? '' : ` folder=${JSON.stringify(folder)}`
  return `<skill name=${JSON.stringify(name)}${where}>\n${text}\n</skill>`
}
