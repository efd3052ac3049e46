/**
 * Chats that were deleted in this tab: their events are not announced to the person who deleted them. Apart from
 * what deletes chats, so that showing a chat does not load that.
 */
export const deletedHere: Set<string> = new Set()
