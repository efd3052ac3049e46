/** The number of pieces of the scripted text. */
export const words = 20

/** The last piece; after it the answer is complete. */
export const lastWord = 'word19.'
