import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { openSocket, readToEnd, requestBytes, sendBytes } from './support/raw-http.js'
import { type MeasuredService, startMeasuredService } from './support/start-measured-service.js'
import { startWordyUpstream, type WordyUpstream } from './support/wordy-upstream.js'

describe('a client that never reads its stream', function () {
  this.timeout(60_000)
  let upstream: WordyUpstream
  let service: MeasuredService

  before(async () => {
    upstream = await startWordyUpstream({ pieces: 300, pieceLength: 4_000 })
    service = await startMeasuredService({ upstreamUrl: upstream.url, httpLimits: { maxStalledMs: 1_500 } })
  })
  after(async () => {
    await service?.close()
    await upstream?.close()
  })

  const openStreams = async (): Promise<number> => {
    const { body } = await sendBytes(service.url, requestBytes('/metrics'))
    return Number(/^http_streams_open (\d+)$/m.exec(body)?.[1])
  }
  /** Answers of 1.2 MB each, four at a time; gives their chats. */
  const runMany = async (person: Api, rounds: number): Promise<readonly string[]> => {
    const chats: string[] = []
    for (let round = 0; round < rounds; round += 1) chats.push(...(await Promise.all([1, 2, 3, 4].map(() => runOne(person)))))
    return chats
  }
  const runOne = async (person: Api): Promise<string> => {
    const chat = String((await person.request('POST', '/api/chats', {})).body['id'])
    const { body } = await person.request('POST', `/api/chats/${chat}/messages`, { content: 'Write' })
    const run = (body['run'] as { readonly id: string }).id
    const read = async () => (await person.request('GET', `/api/runs/${run}`)).body
    await eventually(async () => (await read())['status'] === 'completed', { what: read })
    return chat
  }

  it('is dropped; the memory stays flat, and every answer is completed', async () => {
    const ada = await signUp(service.url, 'ada')
    // The cost of the same work without a listener.
    const quiet = service.watchPeak()
    await runMany(ada, 4)
    const quietPeak = await quiet.stop()
    const used = await service.usedMemory()

    const deaf = await Promise.all(Array.from({ length: 8 }, () => openSocket(service.url)))
    for (const socket of deaf) {
      socket.pause()
      socket.write(requestBytes('/api/events', { token: ada.token }))
    }
    await eventually(async () => (await openStreams()) >= deaf.length)
    const loud = service.watchPeak()
    const chats = await runMany(ada, 4)
    const loudPeak = await loud.stop()

    // Kept for them, it would be 19 MB for each of eight clients, beside what garbage makes of it.
    expect(loudPeak, `resident, beside ${quietPeak}`).to.be.below(quietPeak + 160)
    await eventually(async () => (await openStreams()) === 0, { what: 'the end of the clients that do not read' })
    expect(await service.usedMemory(), 'in use').to.be.below(used + 30)
    for (const chat of chats) {
      const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly {
        readonly status: string
        readonly content: readonly { readonly text: string }[]
      }[]
      const answer = messages.at(-1)
      expect([messages.length, answer?.status]).to.deep.equal([2, 'complete'])
      expect(answer?.content.map(({ text }) => text).join('') === upstream.text, 'the text is whole').to.equal(true)
    }
    // What reached the clients is far less than what was written, and ends without a word.
    for (const socket of deaf) {
      const received = readToEnd(socket)
      socket.resume()
      expect((await received).text.length).to.be.below(12 * 1024 * 1024)
    }
  })
})
