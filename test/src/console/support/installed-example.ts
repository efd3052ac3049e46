import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { runCommand } from '../../support/command.js'
import { unpackExample } from '../../support/packed-sdk.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../../support/service-process.js'

const run = promisify(execFile)

/** A service in which an operator has installed an example that its author built with the packed SDK alone. */
export interface InstalledExample {
  readonly service: ServiceProcess
  /** What the operator read before granting. */
  readonly asked: string
  close(): Promise<void>
}

/**
 * Builds and packs an example in an empty folder, installs the archive while a service runs, grants what it asks for, and
 * starts the service again.
 */
export async function installExample(example: string): Promise<InstalledExample> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-installed-')))
  let service: ServiceProcess | undefined
  const close = async (): Promise<void> => {
    await service?.stop()
    await removeFolder(folder)
  }
  try {
    const archive = await packExample(path.join(folder, 'author', example), example)
    const home = path.join(folder, 'operator')
    await mkdir(home)
    service = await startServiceProcess({ folder: home })
    const asked = await plugins(home, ['install', archive])
    await plugins(home, ['grant', example, '--yes'])
    await service.stop()
    service = await startServiceProcess({ folder: home })
    return { service, asked, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function packExample(place: string, example: string): Promise<string> {
  await mkdir(place, { recursive: true })
  await unpackExample(place, example)
  await run('npm', ['run', 'build', '--offline'], { cwd: place, timeout: 100_000 })
  const { stdout } = await run('npm', ['pack', '--json', '--offline', '--ignore-scripts'], { cwd: place })
  const [{ filename }] = JSON.parse(stdout) as readonly [{ readonly filename: string }]
  return path.join(place, filename)
}

/** Runs `agent-service plugins …`. Resolves with its output. */
async function plugins(home: string, words: readonly string[]): Promise<string> {
  const command = runCommand(home, ['plugins', ...words], {
    npm_config_offline: 'true',
    SERVICE_SERVER_DATA_DIR: path.join(home, 'data'),
    SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
  })
  if ((await command.ended) !== 0) throw new Error(`plugins ${words.join(' ')} failed:\n${command.output()}`)
  return command.output()
}
