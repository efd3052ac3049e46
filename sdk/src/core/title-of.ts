/**
 * A title for people from a name for programs: `roll_dice` and `dice.roll-all` become `Roll dice`
 * and `Dice roll all`.
 */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[._-]+/g, ' ').trim()
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
