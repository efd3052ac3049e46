/**
 * Whether messages, as a model or its vendor gets them, ask for the title of a chat. Models that
 * count what they are asked leave these out: a title is made after the first answer, at some time.
 */
export const asksForTitle = (messages: readonly unknown[]): boolean =>
  JSON.stringify(messages[0] ?? '').includes('You write the title of a conversation')
