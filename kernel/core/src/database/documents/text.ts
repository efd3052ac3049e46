/**
 * Whether a string is well-formed UTF-16, without lone surrogates, so that its UTF-8 form is exact.
 */
export const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()
