import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { createRandom, cutRandomly } from './random-cuts.js'
import { recordAnswers } from './record-answers.js'
import { openRecordings } from './recordings.js'
import { bytesOf, type Replay, type ReplayServer, startReplayServer } from './replay-server.js'

const key = 'odd!key/of+the=author-0123'
const json = { 'content-type': 'application/json' }
const event = (data: unknown): Uint8Array => bytesOf(`data: ${JSON.stringify(data)}\n\n`)

describe('recordAnswers', () => {
  let folder: string
  let vendor: ReplayServer
  let answers: Replay[]

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-recordings-'))
    answers = []
    vendor = await startReplayServer(() => answers.shift() ?? { status: 500, headers: json, pieces: [bytesOf('{"error":"no more"}')] })
  })
  afterEach(async () => {
    await vendor.close()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (more: { readonly secrets?: readonly string[] } = {}) =>
    recordAnswers({ upstream: vendor.baseUrl, folder, name: 'talk', headers: { authorization: `Bearer ${key}` }, ...more })
  const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
  const failure = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'nothing',
      (error: unknown) => String(error),
    )
  const allFiles = async (): Promise<string> =>
    (await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), 'latin1')))).join('\n')

  it('forwards a conversation with the key, and writes it without', async () => {
    answers = [
      {
        headers: {
          'content-type': 'text/event-stream',
          'set-cookie': 'session=abc',
          'openai-organization': 'acme-inc',
          'retry-after': '2',
        },
        pieces: [
          event({ text: 'Hëllo' }),
          event({ user: 'ada', text: ` ${key} and org-ABCDEFGH12, ada@example.org` }),
          bytesOf('data: [DONE]\n\n'),
        ],
      },
      { status: 429, headers: { ...json, 'x-ratelimit-limit-tokens': '9' }, pieces: [bytesOf('{"error":{"message":"Slow down"}}')] },
    ]
    const recorder = await start()
    expect(new URL(recorder.baseUrl).pathname).to.equal('/v1')
    const first = await post(
      `${recorder.baseUrl}/chat?key=${encodeURIComponent(key)}&alt=sse`,
      { stream: true, user: 'ada' },
      { 'x-api-key': key },
    )
    expect(await first.text()).to.contain(key)
    const second = await post(`${recorder.baseUrl}/chat`, { stream: false })
    expect([second.status, first.headers.get('set-cookie')]).to.deep.equal([429, null])
    await second.text()
    await recorder.close()

    expect(vendor.seen.map(({ url }) => url)).to.deep.equal([`/v1/chat?key=${encodeURIComponent(key)}&alt=sse`, '/v1/chat'])
    expect(vendor.seen[0]?.headers['authorization']).to.equal(`Bearer ${key}`)
    expect(recorder.recorded).to.deep.equal(['talk.0', 'talk.1'])
    expect((await readdir(folder)).sort()).to.deep.equal(
      [0, 1].flatMap((number) =>
        ['meta.json', 'request.json', `response.${number === 0 ? 'sse' : 'json'}`].map((end) => `talk.${number}.${end}`),
      ),
    )
    const [streamed, refused] = openRecordings(folder).below('.')
    expect(streamed).to.deep.include({ kind: 'sse', status: 200, headers: { 'content-type': 'text/event-stream', 'retry-after': '2' } })
    expect(streamed?.documents).to.deep.equal([
      { text: 'Hëllo' },
      { user: 'REDACTED', text: ' KEY_REDACTED and ORGANISATION_REDACTED, MAIL_REDACTED' },
    ])
    expect(streamed?.request).to.deep.equal({ stream: true, user: 'REDACTED' })
    expect(streamed?.url).to.match(/\/v1\/chat\?alt=sse$/)
    expect(refused).to.deep.include({
      kind: 'json',
      status: 429,
      headers: { 'content-type': 'application/json', 'x-ratelimit-limit-tokens': '9' },
    })
    const written = await allFiles()
    for (const secret of [key, encodeURIComponent(key), 'acme-inc', 'session=abc', 'ada', 'org-ABC']) expect(written).to.not.contain(secret)
  })

  it('lists recordings in the order of the requests, not of the answers', async () => {
    answers = [{ pieces: [event({ text: 'Slow' }), event({ done: true })], pauseMs: 200 }, { pieces: [event({ done: true })] }]
    const recorder = await start()
    const slow = await post(`${recorder.baseUrl}/chat`, {})
    await (await post(`${recorder.baseUrl}/chat`, {})).text()
    await slow.text()
    await recorder.close()
    expect(recorder.recorded).to.deep.equal(['talk.0', 'talk.1'])
    expect(openRecordings(folder).at('talk.0.response.sse').documents).to.deep.equal([{ text: 'Slow' }, { done: true }])
  })

  it('recordings can be replayed in any chunks', async () => {
    const pieces = [event({ text: 'Grüße 👋' }), event({ done: true })]
    answers = [{ pieces }]
    const recorder = await start()
    await (await post(`${recorder.baseUrl}/chat`, {})).text()
    await recorder.close()
    const recording = openRecordings(folder).at('talk.0.response.sse')
    answers = Array.from({ length: 20 }, (_, seed) => ({ pieces: cutRandomly(recording.bytes, createRandom(seed)) }))
    for (let run = 0; run < 20; run += 1)
      expect(await (await post(`${vendor.baseUrl}/chat`, {})).text()).to.equal(Buffer.concat(pieces).toString())
  })

  const leaks: readonly (readonly [string, Replay])[] = [
    ['cut into pieces of a stream', { pieces: [event({ text: key.slice(0, 9) }), event({ text: key.slice(9) })] }],
    [
      'inside of frames that cannot be changed',
      { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces: [bytesOf(`\u0000frame ${key}\u0000`)] },
    ],
    ['in the other case', { headers: json, pieces: [bytesOf(JSON.stringify({ text: key.toUpperCase() }))] }],
  ]
  for (const [where, answer] of leaks) {
    it(`writes nothing if the key remains ${where}, and reports that without the key`, async () => {
      answers = [answer, { headers: json, pieces: [bytesOf('{"text":"fine"}')] }]
      const recorder = await start()
      await (await post(`${recorder.baseUrl}/chat`, {})).arrayBuffer()
      await (await post(`${recorder.baseUrl}/chat`, {})).text()
      const told = await failure(recorder.close())
      expect(told).to.contain('talk.0: a secret would remain').and.not.contain(key)
      expect(recorder.recorded).to.deep.equal(['talk.1'])
      expect(await allFiles())
        .to.not.contain('frame')
        .and.not.contain(key)
    })
  }

  it('removes the author’s secrets', async () => {
    answers = [{ headers: json, pieces: [bytesOf('{"owner":"Acme Incorporated"}')] }]
    const recorder = await start({ secrets: ['Acme Incorporated'] })
    await (await post(`${recorder.baseUrl}/chat`, { from: 'Acme Incorporated' })).text()
    await recorder.close()
    expect(await allFiles()).to.not.contain('Acme')
  })

  it('refuses a secret that is too short', async () => {
    expect(await failure(start({ secrets: ['ada'] })))
      .to.contain('fewer than 8 characters')
      .and.not.contain('ada')
  })

  it('does not record incomplete answers: cancelled, broken off, a page', async () => {
    answers = [
      { pieces: [event({ text: 'Hi' })], end: 'hold' },
      { pieces: [event({ text: 'Hi' })], end: 'destroy' },
      { headers: { 'content-type': 'text/html' }, pieces: [bytesOf('<html></html>')] },
    ]
    const recorder = await start()
    const controller = new AbortController()
    const held = await fetch(`${recorder.baseUrl}/chat`, { method: 'POST', body: '{}', signal: controller.signal })
    await held.body?.getReader().read()
    controller.abort()
    expect(await failure(post(`${recorder.baseUrl}/chat`, {}).then((answer) => answer.text()))).to.not.equal('nothing')
    await (await post(`${recorder.baseUrl}/chat`, {})).text()
    const told = await failure(recorder.close())
    for (const name of ['talk.0: its caller cancelled it', 'talk.1: ', 'talk.2: its answer is not JSON']) expect(told).to.contain(name)
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('omits a large request from its recording', async () => {
    answers = [{ headers: json, pieces: [bytesOf('{}')] }]
    const recorder = await start()
    await (await post(`${recorder.baseUrl}/chat`, { data: 'x'.repeat(600_000) })).text()
    await recorder.close()
    expect((await readdir(folder)).sort()).to.deep.equal(['talk.0.meta.json', 'talk.0.response.json'])
    expect(await allFiles()).to.contain('"requestOmitted": "larger than')
  })
})
