import { strict as assert } from 'node:assert'

/** Fails with what was expected, what the error says, and the error itself as the cause, whose stack leads to the fault. */
export function failWithError(expected: string, error: unknown): never {
  const told = error instanceof Error ? error.message : String(error)
  throw Object.assign(new assert.AssertionError({ message: `${expected}: ${told}` }), { cause: error })
}
