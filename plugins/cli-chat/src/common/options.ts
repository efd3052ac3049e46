import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { optionInvalidError } from './errors.js'

/** The value of an option; `undefined` if it was not given. */
export function textOption({ options }: Pick<CommandContext, 'options'>, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The whole number of an option. @throws `option_invalid`. */
export function countOption(
  context: Pick<CommandContext, 'options'>,
  name: string,
  { initial, min, max }: { readonly initial: number; readonly min: number; readonly max: number },
): number {
  const found = textOption(context, name)
  if (found === undefined) return initial
  const count = /^\d{1,9}$/.test(found) ? Number(found) : Number.NaN
  if (!(count >= min && count <= max))
    throw optionInvalidError.create({ option: name, expected: `a whole number from ${min} to ${max}`, found })
  return count
}
