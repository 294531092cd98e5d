import type { ValidateFunction } from 'ajv'

/** By the hash (RFC 8785, SHA-256) of the schema. */
export const BY_HASH: Readonly<Record<string, ValidateFunction>>
