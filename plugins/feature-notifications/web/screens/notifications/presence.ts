import { newId, placed } from '@agent-service/sdk/web'

const everyMs = 60_000

/**
 * Tells the service while this page is seen, so that devices are not told of what is seen here.
 * Quietly: without an answer, or a session, devices are told once too often. Returns what ends it.
 */
export function startPresence(): () => void {
  const page = newId()
  const say = (): void => {
    const visible = document.visibilityState === 'visible'
    const body = JSON.stringify({ page, visible })
    const headers = { 'content-type': 'application/json' }
    // One that is lost is followed by another within a minute.
    void fetch(placed('/api/notifications/presence'), { method: 'POST', keepalive: true, headers, body }).catch(() => undefined)
  }
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') say()
  }, everyMs)
  document.addEventListener('visibilitychange', say)
  say()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', say)
  }
}
