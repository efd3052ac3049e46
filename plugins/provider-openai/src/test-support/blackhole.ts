import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * How long a connection may take to open before the peer counts as full, in milliseconds. On
 * loopback an open queue answers at once.
 */
const openLimitMs = 250
/** More connections than the shortest queue of any system takes. */
const attemptLimit = 64

/** A peer with an existing address that never answers the first packet of a connection. */
export interface Blackhole {
  readonly baseUrl: string
  close(): Promise<void>
}

/** Listens, then never accepts again: its event loop waits for ever. Killed by the test. */
const listener = `
  const server = require('node:net').createServer()
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

/**
 * Starts a process that listens and does not accept, and fills its queue: the system drops further
 * connections.
 */
export async function startBlackhole(): Promise<Blackhole> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] })
  const fillers: Socket[] = []
  const close = async (): Promise<void> => {
    for (const socket of fillers) socket.destroy()
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  for (let attempt = 0; attempt < attemptLimit; attempt += 1) {
    const socket = connect(Number(port.toString()), '127.0.0.1')
    fillers.push(socket)
    if (!(await opens(socket))) return { baseUrl: `http://127.0.0.1:${port.toString()}/v1`, close }
  }
  await close()
  throw new Error(`The queue took ${attemptLimit} connections and is not full.`)
}

const opens = (socket: Socket): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), openLimitMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(true)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
