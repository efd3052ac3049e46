/** Whether a string is well-formed UTF-16, without lone surrogates, so that its UTF-8 form is exact. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
