/** `error` fails the build, `warning` only with `--strict`, `info` never. */
export type Severity = 'error' | 'warning' | 'info'
