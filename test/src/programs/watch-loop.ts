import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the service before everything else (`node --import`): at SIGUSR2 it writes the
 * longest time that the event loop was held since the last SIGUSR2, in milliseconds, to the file
 * that the address of this module names (`?file=/…`). It is at most the processor time that the
 * process took meanwhile: what other programs do on the machine does not count.
 */

const { searchParams } = new URL(import.meta.url)
const file = searchParams.get('file')
const everyMs = 2

const busyMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

if (isMainThread && file !== null) {
  let last = performance.now()
  let busy = busyMs()
  let longest = 0
  const look = (): void => {
    const now = performance.now()
    const busyNow = busyMs()
    longest = Math.max(longest, Math.min(now - last - everyMs, busyNow - busy))
    last = now
    busy = busyNow
  }
  setInterval(look, everyMs).unref()
  process.on('SIGUSR2', () => {
    look()
    writeFileSync(file, String(longest))
    longest = 0
  })
}
