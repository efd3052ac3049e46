import { onCleanup } from 'solid-js'

/**
 * Runs something every so many milliseconds while the page is visible, and when it becomes visible again, until the component
 * goes. It is for what has no event. Not called at once.
 *
 * @example
 * whileVisible(30_000, () => void list.reload())
 */
export function whileVisible(everyMs: number, run: () => void): void {
  const runIfVisible = (): void => {
    if (!document.hidden) run()
  }
  const timer = setInterval(runIfVisible, everyMs)
  document.addEventListener('visibilitychange', runIfVisible)
  onCleanup(() => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', runIfVisible)
  })
}
