import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

const lowest = 20_000

/**
 * A free port that stays free while nothing listens there: the system gives ports of this range to
 * no listener and no connection by itself. For a service that closes its port and opens it again.
 */
export async function lastingPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768')
  const highest = Math.min(Number(range.trim().split(/\s+/)[0]), 32_768)
  for (let tried = 0; tried < 50; tried += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (!(await isInUse(port))) return port
  }
  throw new Error(`No port between ${lowest} and ${highest} is free.`)
}

/** Whether something listens on this port of the loopback, or connects from it. */
export async function isInUse(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return true
    throw error
  } finally {
    server.close()
  }
}
