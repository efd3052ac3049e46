/** What one person may keep, deleted prompts that can still be restored included. */
export const maxPrompts = 200
export const maxBytes = 1024 * 1024
/** What all people together may share with everyone: each list has all of it. */
export const maxShared = 200
export const maxTextCharacters = 16_000
export const maxTitleCharacters = 120
/** Of how many prompts it is remembered when a person last used them. */
export const maxUses = 2 * maxPrompts
export const maxExcerptCharacters = 200
/** How long a deleted prompt can be restored. */
export const heldMs = 24 * 3_600_000
export const commandPattern = '^[a-z0-9][a-z0-9-]{0,31}$'
