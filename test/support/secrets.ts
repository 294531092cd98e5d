/** Random enough for a secret. */
export const LETTERS = 'k7Qz2Wm9Xc4Vb8Np1Lr6Ts3Yd5Hf0Jg'

const key = (head: string, length: number): string => head + LETTERS.repeat(3).slice(0, length)

/** One of each kind that is known by its form. Made here and put together from parts, so that no scanner takes this file for a leak. */
export const SECRETS = {
  aws: `AKIA${LETTERS.toUpperCase().slice(0, 16)}`,
  anthropic: key('sk-ant-api03-', 40),
  openai: key('sk-proj-', 40),
  'openai-old': key('sk-', 48),
  github: key('ghp_', 36),
  'github-pat': key('github_pat_', 40),
  gitlab: key('glpat-', 20),
  slack: key('xoxb-', 40),
  google: key('AIza', 35),
  stripe: key('sk_live_', 24),
  npm: key('npm_', 36),
  huggingface: key('hf_', 34),
  jwt: `${key('eyJ', 20)}.${key('eyJ', 30)}.${key('', 43)}`,
}
