import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { closeSync, existsSync, readdirSync, readlinkSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

const closed = (): never => {
  throw new Error('A reader of documents has no network and starts no program.')
}

/**
 * Takes the ways out of the process, before any library is loaded: documents name addresses, and
 * no library may ever follow one. The process also runs under Node's permission model, so it can
 * neither write a file nor start a program.
 */
export function confineProcess(): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
    Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true })
  for (const [module, names] of [
    [net, ['connect', 'createConnection', 'createServer']],
    [tls, ['connect', 'createServer']],
    [http, ['request', 'get', 'createServer']],
    [https, ['request', 'get', 'createServer']],
    [http2, ['connect', 'createServer', 'createSecureServer']],
    [dgram, ['createSocket']],
    [dns, ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny']],
    [childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']],
  ] as const)
    for (const name of names) Object.defineProperty(module, name, { value: closed, configurable: true, writable: true })
  net.Socket.prototype.connect = closed
  syncBuiltinESMExports()
  closeTerminals()
}

const descriptors = '/proc/self/fd'

/**
 * Closes the terminals of agents that are open in the service: node-pty lets every process inherit them that is started
 * meanwhile, and who has one can type into it.
 */
function closeTerminals(): void {
  if (!existsSync(descriptors)) return
  for (const name of readdirSync(descriptors)) if (Number(name) > 2 && /^\/dev\/(ptmx$|pts\/)/.test(linkOf(name))) closeSync(Number(name))
}

/** What a descriptor is open for; nothing if it is closed already, like that of the listing itself. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`${descriptors}/${descriptor}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
