/** Over plain http, and in some private windows, browsers have none. */
const container = (): ServiceWorkerContainer | undefined => ('serviceWorker' in navigator ? navigator.serviceWorker : undefined)

/** Whether notifications can come to this browser while no page is open. */
export const canHavePush = (): boolean => container() !== undefined && 'PushManager' in window && 'Notification' in window

/** Of the running service worker; waits until it runs. */
export async function pushManager(): Promise<PushManager> {
  const workers = container()
  if (!workers) throw new Error('This page has no service worker.')
  return (await workers.ready).pushManager
}

/** What this browser is subscribed to; null: nothing. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await container()?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/** A notification was clicked while this page is open: it leads to a path of the console. Returns the undo. */
export function onOpenedLink(open: (link: string) => void): () => void {
  const take = ({ data }: MessageEvent<{ readonly open?: unknown } | null>): void => {
    if (typeof data?.open === 'string' && /^\/(?![/\\])/.test(data.open)) open(data.open)
  }
  container()?.addEventListener('message', take)
  return () => container()?.removeEventListener('message', take)
}
