/**
 * Percent-encodes everything but the unreserved characters of RFC 3986, as signatures of AWS want
 * it.
 */
export const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
