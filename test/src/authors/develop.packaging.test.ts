import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { removeFolder } from '../support/service-process.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = path.join(root, 'sdk/bin/agent-service-plugin.mjs')

/** A tool whose answer the author changes. */
const code = (word: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { defineTool, tools } from '@agent-service/sdk/contracts/tool'
export default definePlugin({
  manifest: { id: 'tool-word', apiVersion: 1, description: 'Says ${word}.', contributes: ['tool'] },
  setup: (context) => context.contribute(tools, defineTool({
    name: 'say_word', description: 'Says a word.', parameters: Type.Object({}), execute: () => '${word}',
  })),
})
`

describe('agent-service-plugin dev', function () {
  this.timeout(90_000)
  let folder: string
  const writePackage = (version: string): Promise<void> => {
    const manifest = { name: 'tool-word', version, type: 'module', agentService: { plugin: './dist/plugin.json' } }
    return writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  }
  let onFailure: () => void = () => undefined
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'plugin-dev-')))
    await mkdir(path.join(folder, 'node_modules/@agent-service'), { recursive: true })
    await symlink(path.join(root, 'sdk'), path.join(folder, 'node_modules/@agent-service/sdk'))
    await writePackage('1.0.0')
    await mkdir(path.join(folder, 'dist'))
    await writeFile(path.join(folder, 'dist/index.js'), code('one'))
  })
  after(async () => {
    onFailure()
    await removeFolder(folder)
  })

  it('runs a demo with the plugin, restarts it on change, survives a broken one, and exits cleanly', async () => {
    const service = path.join(root, 'kernel/cli/bin/agent-service.mjs')
    const environment = { PATH: process.env['PATH'] ?? '', HOME: folder }
    const child = spawn(process.execPath, [program, 'dev', folder, '--service', service, '--port', '0'], { cwd: folder, env: environment })
    const lines: string[] = []
    const listeners = new Set<() => void>()
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        for (const listener of [...listeners]) listener()
      })
    }
    const exited = once(child, 'exit')
    const shows = async (from: number, fits: (line: string) => boolean): Promise<number> => {
      for (;;) {
        const index = lines.findIndex((line, place) => place >= from && fits(line))
        if (index >= 0) return index
        await new Promise<void>((resolve, reject) => {
          const listener = (): void => {
            listeners.delete(listener)
            resolve()
          }
          listeners.add(listener)
          void exited.then(() => reject(new Error(`It ended:\n${lines.join('\n')}`)))
        })
      }
    }
    const isReady = (line: string): boolean => line.includes('The service is ready.')
    const stateNow = async (ready: number): Promise<unknown> => {
      const { url } = JSON.parse(String(lines[ready]).replace(/^service │ /, '')) as { readonly url: string }
      const admin = await signUp(url, 'ada')
      const { body } = await admin.request('GET', '/api/admin/plugins?limit=200')
      const plugins = (body['items'] ?? body['plugins']) as readonly {
        readonly id: string
        readonly state: string
        readonly version: string
      }[]
      const found = plugins.find(({ id }) => id === 'tool-word')
      return `${found?.state}: ${found?.version}`
    }

    onFailure = () => child.kill('SIGTERM')
    const first = await shows(0, isReady)
    expect(await stateNow(first)).to.equal('ready: 1.0.0')

    await writeFile(path.join(folder, 'dist/index.js'), 'export default 5')
    const broken = await shows(first, (line) => line.includes('has no plugin as its default export'))
    expect(await stateNow(first)).to.equal('ready: 1.0.0')

    await writePackage('2.0.0')
    await writeFile(path.join(folder, 'dist/index.js'), code('two'))
    const again = await shows(broken, (line) => line.includes('the service starts again'))
    const second = await shows(again, isReady)
    expect(await stateNow(second)).to.equal('ready: 2.0.0')

    child.kill('SIGINT')
    const [status] = (await exited) as [number | null]
    expect(status).to.equal(0)
    const { url } = JSON.parse(String(lines[second]).replace(/^service │ /, '')) as { readonly url: string }
    const outcome = await fetch(url).then(
      () => 'it still answers',
      () => 'it is gone',
    )
    expect(outcome).to.equal('it is gone')
  })
})
