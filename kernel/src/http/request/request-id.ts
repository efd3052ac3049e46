import { v7 as uuidv7 } from 'uuid'

const acceptable = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

/** The id of a request: the one that came in `X-Request-Id` where it is 8 to 64 harmless characters, else a new one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && acceptable.test(header) ? header : uuidv7()
}
