const deletedHere = new Set<string>()

/** Notes a chat that is deleted in this tab, which needs no word about it from the events. */
export const noteDeletedHere = (chatId: string): void => void deletedHere.add(chatId)
export const forgetDeletedHere = (chatId: string): void => void deletedHere.delete(chatId)
export const isDeletedHere = (chatId: string): boolean => deletedHere.has(chatId)
