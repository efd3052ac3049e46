import type { Problem } from '@agent-service/sdk'
import type { Redactor } from './redactor.js'

const maxErrors = 50

/**
 * Masks secrets in an error that is about to leave the kernel, in place: in message, stack and
 * problems, also of its causes and aggregated errors. Returns the same value. Never throws.
 */
export function redactError<Thrown>(error: Thrown, redactor: Redactor): Thrown {
  const seen = new Set<unknown>()
  const waiting: unknown[] = [error]
  while (waiting.length > 0 && seen.size < maxErrors) {
    const next = waiting.pop()
    if (!(next instanceof Error) || seen.has(next)) continue
    seen.add(next)
    try {
      maskMembers(next, redactor)
      waiting.push(next.cause)
      if ('errors' in next && Array.isArray(next.errors)) waiting.push(...(next.errors as readonly unknown[]).slice(0, maxErrors))
    } catch {
      // An error whose members cannot be read or changed stays as it is; the log masks its own
      // lines.
    }
  }
  return error
}

function maskMembers(error: Error, redactor: Redactor): void {
  const replace = (name: string, value: unknown): void =>
    void Object.defineProperty(error, name, { value, configurable: true, writable: true, enumerable: false })
  for (const name of ['message', 'stack'] as const) {
    const text = error[name]
    if (typeof text !== 'string') continue
    const masked = redactor.text(text)
    if (masked !== text) replace(name, masked)
  }
  if (!('problems' in error) || !Array.isArray(error.problems)) return
  const problems = (error.problems as readonly Problem[]).map((problem) => ({ ...problem, message: redactor.text(problem.message) }))
  if (problems.some(({ message }, index) => message !== (error.problems as readonly Problem[])[index]?.message))
    replace('problems', problems)
}
