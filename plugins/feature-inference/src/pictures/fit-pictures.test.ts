import type { ContentPart, ImagePart, ModelMessage, PictureLimits } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { answer, createScriptedAdapter, groupOf } from '../test-support/fakes.js'
import { gif, jpegHead, pngOf, sizeOfPng, turnedJpeg } from '../test-support/pictures.js'
import { infer, startPlugin, workConnection } from '../test-support/start-plugin.js'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const image = (bytes: Uint8Array | string, mediaType = 'image/png'): ImagePart => ({
  type: 'image',
  media_type: mediaType,
  data: typeof bytes === 'string' ? bytes : base64(bytes),
})

describe('pictures of a request', function () {
  this.timeout(30_000)
  const disposers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const dispose of disposers.splice(0)) await dispose()
  })

  const start = async (pictures: PictureLimits) => {
    const adapter = createScriptedAdapter([answer], { pictures })
    const { inference, dispose } = await startPlugin({
      ...{ providers: { work: workConnection }, models: { primary: groupOf() }, adapters: [adapter] },
    })
    disposers.push(async () => void (await dispose()))
    return async (messages: readonly ModelMessage[], changes: { readonly exact?: true } = {}): Promise<readonly ContentPart[]> => {
      const { error } = await infer(inference, { messages, ...changes })
      expect(error).to.equal(undefined)
      return (adapter.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
        content.flatMap((part): readonly ContentPart[] => (part.type === 'tool_result' ? part.content : [part])),
      )
    }
  }
  const sent = async (pictures: PictureLimits, ...content: readonly ImagePart[]) =>
    (await start(pictures))([{ role: 'user', content: [...content] }])
  const typeOf = async (part: ImagePart) => {
    const [first] = await sent({}, part)
    return first?.type === 'image' ? first.media_type : first
  }

  it('have the type of their bytes, whatever their label; unknown bytes keep theirs, in the usual spelling', async () => {
    expect(await typeOf(image(jpegHead))).to.equal('image/jpeg')
    expect(await typeOf(image(pngOf(1, 1), 'application/octet-stream'))).to.equal('image/png')
    expect(await typeOf(image(gif, 'IMAGE/PNG; charset=binary'))).to.equal('image/gif')
    expect(await typeOf(image(Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/png'))).to.equal('image/webp')
    expect(await typeOf(image(Buffer.from('who knows?'), 'image/HEIC; x=y'))).to.equal('image/heic')
    for (const [label, usual] of [
      ['image/jpg', 'image/jpeg'],
      ['image/pjpeg', 'image/jpeg'],
      ['image/x-png', 'image/png'],
    ] as const)
      expect(await typeOf(image(Buffer.from('who knows?'), label)), label).to.equal(usual)
  })

  it('have the type of their bytes in results of tools and as files, too', async () => {
    const messages: readonly ModelMessage[] = [
      { role: 'assistant', content: [{ type: 'tool_call', call_id: 'c', name: 'look', arguments: {} }] },
      { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'look', content: [image(jpegHead)] }] },
      {
        role: 'user',
        content: [{ type: 'file', name: 'paper', media_type: 'application/octet-stream', data: base64(Buffer.from('%PDF-1.7')) }],
      },
    ]
    const parts = await (await start({}))(messages)
    expect(parts.map((part) => ('media_type' in part ? part.media_type : part.type))).to.deep.equal([
      'tool_call',
      'image/jpeg',
      'application/pdf',
    ])
  })

  it('have plain base64, however it was written', async () => {
    const bytes = Buffer.concat([pngOf(3, 3), Buffer.from([0xfb, 0xff, 0xfe])])
    const plain = base64(bytes)
    for (const [what, data] of [
      ['lines', plain.replace(/.{20}/g, '$&\r\n')],
      ['the alphabet of URLs', plain.replaceAll('+', '-').replaceAll('/', '_')],
      ['no padding', plain.replaceAll('=', '')],
      ['a data URI', `data:image/png;base64,${plain}`],
    ] as const)
      expect((await sent({}, image(data)))[0], what).to.deep.equal(image(plain))
  })

  it('are made smaller where a side is too long, and keep their shape', async () => {
    const [part] = await sent({ maxSide: 100 }, image(pngOf(400, 200)))
    expect(part?.type === 'image' && sizeOfPng(Buffer.from(part.data ?? '', 'base64'))).to.deep.equal([100, 50])
    const [thin] = await sent({ maxSide: 100 }, image(pngOf(1, 300)))
    expect(thin?.type === 'image' && sizeOfPng(Buffer.from(thin.data ?? '', 'base64'))).to.deep.equal([1, 100])
    expect(await sent({ maxSide: 100 }, image(pngOf(100, 100)))).to.deep.equal([image(pngOf(100, 100))])
  })

  it('of a camera that was held upright are upright, though what said so is lost', async () => {
    const [part] = await sent({ maxSide: 20, types: ['image/png'] }, image(turnedJpeg, 'image/jpeg'))
    expect(part?.type === 'image' && sizeOfPng(Buffer.from(part.data ?? '', 'base64'))).to.deep.equal([10, 20])
  })

  it('are made smaller where there are many', async () => {
    const limits = { maxSide: 100, maxSideOfMany: { above: 2, maxSide: 20 } }
    const few = [image(pngOf(50, 50)), image(pngOf(50, 50))]
    expect(await sent(limits, ...few)).to.deep.equal(few)
    const many = await sent(limits, ...few, image(pngOf(10, 10)))
    expect(many.map((part) => part.type === 'image' && sizeOfPng(Buffer.from(part.data ?? '', 'base64'))[0])).to.deep.equal([20, 20, 10])
  })

  it('are made smaller where they have too many bytes', async () => {
    const large = image(pngOf(300, 300, { noise: true }))
    const [part] = await sent({ maxBase64Length: 20_000 }, large)
    expect(part?.type === 'image' && part.data?.length).to.be.within(1_000, 20_000)
  })

  it('are converted where their type is not taken', async () => {
    const [part] = await sent({ types: ['image/png'] }, image(gif, 'image/gif'))
    expect(part).to.include({ type: 'image', media_type: 'image/png' })
  })

  it('leave a text that says why, where that is not possible', async () => {
    const wide = pngOf(1, 1)
    wide.writeUInt32BE(30_000, 16)
    wide.writeUInt32BE(30_000, 20)
    const [huge, broken, foreign] = await sent(
      { types: ['image/png', 'image/jpeg'], maxSide: 8_000 },
      ...[image(wide), image(pngOf(9_000, 1).subarray(0, 40)), image(Buffer.from('who knows?'), 'image/x-house')],
    )
    expect(huge).to.deep.equal({ type: 'text', text: '[picture left out: 30000 × 30000 pixels, this model takes at most 8000 on a side]' })
    expect(broken).to.deep.equal({ type: 'text', text: '[picture left out: 9000 × 1 pixels, this model takes at most 8000 on a side]' })
    expect(foreign).to.deep.equal({
      type: 'text',
      text: '[picture left out: its type is image/x-house, this model takes image/png, image/jpeg]',
    })
  })

  it('of too many, the oldest leave a text', async () => {
    const parts = await sent({ maxPictures: 2 }, image(pngOf(1, 1)), image(pngOf(2, 2)), image(pngOf(3, 3)))
    expect(parts.map(({ type }) => type)).to.deep.equal(['text', 'image', 'image'])
    expect(parts[0]).to.have.property('text', '[picture left out: this model takes at most 2 pictures in a request]')
  })

  it('are made smaller but never left out where the caller wants them exactly', async () => {
    const ask = await start({ types: ['image/png'], maxSide: 100, maxPictures: 1 })
    const foreign = image(Buffer.from('who knows?'), 'image/x-house')
    const parts = await ask([{ role: 'user', content: [foreign, image(pngOf(200, 200))] }], { exact: true })
    expect(parts[0]).to.deep.equal(foreign)
    expect(parts[1]?.type === 'image' && sizeOfPng(Buffer.from(parts[1].data ?? '', 'base64'))).to.deep.equal([100, 100])
  })

  it('at an address are left to the vendor', async () => {
    const part: ImagePart = { type: 'image', media_type: 'image/*', url: 'https://house.example/a.png' }
    expect(await sent({ types: ['image/png'], maxSide: 1 }, part)).to.deep.equal([part])
  })
})

describe('texts of a request', () => {
  it('are well-formed when an adapter gets them, whatever is stored', async () => {
    const half = 'half \ud83d'
    const adapter = createScriptedAdapter([answer])
    const { inference } = await startPlugin({ providers: { work: workConnection }, models: { primary: groupOf() }, adapters: [adapter] })
    await infer(inference, {
      messages: [
        { role: 'system', content: [{ type: 'text', text: half }] },
        { role: 'assistant', content: [{ type: 'tool_call', call_id: 'c', name: 'look', arguments: { [half]: [half] } }] },
        { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'look', content: [{ type: 'text', text: half }] }] },
      ],
      tools: [{ name: 'look', description: half, parameters: { type: 'object', properties: { a: { type: 'string', enum: [half] } } } }],
    })
    const [request] = adapter.requests
    expect(JSON.stringify([request?.messages, request?.tools])).to.not.match(/\\ud83d/i)
    expect(JSON.stringify(request?.messages)).to.contain('half \ufffd')
  })
})
