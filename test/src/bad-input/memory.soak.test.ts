import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { openSocket, readToEnd, requestBytes, sendBytes } from './support/raw-http.js'
import { type MeasuredService, startMeasuredService } from './support/start-measured-service.js'

const mebibyte = 1024 * 1024

describe('memory after bad input', function () {
  this.timeout(60_000)
  let service: MeasuredService

  before(async () => {
    service = await startMeasuredService({ upstreamUrl: 'http://127.0.0.1:9/v1' })
  })
  after(() => service?.close())

  it('returns to its level after hundreds of MiB of refused bodies, and does not grow with their number', async () => {
    const { token, request } = await signUp(service.url, 'ada')
    const chat = String((await request('POST', '/api/chats', {})).body['id'])
    const messages = `/api/chats/${chat}/messages`
    const post = (target: string, body: string) =>
      sendBytes(service.url, requestBytes(target, { method: 'POST', token, body }), { limitMs: 20_000 })
    const mistreat = async (): Promise<void> => {
      const large = await Promise.all([
        post(messages, `{"content":"${'x'.repeat(33 * mebibyte)}"}`),
        post(messages, `{"content":${'['.repeat(8 * mebibyte)}`),
        post(messages, `{"content":"${'x'.repeat(8 * mebibyte)}`),
        post(messages, `{"unknown":"${'x'.repeat(8 * mebibyte)}"}`),
      ])
      expect(large.map(({ status }) => status)).to.deep.equal([413, 400, 400, 422])
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(['[', '{"a":', '"', '{"title":5}', '\u0000'].map((body) => post('/api/chats', body.repeat(2_000))))
        const cut = await openSocket(service.url)
        cut.write(requestBytes('/api/chats', { method: 'POST', token, body: 'x'.repeat(60_000) }).subarray(0, 50_000))
        cut.end()
        await readToEnd(cut)
      }
    }
    // The first time also fills what is meant to stay: code, the thread that reads large bodies,
    // connections.
    await mistreat()
    const used = await service.usedMemory()
    const resident = await service.residentMemory()
    for (let round = 0; round < 3; round += 1) await mistreat()
    expect(await service.usedMemory(), 'in use').to.be.below(used + 8)
    // Less than the 170 MiB of the bodies. What V8 and the system keep for later is another amount
    // with every Node.
    expect(await service.residentMemory(), 'resident').to.be.below(resident + 128)
    const chats = (await request('GET', '/api/chats')).body['items'] as readonly { readonly message_count: number }[]
    expect(chats.map(({ message_count }) => message_count)).to.deep.equal([0])
  })
})
