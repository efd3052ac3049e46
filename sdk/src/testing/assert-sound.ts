import { strict as assert } from 'node:assert'
import type { Problem } from '../core/errors.js'

/** The title of the suites' test of a declaration. */
export const soundTitle = 'matches what the host accepts: its members, their ranges, and nothing unknown'

/** Fails with all problems that the host's check found. */
export function assertSound(problems: readonly Problem[]): void {
  assert.equal(problems.map(({ path, message }) => `${path} ${message}`).join('; '), '')
}
