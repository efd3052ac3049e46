import { type FilePlan, fileRules, openFileRules } from './file-rules.js'
import { processRules } from './process-rules.js'
import { rule } from './rules.js'

/** What a process may. */
export interface ProfilePlan extends FilePlan {
  /** False where files are not confined. */
  readonly confined: boolean
  /** Whether it has a terminal; the launcher names it as the parameter `TERMINAL`. */
  readonly terminal: boolean
  /** Ports of the host's loopback to which it may connect. */
  readonly connect: readonly number[]
  /** Ports of the host's loopback on which it may listen. */
  readonly listen: readonly number[]
}

/**
 * The profile of a process in the language of sandbox-exec: everything is denied but what a rule
 * allows. Pure: the same text for the same plan.
 */
export function sandboxProfile(plan: ProfilePlan): string {
  const { confined, terminal, connect, listen } = plan
  const lines = [
    '(version 1)',
    '(deny default)',
    ...processRules({ terminal }),
    ...(confined ? fileRules(plan) : openFileRules()),
    // A filter of addresses takes "localhost" and "*" alone. What it does not match stays closed.
    ...rule(
      'allow',
      ['network-outbound'],
      [...connect, ...listen].map((port) => `(remote tcp "localhost:${port}")`),
    ),
    ...rule(
      'allow',
      ['network-bind', 'network-inbound'],
      listen.map((port) => `(local tcp "localhost:${port}")`),
    ),
  ]
  return `${lines.join('\n')}\n`
}
