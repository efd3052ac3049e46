import path from 'node:path'
import { compareReports } from '../../../sdk/scripts/api-report.mjs'

export const title = 'the public surface of the SDK is the one that the API report shows'
export const mend =
  'If the change is meant: node sdk/scripts/api-report.mjs --write, and commit sdk/api with the change, the suite, the implementations and CHANGELOG.md.'

export async function check({ root }) {
  return compareReports(path.join(root, 'sdk'))
}
