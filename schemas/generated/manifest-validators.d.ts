import type { ErrorObject } from 'ajv'

interface Validator {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}
export const validateHeader: Validator
export const validateAgent: Validator
