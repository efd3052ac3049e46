import { onCleanup } from 'solid-js'

/** Runs something every so often while the page is visible, and when it becomes visible again. */
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
