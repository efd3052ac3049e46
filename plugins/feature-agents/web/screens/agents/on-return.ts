import { onCleanup } from 'solid-js'

/** Runs each time the tab is shown again: agents may have been changed elsewhere meanwhile. */
export function onReturn(run: () => void): void {
  const check = (): void => {
    if (document.visibilityState === 'visible') run()
  }
  document.addEventListener('visibilitychange', check)
  window.addEventListener('online', check)
  onCleanup(() => {
    document.removeEventListener('visibilitychange', check)
    window.removeEventListener('online', check)
  })
}
