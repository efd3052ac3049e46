import { ServiceError } from './errors.js'

/** The message of what foreign code threw, which may be anything; never throws. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error || ServiceError.isInstance(thrown) ? thrown.message : thrown)
  } catch {
    return 'an error that cannot be read'
  }
}
