import { createControlledClock } from '@agent-service/kernel/testing'

/**
 * Takes from the limit of account routes for 200,000 different addresses, started with
 * `--expose-gc`. Prints JSON: the heap in bytes after each quarter, after a full collection.
 */
const { createAuthRateLimiter } = (await import(
  new URL('../../../../kernel/core/dist/http/limits/auth-rate-limiter.js', import.meta.url).href
)) as {
  readonly createAuthRateLimiter: (options: { readonly clock: unknown }) => { take(address: string): { readonly allowed: boolean } }
}
const quarters = 4
const addressesOfQuarter = 50_000
const limiter = createAuthRateLimiter({ clock: createControlledClock() })
const heaps: number[] = []
let refused = 0
for (let quarter = 0; quarter < quarters; quarter += 1) {
  for (let index = 0; index < addressesOfQuarter; index += 1) {
    const address = `10.${quarter}.${index >> 8}.${index & 255}`
    if (!limiter.take(address).allowed) refused += 1
  }
  globalThis.gc?.()
  heaps.push(process.memoryUsage().heapUsed)
}
process.stdout.write(`${JSON.stringify({ heaps, refused })}\n`)
