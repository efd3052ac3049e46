import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the service before everything else (`node --import`): at SIGUSR2 it writes the longest time that the event loop was held since the last
 * SIGUSR2, in milliseconds, to the file that the address of this module names (`?file=/…`).
 */

const { searchParams } = new URL(import.meta.url)
const file = searchParams.get('file')
const everyMs = 2

if (isMainThread && file !== null) {
  let last = performance.now()
  let longest = 0
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - everyMs)
    last = now
  }
  setInterval(look, everyMs).unref()
  process.on('SIGUSR2', () => {
    look()
    writeFileSync(file, String(longest))
    longest = 0
  })
}
