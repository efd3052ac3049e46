import type { SuiteRunner } from './suite-runner.js'

/**
 * In place of an optional input of a suite: what it would show cannot happen here. Then nothing is
 * noted as unchecked. An input that is absent was forgotten, or is still to come.
 */
export type NotApplicable = 'not applicable'

/** The input itself; `undefined` where it is absent or does not apply. */
export const givenInput = <Input>(input: Input | NotApplicable | undefined): Exclude<Input, NotApplicable> | undefined =>
  input === 'not applicable' ? undefined : (input as Exclude<Input, NotApplicable> | undefined)

/** What a suite could not see with what it was given. */
export interface UncheckedRules {
  /**
   * Remembers that an optional input was absent, and the rules that nothing checks without it. May be
   * called while the suite is described or while a test runs; the same rule counts once.
   */
  without(input: string, ...rules: readonly string[]): void
}

/**
 * Collects what a suite does not check, and notes it after the suite's last test: one line for each
 * absent input, and nothing if all were given. Call it in the suite's outermost group.
 *
 * @example
 * const unchecked = collectUncheckedRules(runner, `provider adapter ${name}`)
 * if (options.bodies === undefined) unchecked.without('bodies', 'tool results reach the upstream')
 */
export function collectUncheckedRules(runner: SuiteRunner, suite: string): UncheckedRules {
  const rulesByInput = new Map<string, Set<string>>()
  runner.after(() => {
    for (const [input, rules] of rulesByInput)
      note(runner, `${suite}: not checked, because “${input}” was not given: ${[...rules].join('; ')}`)
  })
  return {
    without(input, ...rules) {
      const known = rulesByInput.get(input) ?? new Set()
      for (const rule of rules) known.add(rule)
      rulesByInput.set(input, known)
    },
  }
}

/** Says a line through the runner, or on stdout where the runner has no place for it. */
function note(runner: SuiteRunner, line: string): void {
  if (runner.note) runner.note(line)
  else process.stdout.write(`${line}\n`)
}
