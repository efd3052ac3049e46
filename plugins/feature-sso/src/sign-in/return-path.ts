import { returnPathInvalidError } from '../common/errors.js'

const maxLength = 1000
/** A placeholder for the origin of the pages. */
const origin = 'http://pages.invalid'

/**
 * The path to open after a sign-in, normalized as browsers do. Anything that a browser could take
 * for another host is refused, also after dots have been resolved. @throws `return_to_invalid`.
 */
export function checkReturnPath(text: string): string {
  const refuse = (): never => {
    throw returnPathInvalidError.create({})
  }
  if (!text.startsWith('/') || /[\\\p{Cc}\p{Surrogate}]/u.test(text) || !URL.canParse(text, origin)) return refuse()
  const url = new URL(text, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  return url.origin === origin && !path.startsWith('//') && path.length <= maxLength ? path : refuse()
}
