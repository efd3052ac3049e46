import { strict as assert } from 'node:assert'
import type { Problem } from '../core/errors.js'

/** What the suites call the test of a declaration. */
export const soundTitle = 'is what the host takes: its members, their ranges, and nothing unknown'

/** Fails with everything that a check of the door found. */
export function assertSound(problems: readonly Problem[]): void {
  assert.equal(problems.map(({ path, message }) => `${path} ${message}`).join('; '), '')
}
