/** How many pieces the scripted text comes in. */
export const words = 20

/** The last of them: who has seen it has seen the whole answer. */
export const lastWord = 'word19.'
