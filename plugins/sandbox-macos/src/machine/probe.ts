import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { environmentCommands, type Launcher, launchCommand, launcherEnvironment } from '../processes/launch-command.js'
import { sandboxProfile } from '../profile/sandbox-profile.js'

const execute = promisify(execFile)
const probeLimitMs = 20_000

/** What a process could do under a profile that allows one folder and one port. */
export interface Probe {
  readonly writesInside: boolean
  readonly reachesForwarded: boolean
  readonly readsOutside: boolean
  readonly writesOutside: boolean
  readonly signalsService: boolean
  readonly reachesLoopback: boolean
}

const attempts = `
const fs = require('node:fs')
const { connect } = require('node:net')
const [inside, outside, service, forwarded, closed] = process.argv.slice(1)
const tries = (attempt) => { try { attempt(); return true } catch { return false } }
const reaches = (port) => new Promise((resolve) => {
  const socket = connect(Number(port), '127.0.0.1')
  socket.once('connect', () => { socket.destroy(); resolve(true) }).once('error', () => resolve(false))
})
Promise.all([reaches(forwarded), reaches(closed)]).then(([reachesForwarded, reachesLoopback]) => console.log(JSON.stringify({
  writesInside: tries(() => fs.writeFileSync(inside + '/probe', '')),
  readsOutside: tries(() => fs.readFileSync(outside + '/secret')),
  writesOutside: tries(() => fs.writeFileSync(outside + '/probe', '')),
  signalsService: tries(() => process.kill(Number(service), 0)),
  reachesForwarded, reachesLoopback,
})))`

/** Runs a process that tries the ways out. Why there is no result, if the launcher does not work. */
export async function probe(launcher: Launcher, system: readonly string[]): Promise<Probe | { readonly failed: string }> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-probe-')))
  const servers: Server[] = []
  const open = async (): Promise<number> => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  try {
    const [inside, outside, own] = [path.join(folder, 'inside'), path.join(folder, 'outside'), path.join(folder, 'own')]
    for (const each of [inside, outside, own]) await mkdir(each)
    await writeFile(path.join(outside, 'secret'), 'secret')
    const environment = path.join(own, 'environment')
    await writeFile(environment, environmentCommands({ PATH: launcherEnvironment.PATH }))
    const [forwarded, closed] = [await open(), await open()]
    const [program, ...given] = launchCommand({
      ...{ launcher, environment, limits: {}, terminal: false },
      profile: sandboxProfile({
        files: { read: [], write: [inside], deny: [] },
        ...{ system, own: [own], confined: true, terminal: false, connect: [forwarded], listen: [] },
      }),
      command: [process.execPath, '-e', attempts, inside, outside, String(process.pid), String(forwarded), String(closed)],
    })
    const options = { cwd: inside, env: launcherEnvironment, timeout: probeLimitMs }
    return JSON.parse((await execute(program, given, options)).stdout) as Probe
  } catch (error) {
    const { stderr = '', message } = error as { readonly stderr?: string; readonly message: string }
    return { failed: stderr.trim().split('\n').at(-1) || (message.split('\n')[0] ?? 'it failed') }
  } finally {
    for (const server of servers) server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
