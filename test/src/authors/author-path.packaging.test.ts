import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type LocalRegistry, startLocalRegistry } from './local-registry.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }

/** Everything that the page says, in its order, in an empty folder with the packed SDK. */
describe('the tutorial sdk/docs/write-a-plugin.md, followed word for word', function () {
  this.timeout(120_000)
  let folder: string
  let plugin: string
  let page: string
  let registry: LocalRegistry
  let service: ServiceProcess | undefined

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-author-'))
    plugin = path.join(folder, 'tool-dice')
    page = await readFile(path.join(root, 'sdk/docs/write-a-plugin.md'), 'utf8')
    registry = await startLocalRegistry(path.join(root, 'node_modules'))
    await run('npm', ['pack', '--offline', '--ignore-scripts', '--pack-destination', folder], { cwd: path.join(root, 'sdk') })
    await mkdir(plugin)
  })
  after(async () => {
    await service?.stop()
    await registry?.close()
    await removeFolder(folder)
  })

  const shell = (command: string) =>
    run('sh', ['-c', command], {
      cwd: plugin,
      env: { PATH: process.env['PATH'], HOME: folder, npm_config_registry: registry.url, npm_config_update_notifier: 'false' },
    })
  /** The commands of a section of the page. */
  const commandsOf = (section: string): readonly string[] => {
    const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? ''
    return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, lines = '']) => lines.trim().split('\n'))
  }

  it('creates a plugin whose own test passes', async () => {
    const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
    const [enter, ...commands] = commandsOf('Begin')
    expect(enter).to.equal('mkdir tool-dice && cd tool-dice')
    expect(commands).to.deep.equal([
      'npm install /path/to/agent-service-sdk-0.1.0.tgz',
      'npx agent-service-plugin init tool',
      'npm install',
      'npm test',
    ])
    let output = ''
    for (const command of commands) output = (await shell(command.replace('/path/to/', '../'))).stdout
    expect(archive).to.equal('agent-service-sdk-0.1.0.tgz')
    expect(output)
      .to.match(/fail 0\b/)
      .and.match(/pass [1-9]/)
  })

  it('turns it into dice, tested and valid', async () => {
    const files = [...page.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```$/gm)]
    expect(files.map(([, name]) => name)).to.deep.equal(['src/index.ts', 'src/index.test.ts'])
    for (const [, name = '', text = ''] of files) await writeFile(path.join(plugin, name), text)
    const [test = '', validate = ''] = commandsOf('Its test')
    expect((await shell(test)).stdout)
      .to.match(/fail 0\b/)
      .and.match(/rolls as many dice/)
    expect((await shell(validate)).stdout).to.match(/Setup ran\.\ntool-dice 0\.1\.0: valid/)
  })

  it('installs it into a running service, gives it to an agent and uses it in a chat', async () => {
    await mkdir(path.join(folder, 'data'))
    const settings = /^```yaml\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
    // The model is the scripted one: a plugin from elsewhere too.
    const sources = `[${plugin}, ${path.join(root, 'examples/provider-scripted')}]`
    const models = 'providers:\n  demo: { adapter: adapter_scripted }\nmodels:\n  primary: { provider: demo, model: scripted }\n'
    await writeFile(path.join(folder, 'data/config.yaml'), settings.replace('[/path/to/tool-dice]', sources) + models)
    service = await startServiceProcess({ folder })

    const ada = await signUp(service.url, 'ada', person.AGENT_SERVICE_PASSWORD)
    // What the commands of the page do with curl and jq.
    const [, added = ''] = /jq '\{tools: \(\.tools \+ \["(\w+)"\]\)\}'/.exec(page) ?? []
    const [agent] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string; readonly tools: string[] }[]
    expect(agent?.tools).to.have.length.above(1)
    const changed = await ada.request('PATCH', `/api/agents/${agent?.id}`, { tools: [...(agent?.tools ?? []), added] })
    expect(changed.status).to.equal(200)
    expect(changed.body['tools']).to.deep.equal([...(agent?.tools ?? []), 'tool_dice__roll_dice'])

    const message = /`(call roll_dice \{.*?\})`/.exec(page)?.[1] ?? ''
    const chat = runCommand(folder, ['chat', '--url', service.url, '--message', message], person)
    expect(await chat.ended, chat.output()).to.equal(0)
    expect(chat.output(), chat.output()).to.match(/The tool says: \{"rolled":\[[1-6],[1-6],[1-6]\]\}/)
  })
})
