const forgets = new Set<() => void>()

/** Says how something is forgotten that is kept for as long as the page is open. */
export const whenForgotten = (forget: () => void): void => void forgets.add(forget)

/** Begins as a page that was just opened: between tests of components. */
export function forgetShared(): void {
  for (const forget of forgets) forget()
  forgets.clear()
}
