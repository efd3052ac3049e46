import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { endOf } from './support/agents-kernel.js'
import { askedOnce } from './support/asking-kernel.js'
import { type CountingTools, writeCountingTools } from './support/counting-tools.js'
import { type PlannedUpstream, startPlannedUpstream } from './support/planned-upstream.js'

describe('a service that is killed while a run waits for a person', function () {
  this.timeout(90_000)
  let upstream: PlannedUpstream
  let folder: string
  let tools: CountingTools
  let service: ServiceProcess | undefined

  before(async () => {
    upstream = await startPlannedUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-killed-'))
    await writeConfiguration(folder, upstream.url)
    tools = await writeCountingTools(folder)
  })
  after(async () => {
    await service?.kill()
    await upstream?.close()
    await removeFolder(folder)
  })

  const start = async () => {
    const environment = {
      ...fewPlugins(),
      UPSTREAM_KEY: 'upstream-key-0123456789',
      SERVICE_PLUGINS_SOURCES: JSON.stringify([tools.folder]),
    }
    service = await startServiceProcess({ folder, environment })
    return signUp(service.url, 'ada')
  }

  it('continues after the restart with the answer, and runs the call once', async () => {
    let ada = await start()
    const [first] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    await ada.request('PATCH', `/api/agents/${first?.id}`, { tools: tools.names, approval: { '*': 'always' } })
    const stream = await ada.stream()
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const content = JSON.stringify([{ tool: 'tool__unsafe', hangs: 0 }])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content })
    const runId = (body['run'] as { readonly id: string }).id
    const asked = await askedOnce(stream, runId)
    stream.close()

    await service?.kill()
    ada = await start()
    const resumed = await ada.stream()
    expect((await ada.request('GET', `/api/runs/${runId}`)).body).to.deep.include({ status: 'waiting', asking: [asked.call_id] })
    const answered = await ada.request('POST', `/api/runs/${runId}/approvals/${asked.call_id}`, { decision: 'approve' })
    expect(answered.status).to.equal(200)
    // Whatever became of the call by now, it is never made a second time.
    await service?.kill()
    resumed.close()
    ada = await start()
    const last = await ada.stream()
    const status = (await ada.request('GET', `/api/runs/${runId}`)).body['status']
    if (status !== 'completed') expect((await endOf(last, runId)).name).to.equal('run.completed')
    const executions = (await tools.executions()).filter(({ kind }) => kind === 'execute')
    expect(executions.length).to.be.at.most(1)
    expect(executions.every(({ callId }) => callId === asked.call_id)).to.equal(true)
    expect((await ada.request('GET', `/api/approvals/${asked.call_id}`)).body).to.include({ status: 'approved' })
    last.close()
  })
})
