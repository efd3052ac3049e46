import { returnPathInvalidError } from '../common/errors.js'

const longest = 1000
/** Stands for the pages' own, whatever it is. */
const origin = 'http://pages.invalid'

/**
 * The path to go to after a sign-in, in the one spelling that browsers make of it. Whatever a browser could take for another host is refused, also where
 * it would only be one after dots have been resolved. @throws `return_to_invalid`.
 */
export function checkReturnPath(text: string): string {
  const refuse = (): never => {
    throw returnPathInvalidError.create({})
  }
  if (!text.startsWith('/') || /[\\\p{Cc}\p{Surrogate}]/u.test(text) || !URL.canParse(text, origin)) return refuse()
  const url = new URL(text, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  return url.origin === origin && !path.startsWith('//') && path.length <= longest ? path : refuse()
}
