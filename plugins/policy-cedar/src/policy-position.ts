import type { PolicyProblem } from '@agent-service/sdk/contracts/policy-engine'
import type { DetailedError } from '@cedar-policy/cedar-wasm/nodejs'

/** A problem that Cedar reports, with line and column instead of a byte offset. */
export function problemAt(text: string, error: DetailedError): PolicyProblem {
  const [location] = error.sourceLocations ?? []
  const before = Buffer.from(text, 'utf8')
    .subarray(0, location?.start ?? 0)
    .toString('utf8')
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    line: before.split('\n').length,
    column: [...before.slice(lineStart)].length + 1,
    message: [withoutPolicyName(error.message), location?.label, error.help].filter(isText).join('; '),
  }
}

const isText = (text: string | null | undefined): text is string => typeof text === 'string' && text !== ''

/** Cedar names the policy by an id that its author did not write. */
const withoutPolicyName = (message: string): string =>
  message.replace(/^failed to parse (policy with id `[^`]*`|policy|policies|schema) from string: /, '').replace(/^for policy `[^`]*`, /, '')
