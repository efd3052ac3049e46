/** `tool-dice` → `tool_dice`: what names of tools and collections begin with. */
export const snakeCaseOf = (id: string): string => id.replaceAll('-', '_')

/** `tool-dice` → `toolDice`: what ids of operations begin with. */
export const camelCaseOf = (id: string): string => id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** `memory-garden` → `garden` with the prefix `memory`: the name by which a setting picks it. */
export const wordOf = (id: string, prefix: string): string => (id.startsWith(`${prefix}-`) ? id.slice(prefix.length + 1) : id)
