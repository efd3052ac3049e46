import { Type } from '@agent-service/sdk'

/** An element of the page, by its name in a snapshot. */
export const refSchema = (description = 'The element: its ref in the latest snapshot, such as e12.') =>
  Type.String({ pattern: '^e[0-9]{1,9}$', description })

/** A name as one line for a person. */
export const shown = (value: unknown): string => {
  const text = String(value ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
