import { onReturn } from '@agent-service/sdk/web'
import { ownName } from '@agent-service/sdk/web/host'
import { onCleanup } from 'solid-js'

/** Tabs of this browser tell each other that the file was saved. */
const channelName = ownName('console.settings')

/** Has other tabs read the file again. */
export function reportSaved(): void {
  const tabs = new BroadcastChannel(channelName)
  tabs.postMessage('saved')
  tabs.close()
}

/** Reads again when the file may have changed: another tab saved, the tab is shown, the service is back. */
export function useReadingAgain(read: () => Promise<void>): void {
  const tabs = new BroadcastChannel(channelName)
  tabs.addEventListener('message', () => void read())
  const onShown = (): void => {
    if (document.visibilityState === 'visible') void read()
  }
  document.addEventListener('visibilitychange', onShown)
  onReturn(() => void read())
  onCleanup(() => {
    tabs.close()
    document.removeEventListener('visibilitychange', onShown)
  })
}
