import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import { duration, exitWords } from '../../output/exit-words.js'

/** Where a process stands, in words for the model. */
export function stateWords({ exit, startedAt, endedAt }: SandboxProcessView, now: number): string {
  if (exit === null) return `Running for ${duration(now - startedAt)}.`
  return exitWords(exit, (endedAt ?? now) - startedAt)
}

/** One line about a process in a list. */
export const lineOf = (view: SandboxProcessView, now: number): string =>
  `${view.id}  ${view.kind}${view.background ? ', in the background' : ''}: ${view.title}\n    ${stateWords(view, now)} ${view.outputBytes} bytes of output.`
