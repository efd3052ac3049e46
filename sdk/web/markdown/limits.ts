/** How many characters of a text are formatted at once: more of them would keep the page from answering. */
export const maxFormatted = 100_000
