/** Names of variables whose values are secrets: `…_KEY`, `…_TOKEN`, `…_SECRET` and the like, and every ANTHROPIC_ variable but the plain ones. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE|_AUTH|_DSN)(?:_\d+)?$/i
const PLAIN_ANTHROPIC = /^ANTHROPIC_(?:BASE_URL|LOG|.*MODEL.*|.*REGION.*)$/

/** Whether a variable is called like one that holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || (name.startsWith('ANTHROPIC_') && !PLAIN_ANTHROPIC.test(name))
}
