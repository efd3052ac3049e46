import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { initPlugin, pluginKinds } from '@agent-service/sdk/author'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import ts from 'typescript'
import { signUp } from '../support/api.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
/** A second engine beside the one that ships denies everything, so it is not among them. */
const kinds = pluginKinds.filter((kind) => kind !== 'policy-engine')

interface PluginEntry {
  readonly id: string
  readonly state: string
  readonly reason?: string | null
}

async function beginPlugin(parent: string, kind: string): Promise<string> {
  const folder = path.join(parent, `${kind}-example`)
  await initPlugin(kind, folder)
  await mkdir(path.join(folder, 'dist'))
  for (const name of (await readdir(path.join(folder, 'src'))).filter((file) => !file.endsWith('.test.ts'))) {
    const { outputText } = ts.transpileModule(await readFile(path.join(folder, 'src', name), 'utf8'), { compilerOptions: options })
    await writeFile(path.join(folder, 'dist', name.replace(/\.ts$/, '.js')), outputText)
  }
  await mkdir(path.join(folder, 'node_modules/@agent-service'), { recursive: true })
  await symlink(path.join(root, 'sdk'), path.join(folder, 'node_modules/@agent-service/sdk'))
  return folder
}

describe('the plugins that “init” begins', function () {
  this.timeout(120_000)
  let folder: string
  let service: ServiceProcess | undefined
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-templates-')))
  })
  after(async () => {
    await service?.stop()
    await removeFolder(folder)
  })

  it('run in one service, all together', async () => {
    const folders: string[] = []
    for (const kind of kinds) folders.push(await beginPlugin(folder, kind))
    await run(process.execPath, [path.join(root, 'sdk/bin/agent-service-plugin.mjs'), 'build', ...folders])
    await mkdir(path.join(folder, 'data'))
    await writeFile(
      path.join(folder, 'data/config.yaml'),
      `plugins:\n  sources: ${JSON.stringify(folders)}\nmemory:\n  backend: backend-example\n`,
    )
    service = await startServiceProcess({ folder })
    const admin = await signUp(service.url, 'ada', 'a long enough password')
    let open: readonly string[] = []
    const areThere = async (): Promise<boolean> => {
      const { items } = (await admin.request('GET', '/api/admin/plugins?limit=200')).body as { readonly items: readonly PluginEntry[] }
      const states = kinds.map((kind) => items.find(({ id }) => id === `${kind}-example`) ?? { id: kind, state: 'absent' })
      open = states.filter(({ state }) => state !== 'active' && state !== 'ready').map((entry) => JSON.stringify(entry))
      return open.length === 0
    }
    // Plugins of third parties may start behind the service.
    await eventually(areThere, { what: () => open.join('\n') })
    expect(open).to.deep.equal([])
  })
})
