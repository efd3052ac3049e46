import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type DeathMoment, runStarter } from '../programs/run-starter.js'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { writeTestPlugin } from './support/write-test-plugin.js'

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`
const starts = '/api/plugins/run-starter/runs'

describe('a service that is killed between the request for a run and its answer', function () {
  this.timeout(60_000)
  let upstream: Server
  let folder: string
  let plugin: string
  let service: ServiceProcess | undefined

  before(async () => {
    upstream = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`${event({ delta: { content: 'Hello.' } })}${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-keyed-'))
    await writeConfiguration(folder, `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`)
    plugin = await writeTestPlugin(path.join(folder, 'run-starter'), runStarter(), new URL('../programs/run-starter.js', import.meta.url))
    const module = new URL('../programs/run-starter.js', import.meta.url).href
    await writeFile(path.join(plugin, 'index.js'), `import { runStarter } from ${JSON.stringify(module)}\nexport default runStarter()\n`)
  })
  after(async () => {
    await service?.kill()
    upstream.closeAllConnections()
    await new Promise<unknown>((resolve) => upstream.close(resolve))
    await removeFolder(folder)
  })

  const start = async (): Promise<Api> => {
    const environment = { ...fewPlugins(), UPSTREAM_KEY: 'upstream-key-0123456789', SERVICE_PLUGINS_SOURCES: JSON.stringify([plugin]) }
    service = await startServiceProcess({ folder, environment })
    return signUp(service.url, 'ada')
  }
  const itemsOf = async (ada: Api, place: string) => (await ada.request('GET', place)).body['items'] as readonly Record<string, unknown>[]

  for (const dies of ['at once', 'soon', 'before the answer'] as const satisfies readonly DeathMoment[]) {
    it(`has one run for the key after a repeated request: killed ${dies}`, async () => {
      const key = `killed ${dies}`
      let ada = await start()
      const dying = service?.child
      const lost = await ada.request('POST', starts, { key, dies }).catch(() => undefined)
      expect(lost).to.equal(undefined)
      if (dying?.exitCode === null && dying.signalCode === null) await new Promise((resolve) => dying.once('exit', resolve))
      expect(dying?.signalCode).to.equal('SIGKILL')

      ada = await start()
      const stream = await ada.stream()
      const { status, body } = await ada.request('POST', starts, { key, dies: 'never' })
      expect(status, JSON.stringify(body)).to.equal(200)
      // What was answered was stored before, so that the repetition finds it.
      if (dies === 'before the answer') expect(body['repeated']).to.equal(true)
      const again = await ada.request('POST', starts, { key, dies: 'never' })
      expect(again.body).to.deep.equal({ ...body, repeated: true })
      const messages = `/api/chats/${String(body['chat'])}/messages`
      if ((await ada.request('GET', `/api/runs/${String(body['run'])}`)).body['status'] !== 'completed')
        await stream.until(({ name, data }) => name === 'run.completed' && data['run_id'] === body['run'])
      stream.close()
      const chats = (await itemsOf(ada, '/api/chats?limit=100')).filter(({ title }) => title === key)
      expect(chats.map(({ id }) => id)).to.deep.equal([body['chat']])
      expect((await itemsOf(ada, messages)).map(({ role }) => role)).to.deep.equal(['user', 'assistant'])
      await service?.kill()
    })
  }
})
