import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf, type SeenMessage } from '../agents/support/agents-kernel.js'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { wireOf } from './support/wires/index.js'

interface ImageBlock {
  readonly type: string
  readonly source?: { readonly type: string; readonly media_type: string; readonly data: string }
}
interface WireRequest {
  readonly messages: readonly { readonly content: string | readonly (ImageBlock & { readonly text?: string })[] }[]
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const pngOf = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const kindOf = (data: string): string => {
  const bytes = Buffer.from(data, 'base64')
  return bytes[0] === 0x89 ? 'image/png' : bytes[0] === 0xff ? 'image/jpeg' : 'unknown'
}

/** What a vendor says about a request, as strict as vendors are; `undefined`: it is answered. */
function faultIn({ messages }: WireRequest): string | undefined {
  const images = messages.flatMap(({ content }, message) =>
    (typeof content === 'string' ? [] : content).flatMap((block, index) =>
      block.type === 'image' && block.source ? [{ source: block.source, place: `messages.${message}.content.${index}.image.source` }] : [],
    ),
  )
  for (const { source, place } of images) {
    const kind = kindOf(source.data)
    if (kind !== source.media_type)
      return `${place}.base64: The image was specified using the ${source.media_type} media type, but the image appears to be a ${kind} image`
    const bytes = Buffer.from(source.data, 'base64')
    const most = images.length > 20 ? 2_000 : 8_000
    if (kind === 'image/png' && Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) > most)
      return `${place}.base64.data: At least one of the image dimensions exceed max allowed size: ${most} pixels`
    // A picture that only the vendor finds fault with.
    if (bytes.includes('no vendor takes this')) return `${place}.base64: Could not process image`
  }
  return undefined
}

describe('pictures that a vendor refuses', function () {
  this.timeout(60_000)
  const wire = wireOf('anthropic')
  let folder: string
  let server: Server
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  let root: string
  let requests: { readonly request: WireRequest; readonly fault: string | undefined }[] = []

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-refused-'))
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (piece: Buffer) => chunks.push(piece))
      request.on('end', () => {
        const read = JSON.parse(Buffer.concat(chunks).toString()) as WireRequest
        const fault = faultIn(read)
        requests.push({ request: read, fault })
        const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: fault } })
        if (fault === undefined) response.writeHead(200, { 'content-type': wire.contentType }).end(`${wire.text}${wire.end}`)
        else response.writeHead(400, { 'content-type': 'application/json' }).end(body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const configuration = {
      providers: { house: { provider: 'house-claude', adapter: wire.adapter, base_url, api_key: 'none' } },
      models: { primary: { provider: 'house', model: 'model-1', retry: { max_retries: 0 } } },
    }
    await writeFile(path.join(folder, 'config.json'), JSON.stringify(configuration))
    kernel = await createTestKernel({ folder, environment: { SERVICE_CONFIG: path.join(folder, 'config.json') } })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
    root = path.join(kernel.folder, 'data', 'users', 'ada', 'files')
    await mkdir(root, { recursive: true })
    await writeFile(path.join(root, 'tall.png'), pngOf(1, 8_001))
    await writeFile(path.join(root, 'odd.png'), Buffer.concat([pngOf(1, 1), Buffer.from('no vendor takes this')]))
    for (let number = 0; number < 21; number += 1) await writeFile(path.join(root, `wide-${number}.png`), pngOf(2_001 + number, 1))
  })
  beforeEach(() => {
    requests = []
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const newChat = async (): Promise<string> => String((await ada.request('POST', '/api/chats', { title: 'A title' })).body['id'])
  /** Posts, and gives the last event of the run and the answer. */
  const ask = async (chat: string, content: string, ...files: readonly string[]) => {
    const posted = await ada.request('POST', `/api/chats/${chat}/messages`, {
      content,
      attachments: files.map((name) => ({ path: `files/${name}` })),
    })
    expect(posted.status, JSON.stringify(posted.body)).to.equal(202)
    const runId = (posted.body['run'] as { readonly id: string }).id
    const end = await endOf(stream, runId)
    const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly (SeenMessage & {
      readonly left_out?: unknown
    })[]
    return { end: end.name, answer: messages.at(-1), runId }
  }
  const faults = () => requests.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))

  it('are made smaller before, so that the chat goes on', async () => {
    const chat = await newChat()
    expect((await ask(chat, 'What is it?', 'tall.png')).end).to.equal('run.completed')
    expect((await ask(chat, 'never mind')).end).to.equal('run.completed')
    expect(faults()).to.deep.equal([])
    expect(JSON.stringify(requests.at(-1)?.request)).to.contain('"media_type":"image/png"')
  })

  it('are made smaller once there are many', async () => {
    const chat = await newChat()
    const names = Array.from({ length: 21 }, (_, number) => `wide-${number}.png`)
    await ask(chat, 'These.', ...names.slice(0, 20))
    expect((await ask(chat, 'And this.', ...names.slice(20))).end).to.equal('run.completed')
    expect((await ask(chat, 'never mind')).end).to.equal('run.completed')
    expect(faults()).to.deep.equal([])
  })

  it('are left out after the refusal with a notice; later messages are answered without another one', async () => {
    const chat = await newChat()
    const { end, answer, runId } = await ask(chat, 'What is it?', 'odd.png')
    expect(end).to.equal('run.completed')
    expect(faults()).to.have.length(1)
    const reason = 'Could not process image'
    expect(answer?.left_out).to.have.nested.property('[0].count', 1)
    expect(JSON.stringify(answer?.left_out)).to.contain(reason)
    const noticed = stream.events.find(({ name, data }) => name === 'run.reduced' && data['run_id'] === runId)
    expect(noticed?.data).to.include({ left_out: 'parts', count: 1, provider: 'house' })
    const later = await ask(chat, 'never mind')
    expect([later.end, later.answer?.left_out]).to.deep.equal(['run.completed', undefined])
    expect(faults()).to.have.length(1)
    expect(JSON.stringify(requests.at(-1)?.request))
      .to.contain('[picture left out: ')
      .and.to.contain(reason)
  })

  it('have the type of their bytes over /v1', async () => {
    for (const type of ['image/png', 'image/jpg', 'IMAGE/PNG']) {
      const image_url = { url: `data:${type};base64,${jpeg.toString('base64')}` }
      const content = [
        { type: 'text', text: 'Who is it?' },
        { type: 'image_url', image_url },
      ]
      const answer = await ada.request('POST', '/v1/chat/completions', { model: 'primary', messages: [{ role: 'user', content }] })
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    }
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${jpeg.toString('base64')}` }] }]
    const answer = await ada.request('POST', '/v1/responses', { model: 'primary', input, store: false })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    expect(faults()).to.deep.equal([])
  })
})
