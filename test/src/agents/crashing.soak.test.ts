import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { type HangingUpstream, startHangingUpstream } from '../support/hanging-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { endOf } from './support/agents-kernel.js'
import { createClientView } from './support/client-view.js'

describe('a service that is killed while an answer streams', function () {
  this.timeout(60_000)
  let upstream: HangingUpstream
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    upstream = await startHangingUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-crash-'))
    await writeConfiguration(folder, upstream.url)
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await upstream.close()
    await removeFolder(folder)
  })

  const start = async (): Promise<{ readonly ada: Api }> => {
    service = await startServiceProcess({ folder, environment: { ...fewPlugins(), UPSTREAM_KEY: 'upstream-key-0123456789' } })
    return { ada: await signUp(service.url, 'ada') }
  }
  const post = async (ada: Api) => {
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Hi' })
    return { chat, run: (body['run'] as { readonly id: string }).id }
  }

  it('repeats the model call after the restart, and a client that resumes shows the answer once', async () => {
    const { ada } = await start()
    const stream = await ada.stream()
    const view = createClientView()
    const { chat, run } = await post(ada)
    await stream.until((event) => event.name === 'text.delta')
    for (const event of stream.events) view.apply(event)
    const after = stream.events.findLast((event) => event.name === 'message.created')?.id ?? expect.fail('no id')
    await service?.kill()
    stream.close()

    upstream.answer()
    const again = (await start()).ada
    const resumed = await again.stream({ after })
    expect((await endOf(resumed, run)).name).to.equal('run.completed')
    expect(resumed.events.map((event) => event.name)).to.not.include('reset')
    for (const event of resumed.events) view.apply(event)
    const messages = (await again.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly {
      readonly id: string
      readonly status: string
      readonly content: readonly { readonly text: string }[]
    }[]
    expect(messages.map(({ status, content }) => [status, content[0]?.text])).to.deep.equal([
      ['complete', 'Hi'],
      ['complete', 'The whole answer.'],
    ])
    expect(view.text(messages[1]?.id ?? '')).to.equal('The whole answer.')
    resumed.close()
  })

  it('fails a run that crashes the service repeatedly', async () => {
    let ada = (await start()).ada
    const stream = await ada.stream()
    const { chat, run } = await post(ada)
    const started = await stream.until((event) => event.name === 'run.started')
    stream.close()
    for (let crash = 1; crash <= 3; crash += 1) {
      await upstream.askedTimes(crash)
      await service?.kill()
      ada = (await start()).ada
    }
    const resumed = await ada.stream({ after: started.id ?? '' })
    expect((await endOf(resumed, run)).name).to.equal('run.failed')
    resumed.close()
    const seen = (await ada.request('GET', `/api/runs/${run}`)).body
    expect(seen).to.include({ status: 'failed' })
    expect(seen['failure']).to.include({ code: 'run_poisoned' })
    expect((await ada.request('GET', `/api/chats/${chat}`)).body['active_run_id']).to.equal(null)
    expect(upstream.asked()).to.equal(3)
  })
})
