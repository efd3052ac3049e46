import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import {
  refusing,
  type ScriptedAnswer,
  type ScriptedHttpUpstream,
  saying,
  stalling,
  startScriptedHttpUpstream,
} from '../support/scripted-http-upstream.js'
import { endOf } from './support/agents-kernel.js'

const environment = { UPSTREAM_KEY: 'key-of-upstream' }

interface SeenRun {
  readonly id: string
  readonly status: string
  readonly failure: Readonly<Record<string, unknown>> | null
  readonly retry: Readonly<Record<string, unknown>> | null
}
interface Page {
  readonly items: readonly { readonly run_id: string; readonly role: string; readonly status: string; readonly sequence: number }[]
  readonly runs: readonly SeenRun[]
}

describe('turns that failed', function () {
  this.timeout(60_000)
  let folder: string
  let upstream: ScriptedHttpUpstream
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream

  const start = async (): Promise<void> => {
    kernel = await createTestKernel({ folder, environment })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
  }
  const stop = async (): Promise<void> => {
    stream?.close()
    await kernel?.stop()
  }
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-failed-turns-'))
    upstream = await startScriptedHttpUpstream()
    await writeConfiguration(folder, upstream.url, { maxRetries: 2 })
    await start()
  })
  after(async () => {
    await stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const newChat = async (): Promise<string> => String((await ada.request('POST', '/api/chats', {})).body['id'])
  const post = async (chat: string, ...answers: readonly ScriptedAnswer[]): Promise<string> => {
    upstream.script(...answers)
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Hello' })
    return (body['run'] as SeenRun).id
  }
  const pageOf = async (chat: string, query = ''): Promise<Page> =>
    (await ada.request('GET', `/api/chats/${chat}/messages${query}`)).body as unknown as Page
  const runIn = ({ runs }: Page, id: string): SeenRun | undefined => runs.find((run) => run.id === id)

  it('keep their reason beside the messages: after later ones, on older pages, and after a restart', async () => {
    const chat = await newChat()
    const busy = refusing(500, { message: 'It broke.' })
    const cases = [
      {
        answers: [refusing(401, { message: 'Incorrect API key provided: key-of-upstream.' })],
        failure: 'authentication',
        http_status: 401,
      },
      { answers: [refusing(404, { message: 'The model does not exist.' })], failure: 'model_not_found', http_status: 404 },
      { answers: [refusing(429, { message: 'No.', code: 'insufficient_quota' })], failure: 'quota_exceeded', http_status: 429 },
      { answers: [busy, busy, busy], failure: 'overloaded', http_status: 500 },
    ] as const
    const failed: { readonly id: string; readonly failure: string; readonly http_status: number }[] = []
    for (const { answers, failure, http_status } of cases) {
      const id = await post(chat, ...answers)
      expect((await endOf(stream, id)).name).to.equal('run.failed')
      expect(upstream.requests).to.have.length(answers.length)
      failed.push({ id, failure, http_status })
    }
    expect((await endOf(stream, await post(chat, saying('Here.')))).name).to.equal('run.completed')

    const check = async (): Promise<void> => {
      const page = await pageOf(chat)
      expect(page.runs.map(({ status }) => status)).to.deep.equal([...failed.map(() => 'failed'), 'completed'])
      expect(page.runs.map(({ id }) => id)).to.deep.equal([...new Set(page.items.map(({ run_id }) => run_id))])
      for (const { id, failure, http_status } of failed) {
        const found = runIn(page, id)?.failure
        expect(found).to.include({
          code: 'provider_error',
          provider_failure: failure,
          provider: 'upstream',
          model: 'recorded-model',
          http_status,
        })
        expect(JSON.stringify(found)).to.not.contain(environment.UPSTREAM_KEY)
      }
      const older = await pageOf(chat, '?before=2&limit=2')
      expect(older.runs.map(({ id }) => id)).to.deep.equal([failed[0]?.id])
    }
    await check()
    await stop()
    await start()
    await check()
  })

  it('are answered again in a branch, and keep their reason in the one before', async () => {
    const chat = await newChat()
    const first = await post(chat, refusing(401, { message: 'No.' }))
    await endOf(stream, first)
    await endOf(stream, await post(chat, saying('Second.')))
    const before = String((await ada.request('GET', `/api/chats/${chat}`)).body['branch_id'])
    const { items } = await pageOf(chat)
    upstream.script(saying('First.'))
    const { body } = await ada.request('POST', `/api/chats/${chat}/regenerate`, { message_id: (items[1] as { id?: string }).id })
    const again = (body['run'] as SeenRun).id
    expect((await endOf(stream, again)).name).to.equal('run.completed')
    const shown = await pageOf(chat)
    expect(shown.items.map(({ role, status }) => `${role} ${status}`)).to.deep.equal(['user complete', 'assistant complete'])
    expect(runIn(shown, again)?.status).to.equal('completed')
    expect(runIn(await pageOf(chat, `?branch_id=${before}`), first)?.failure).to.include({ provider_failure: 'authentication' })
  })

  it('have no attempt left to wait for once the answer has come', async () => {
    const chat = await newChat()
    const id = await post(chat, refusing(503, { message: 'Busy.' }), saying('Here.'))
    expect((await endOf(stream, id)).name).to.equal('run.completed')
    expect((await stream.until((event) => event.name === 'run.retrying' && event.data['run_id'] === id)).data['max_attempts']).to.equal(3)
    expect(runIn(await pageOf(chat), id)).to.include({ status: 'completed', retry: null })
  })

  it('that were stopped before the first word are known by their run', async () => {
    const chat = await newChat()
    const called = new Promise<void>((resolve) => {
      void post(chat, (response) => {
        stalling(undefined, () => undefined)(response)
        resolve()
      })
    })
    await called
    const id = String((await ada.request('GET', `/api/chats/${chat}`)).body['active_run_id'])
    await ada.request('POST', `/api/runs/${id}/cancel`)
    await endOf(stream, id)
    const page = await pageOf(chat)
    expect(runIn(page, id)).to.include({ status: 'cancelled' })
    expect(page.items.at(-1)).to.include({ run_id: id, role: 'assistant', status: 'failed' })
  })

  describe('at the limit of a vendor, which the service remembers', () => {
    beforeEach(async () => {
      await stop()
      await start()
    })

    it('say that they wait for another attempt, and until when; stopped, they have no answer', async () => {
      const chat = await newChat()
      const id = await post(chat, refusing(429, { message: 'Slow down.' }, { 'retry-after': '30' }))
      const { data } = await stream.until((event) => event.name === 'run.retrying' && event.data['run_id'] === id)
      expect(data).to.include({ attempt: 1, max_attempts: 3, failure: 'rate_limited', delay_ms: 30_000 })
      const retry = runIn(await pageOf(chat), id)?.retry
      expect(retry).to.include({ attempt: 2, max_attempts: 3, failure: 'rate_limited', reason: 'Slow down.', next_at: data['next_at'] })
      await ada.request('POST', `/api/runs/${id}/cancel`)
      expect((await endOf(stream, id)).name).to.equal('run.cancelled')
      const page = await pageOf(chat)
      expect(runIn(page, id)).to.include({ status: 'cancelled', failure: null, retry: null })
      expect(page.items.map(({ role, status }) => `${role} ${status}`)).to.deep.equal(['user complete', 'assistant failed'])
    })

    it('fail at once when the vendor asks to wait longer than the service does, and say so', async () => {
      const id = await post(await newChat(), refusing(429, { message: 'Slow down.' }, { 'retry-after': '300' }))
      const { failure } = (await endOf(stream, id)).data
      expect(failure).to.include({ provider_failure: 'rate_limited', retry_after_secs: 300 })
      expect((failure as { reason: string }).reason).to.equal(
        'Slow down. The vendor asks to wait 300 s, longer than models.primary.retry.max_backoff_ms allows (60 s).',
      )
      expect(upstream.requests).to.have.length(1)
    })
  })
})
