/**
 * Chats that were deleted in this tab: the person who deleted them is not told so again. In a file of its own, so that
 * showing a chat does not load what deletes chats.
 */
export const deletedHere: Set<string> = new Set()
