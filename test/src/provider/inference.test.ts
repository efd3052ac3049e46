import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { type Api, type EventStream, type StreamedEvent, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { refusing, type ScriptedHttpUpstream, saying, stalling, startScriptedHttpUpstream } from '../support/scripted-http-upstream.js'

const environment = { UPSTREAM_KEY: 'key-of-upstream', SERVICE_INFERENCE_TIMEOUTS__FIRST_TOKEN_SECS: '1' }
const endings: readonly string[] = ['run.completed', 'run.failed', 'run.cancelled']

interface Failure {
  readonly code: string
  readonly message: string
}

describe('model calls through the whole service', () => {
  let folder: string
  let upstream: ScriptedHttpUpstream
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream

  const startWith = async (variables: Readonly<Record<string, string>>): Promise<void> => {
    kernel = await createTestKernel({ folder, environment: variables })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
  }
  const stop = async (): Promise<void> => {
    stream?.close()
    await kernel?.stop()
  }
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-inference-'))
    upstream = await startScriptedHttpUpstream()
    await writeConfiguration(folder, upstream.url, { maxRetries: 3 })
    await startWith(environment)
  })
  after(async () => {
    await stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const post = async (): Promise<string> => {
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Hello' })
    return (body['run'] as { readonly id: string }).id
  }
  /** Every event of the run, the last one ends it. */
  const eventsOf = async (run: string): Promise<readonly StreamedEvent[]> => {
    await stream.until(({ name, data }) => data['run_id'] === run && endings.includes(name))
    return stream.events.filter(({ data }) => data['run_id'] === run)
  }
  const endOf = async (run: string): Promise<{ readonly name: string; readonly failure: Failure; readonly retries: number }> => {
    const events = await eventsOf(run)
    const end = events.find(({ name }) => endings.includes(name))
    return {
      name: end?.name ?? '',
      failure: (end?.data['failure'] ?? { code: '', message: '' }) as Failure,
      retries: events.filter(({ name }) => name === 'run.retrying').length,
    }
  }

  it('go to the groups that GET /api/models lists, for signed-in users', async () => {
    const { status, body } = await ada.request('GET', '/api/models')
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      items: [
        {
          ...{ name: 'primary', provider: 'upstream', model: 'recorded-model', context_window: 128_000 },
          ...{ title: 'recorded-model', brand: 'recorded', brand_name: 'recorded', fallbacks: [] },
        },
      ],
      next_cursor: null,
    })
    expect((await fetch(`${kernel.url}/api/models`)).status).to.equal(401)
  })

  it('wait as long as the vendor requests after 429, and answer once', async () => {
    upstream.script(refusing(429, { message: 'Slow down.' }, { 'retry-after': '1' }), saying('Here I am.'))
    const run = await post()
    const events = await eventsOf(run)
    expect(events.at(-1)?.name).to.equal('run.completed')
    expect(events.filter(({ name }) => name === 'run.retrying').map(({ data }) => data['delay_ms'])).to.deep.equal([1_000])
    const answers = events.flatMap(({ name, data }) => (name === 'message.updated' ? [data['message'] as Record<string, unknown>] : []))
    expect(answers.map(({ role, status, content }) => ({ role, status, content }))).to.deep.equal([
      { role: 'assistant', status: 'complete', content: [{ type: 'text', text: 'Here I am.' }] },
    ])
    expect(upstream.requests).to.have.length(2)
  })

  it('are not retried after 401, nor when the account has no credit', async () => {
    const refusals = [
      { answer: refusing(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' }), failure: 'authentication' },
      { answer: refusing(429, { message: 'You exceeded your quota.', code: 'insufficient_quota' }), failure: 'quota_exceeded' },
      { answer: refusing(402, { message: 'Insufficient balance.' }), failure: 'quota_exceeded' },
    ]
    for (const { answer, failure } of refusals) {
      upstream.script(answer, saying('Too late.'))
      const end = await endOf(await post())
      expect(end).to.include({ name: 'run.failed', retries: 0 })
      expect(end.failure.code).to.equal('provider_error')
      expect(end.failure.message).to.contain(failure).and.not.contain(environment.UPSTREAM_KEY)
      expect(upstream.requests).to.have.length(1)
    }
  })

  it('are aborted and retried when no part of an answer arrives within first_token_secs', async () => {
    let gone = 0
    upstream.script(
      stalling(undefined, () => {
        gone += 1
      }),
      saying('At last.'),
    )
    const events = await eventsOf(await post())
    expect(events.at(-1)?.name).to.equal('run.completed')
    const retrying = events.find(({ name }) => name === 'run.retrying')
    expect(retrying?.data).to.include({
      failure: 'timeout',
      reason:
        'No part of an answer came for more than 1000 ms. The limit is inference.timeouts.first_token_secs, 1 s; raise it if this model needs longer.',
    })
    expect(gone).to.equal(1)
    expect(upstream.requests).to.have.length(2)
  })

  it('end with a cancelled run: the upstream sees its connection close', async () => {
    let close: () => void = () => undefined
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    upstream.script(stalling('Once upon', close))
    const run = await post()
    await stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === run)
    expect((await ada.request('POST', `/api/runs/${run}/cancel`)).status).to.equal(200)
    await closed
    expect((await endOf(run)).name).to.equal('run.cancelled')
    expect(upstream.requests).to.have.length(1)
  })

  describe('after a restart without the key', () => {
    before(async () => {
      await stop()
      await startWith({})
    })

    it('fail with the missing variable, and nothing is sent', async () => {
      upstream.script(saying('Never.'))
      const { name, failure } = await endOf(await post())
      expect(name).to.equal('run.failed')
      expect(failure.code).to.equal('credential_missing')
      expect(failure.message).to.contain('UPSTREAM_KEY').and.contain('upstream')
      expect(upstream.requests).to.have.length(0)
    })
  })
})

describe('the configuration of models', () => {
  it('refuses a group with an unknown handle at the start, by its path', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-inference-'))
    try {
      await writeConfiguration(folder, 'http://127.0.0.1:9/v1')
      const file = path.join(folder, 'data', 'config.yaml')
      await writeFile(file, 'models:\n  primary:\n    provider: nobody\n    model: some-model\n')
      const error = await createTestKernel({ folder }).then(
        async (kernel) => {
          await kernel.stop()
          return undefined
        },
        (thrown: unknown) => thrown,
      )
      if (!ServiceError.isInstance(error)) throw error ?? new Error('It started.')
      expect(error.code).to.equal('configuration_invalid')
      expect(error.problems.map((problem) => problem.path)).to.deep.equal(['models.primary.provider'])
      expect(error.message).to.contain('nobody')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('makes a callable group from a key in its standard variable alone', async () => {
    const kernel = await createTestKernel({ environment: { OPENAI_API_KEY: 'key-of-openai' } })
    try {
      const ada = await signUp(kernel.url, 'ada')
      const groups = (await ada.request('GET', '/api/models')).body['items'] as readonly Readonly<Record<string, unknown>>[]
      expect(groups).to.have.length(1)
      expect(groups[0]).to.include({ name: 'primary', provider: 'openai', model: 'gpt-5', title: 'GPT-5', context_window: 400_000 })
      expect(groups[0]).to.not.have.property('embeds')
    } finally {
      await kernel.stop()
    }
  })
})
