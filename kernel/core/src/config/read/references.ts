const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Names of the variables in a text, in order, each once. */
export const referencesIn = (text: string): readonly string[] => [...new Set([...text.matchAll(reference)].map((match) => match[1] ?? ''))]

/** The text with each reference replaced by what `valueFor` gives for its name, once: what comes in is not read for further references. */
export const withReferences = (text: string, valueFor: (name: string) => string): string =>
  text.replace(reference, (_whole, name: string) => valueFor(name))

/** True when the text has a `${` that is no reference. */
export const hasMalformedReference = (text: string): boolean => withReferences(text, () => '').includes('${')

/** References as they are shown where the text around them is not: `${ONE}, ${TWO}`. */
export const shownReferences = (names: readonly string[]): string => names.map((name) => `\${${name}}`).join(', ')
