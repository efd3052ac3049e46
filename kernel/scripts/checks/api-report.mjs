import path from 'node:path'
import { compareReports } from '../../../sdk/scripts/api-report.mjs'

export const title = 'the public API of the SDK is documented and matches the API report'
export const mend =
  'A comment states what the member guarantees: who calls, when, units, errors. If the change is intended: node sdk/scripts/api-report.mjs --write, and commit sdk/api with the change, the suite, the implementations and CHANGELOG.md.'

export async function check({ root }) {
  return compareReports(path.join(root, 'sdk'))
}
