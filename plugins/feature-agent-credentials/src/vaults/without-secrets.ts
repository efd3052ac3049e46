import { ServiceError } from '@agent-service/sdk'
import { line } from './checked-items.js'

const shortest = 4
const maxMessage = 1_000
const maxDetails = 4_000

/** The same error without the given values in its texts. A text that has one is replaced as a whole. */
export function withoutSecrets(error: ServiceError, hidden: readonly string[]): ServiceError {
  const values = hidden.filter((value) => value.length >= shortest)
  const shows = (text: string): boolean => values.some((value) => text.includes(value))
  if (!shows(error.message) && !shows(JSON.stringify(error.details))) return error
  const { code, status, title } = error
  const message = 'The vault failed, and its message is not shown, since it has a secret of the connection.'
  return new ServiceError({ code, status, title, message })
}

/**
 * The same error, if its texts are short. Otherwise one with the beginning of its message alone: a
 * connector may quote what a hostile server says.
 */
export function cutToSize(error: ServiceError): ServiceError {
  const { code, status, title, message, details } = error
  if (message === line(message, maxMessage) && JSON.stringify(details).length <= maxDetails) return error
  return new ServiceError({ code, status, title, message: line(message, maxMessage) })
}
