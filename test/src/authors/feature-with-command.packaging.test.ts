import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import ts from 'typescript'
import { signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }

interface PluginEntry {
  readonly id: string
  readonly state: string
}

/** The plugin of a section of a page, compiled and built. */
async function writePlugin(folder: string, page: string, section: string): Promise<void> {
  const text = (await readFile(path.join(root, page), 'utf8')).split(/^## /m).find((part) => part.startsWith(section)) ?? ''
  const [, code = expect.fail(`${page} has no snippet in “${section}”`)] = /^```ts\n([\s\S]*?)^```$/m.exec(text) ?? []
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
  await mkdir(path.join(folder, 'dist'), { recursive: true })
  await writeFile(path.join(folder, 'dist/index.js'), ts.transpileModule(code, { compilerOptions: options }).outputText)
  const manifest = { name: path.basename(folder), version: '1.0.0', type: 'module', agentService: { plugin: './dist/plugin.json' } }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, exports: './dist/index.js' }))
  await mkdir(path.join(folder, 'node_modules/@agent-service'), { recursive: true })
  await symlink(path.join(root, 'sdk'), path.join(folder, 'node_modules/@agent-service/sdk'))
  await run(process.execPath, [path.join(root, 'sdk/bin/agent-service-plugin.mjs'), 'build'], { cwd: folder })
}

describe('a plugin with a command and what needs the service', function () {
  this.timeout(90_000)
  let folder: string
  let service: ServiceProcess | undefined

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-bell-')))
    const plugin = path.join(folder, 'feature-bell')
    await writePlugin(plugin, 'sdk/docs/points/cli-command.md', 'A feature with a command')
    await mkdir(path.join(folder, 'data'))
    await writeFile(path.join(folder, 'data/config.yaml'), `plugins:\n  sources: [${plugin}]\n`)
    service = await startServiceProcess({ folder })
    const ada = await signUp(service.url, 'ada', person.AGENT_SERVICE_PASSWORD)
    let state: unknown
    const isThere = async (): Promise<boolean> => {
      const { items } = (await ada.request('GET', '/api/admin/plugins?limit=200')).body as { readonly items: readonly PluginEntry[] }
      state = items.find(({ id }) => id === 'feature-bell')
      return ['active', 'ready'].includes((state as PluginEntry | undefined)?.state ?? '')
    }
    // Plugins of third parties may start behind the service.
    await eventually(isThere, { what: () => `feature-bell is ${JSON.stringify(state)}` })
  })
  after(async () => {
    await service?.stop()
    await removeFolder(folder)
  })

  it('rings the bell of the running service', async () => {
    for (const count of [1, 2]) {
      const ring = runCommand(folder, ['ring', '--json', '--url', service?.url ?? ''], person)
      expect(await ring.ended, ring.output()).to.equal(0)
      expect(JSON.parse(ring.output())).to.deep.equal({ count })
    }
  })
})
