/** Text that a part of this plugin adds to the system message, behind the agent's instructions. */
export interface PromptSection<Place> {
  /** Its place among the others, lower first. What changes least comes first, since everything behind a change is read anew by the vendor. */
  readonly order: number
  /** The text for this call; `undefined`: none. The same state gives the same text: nothing of it may come from the clock. */
  text(place: Place): Promise<string | undefined>
}

/** The texts of all sections for one call, in their order. */
export async function sectionTexts<Place>(sections: readonly PromptSection<Place>[], place: Place): Promise<readonly string[]> {
  const ordered = [...sections].sort((one, other) => one.order - other.order)
  const texts = await Promise.all(ordered.map((section) => section.text(place)))
  return texts.filter((text) => text !== undefined)
}
