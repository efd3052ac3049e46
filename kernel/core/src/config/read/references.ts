const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Names of the variables in a text, in order, each once. */
export const referencesIn = (text: string): readonly string[] => [...new Set([...text.matchAll(reference)].map((match) => match[1] ?? ''))]

/**
 * The text with each reference replaced by `valueFor` of its name, once: references in the values
 * are not replaced.
 */
export const withReferences = (text: string, valueFor: (name: string) => string): string =>
  text.replace(reference, (_whole, name: string) => valueFor(name))

/** True if the text has a `${` that is not a reference. */
export const hasMalformedReference = (text: string): boolean => withReferences(text, () => '').includes('${')

/** References for messages that do not show the text around them: `${ONE}, ${TWO}`. */
export const shownReferences = (names: readonly string[]): string => names.map((name) => `\${${name}}`).join(', ')
