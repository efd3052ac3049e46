import type { Page } from 'playwright-core'

const mostStops = 80

/** What has the focus, as assistive technology names it. */
export const focusedName = async (page: Page): Promise<string> =>
  String(
    await page.evaluate(`(() => {
      const { activeElement: element } = document
      const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
      return label.replace(/\\s+/g, ' ').trim()
    })()`),
  )

/** Presses Tab until what has the focus has a name that fits. @throws with the names on the way, if there is none. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const names: string[] = []
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press('Tab')
    const focused = await focusedName(page)
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
    names.push(focused)
  }
  throw new Error(`Tab does not lead to ${String(name)}, only to: ${names.join(' | ')}`)
}

/** Goes to something by Tab and presses Enter. */
export async function choose(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Replaces what is in the field that has the focus, and presses Enter. */
export async function enter(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}
