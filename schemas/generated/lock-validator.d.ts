import type { ErrorObject } from 'ajv'

interface Validator {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}
export const validateLock: Validator
