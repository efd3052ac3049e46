const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A text as a string of a profile. Profiles are Scheme: a backslash escapes, and there are no
 * Unicode escapes, so that JSON's would name another path.
 * @throws a `RangeError` for control characters without an escape of their own and for halves of
 * surrogate pairs, which no path in UTF-8 has.
 */
export function quote(text: string): string {
  const escaped = text.replace(/[\\"\n\r\t]/g, (character) => escapes[character] ?? '')
  if (/[\p{Cc}\p{Surrogate}]/u.test(escaped)) throw new RangeError('A profile cannot name a path with control characters.')
  return `"${escaped}"`
}
