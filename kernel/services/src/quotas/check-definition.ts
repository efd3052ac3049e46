import { defineError } from '@agent-service/sdk'
import type { LimitDefinition } from '@agent-service/sdk/services/quotas'

/** A definition is not valid, or a limit's function does not return a number. */
export const limitInvalidError = defineError<{ readonly limit: string; readonly reason: string }>({
  code: 'limit_invalid',
  status: 500,
  title: 'Limit invalid',
  message: ({ limit, reason }) => `The limit “${limit}” is not valid: ${reason}.`,
})

/** Names become labels of metrics. */
const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const maxNameLength = 64

/** @throws `limit_invalid` with the first problem */
export function checkDefinition(definition: LimitDefinition): void {
  const { name, counts, maxPerHolder, maxTotal, reserve, waiting, displaceIdleMs } = definition
  const refuse = (reason: string): never => {
    throw limitInvalidError.create({ limit: String(name), reason })
  }
  if (typeof name !== 'string' || name.length > maxNameLength || !namePattern.test(name))
    refuse(`its name must be in kebab-case, with at most ${maxNameLength} characters`)
  if (typeof counts !== 'string' || counts.trim() === '') refuse('“counts” must describe what is counted')
  if (typeof maxPerHolder !== 'function' && !isMaximum(maxPerHolder)) refuse('maxPerHolder must be a number of at least 0, or a function')
  if (maxTotal !== undefined && !isMaximum(maxTotal)) refuse('maxTotal must be a number of at least 0')
  if (reserve !== undefined) {
    if (maxTotal === undefined || !Number.isFinite(maxTotal)) refuse('a reserve needs a finite maxTotal')
    if (!isAmount(reserve.amount) || reserve.amount > (maxTotal ?? 0)) refuse('the amount of the reserve must be from 0 to maxTotal')
    if (!isAmount(reserve.upTo)) refuse('upTo of the reserve must be a finite number of at least 0')
  }
  if (waiting !== undefined) {
    for (const [member, value] of Object.entries(waiting))
      if (!isAmount(value)) refuse(`waiting.${member} must be a finite number of at least 0`)
  }
  if (displaceIdleMs !== undefined && !isAmount(displaceIdleMs)) refuse('displaceIdleMs must be a finite number of at least 0')
}

/** Whether a value is an amount: a finite number of at least 0. */
export const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Whether a value is an amount or infinite. */
export const isMaximum = (value: unknown): value is number => isAmount(value) || value === Number.POSITIVE_INFINITY

/** @throws a `RangeError` for a value that would corrupt the sums */
export function checkAmount(limit: string, amount: unknown): void {
  if (!isAmount(amount)) throw new RangeError(`The amount of a hold of the limit “${limit}” must be a finite number of at least 0.`)
}
