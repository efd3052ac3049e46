import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SandboxDriver, SandboxExit, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { createMacosDriver, type MacosDriver } from '../macos-driver.js'
import { closedEverywhere } from './examined.js'
import { createStandIn, type StandIn } from './stand-in.js'

/** A driver with a stand-in for sandbox-exec, and a workspace. */
export interface DriverBench {
  readonly driver: SandboxDriver
  readonly workspace: string
  readonly standIn: StandIn
  request(script: string, change?: Partial<SandboxRequest>): SandboxRequest
  run(request: SandboxRequest): Promise<{ readonly output: string; readonly exit: SandboxExit }>
  close(): Promise<void>
}

let count = 0

export async function openDriverBench(): Promise<DriverBench> {
  const standIn = await createStandIn()
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'macos-driver-')))
  const workspace = path.join(folder, 'workspace')
  await mkdir(workspace)
  const made: MacosDriver = createMacosDriver({ platform: 'darwin', launcher: standIn.launcher, examined: () => closedEverywhere })
  return {
    ...{ driver: made.driver, workspace, standIn },
    request(script, change = {}) {
      count += 1
      return {
        ...{ id: `test-${count}`, principal: 'agent-one', command: ['/bin/sh', '-c', script], directory: workspace },
        ...{ environment: { PATH: '/usr/bin:/bin' }, files: { read: [], write: [workspace], deny: [] } },
        ...{ network: { access: 'off', destinations: [], forward: [], expose: [] }, limits: {}, confined: true },
        ...change,
      }
    },
    async run(request) {
      const text = new TextDecoder()
      let output = ''
      for await (const event of made.driver.run(request, { signal: AbortSignal.timeout(30_000) })) {
        if (event.type === 'output') output += text.decode(event.bytes, { stream: true })
        if (event.type === 'exit') return { output, exit: event }
      }
      throw new Error('There was no exit.')
    },
    async close() {
      await made.close()
      await standIn.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
