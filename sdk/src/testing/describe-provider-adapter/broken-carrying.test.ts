import { expect } from 'chai'
import type { FilePart, ImagePart, OpaquePart, TextPart } from '../../contracts/provider-adapter/content.js'
import { isTextFile } from '../../contracts/provider-adapter/text-file.js'
import { fileAsText } from '../../provider-kit/messages/file-as-text.js'
import { call, details, type Events, emptyUsage, events, type Fault, failing, opaqueParts, parts, requests } from './break-adapter.test.js'
import { providerScenarios } from './support/suite-options.js'

const carrying = (what: string): string => `carrying › ${what}, where the adapter says so`

const filesOfText = [carrying('files of text of a person'), carrying('files of text in results of tools')]

/** Changes the files of all messages, those in results of tools too; what becomes nothing is left out. */
const files = (change: (file: FilePart) => TextPart | FilePart | undefined) => {
  const changed = <Part extends TextPart | ImagePart | FilePart>(part: Part) => (part.type === 'file' ? change(part) : part)
  return parts((part) => {
    if (part.type === 'file') return change(part)
    if (part.type !== 'tool_result') return part
    return { ...part, content: part.content.map(changed).filter((inner) => inner !== undefined) }
  })
}

const latinText = ({ data }: FilePart): TextPart => ({ type: 'text', text: Buffer.from(data ?? '', 'base64').toString('latin1') })

/** What is broken, how, and the tests that must fail. */
const faults: readonly Fault[] = [
  ['images that stay behind', parts((part) => (part.type === 'image' ? undefined : part)), [carrying('images of a person')]],
  ['files that stay behind', files((file) => (isTextFile(file) ? file : undefined)), [carrying('files of any kind')]],
  ['files of text that stay behind', files((file) => (isTextFile(file) ? undefined : file)), filesOfText],
  ['files of text that are read in another encoding', files((file) => (isTextFile(file) ? latinText(file) : file)), filesOfText],
  [
    'files of text that stay behind where only those are taken',
    (adapter) => ({ ...files(() => undefined)(adapter), supports: { ...adapter.supports, files: 'text' } }),
    filesOfText,
  ],
  [
    'files of text in results of which the names alone go',
    parts((part) =>
      part.type === 'tool_result'
        ? { ...part, content: part.content.map((inner) => (inner.type === 'file' ? { type: 'text', text: inner.name } : inner)) }
        : part,
    ),
    [carrying('files of text in results of tools')],
  ],
  [
    'a schema that stays behind',
    call(
      (adapter) =>
        ({ responseSchema: _, ...request }, options) =>
          adapter.call(request, options),
    ),
    [carrying('the schema of an answer')],
  ],
  [
    'system messages of which the last alone goes',
    requests(({ messages }) => {
      const last = messages.findLastIndex(({ role }) => role === 'system')
      return { messages: messages.filter(({ role }, index) => role !== 'system' || index === last) }
    }),
    ['carrying › every system message'],
  ],
  [
    'tools without their descriptions',
    requests(({ tools }) => ({ tools: tools.map((tool) => ({ ...tool, description: '' })) })),
    [carrying('tools with their descriptions and parameters')],
  ],
  [
    'a choice that only looks at whether a tool is wanted',
    requests(({ toolChoice }) => (typeof toolChoice === 'object' ? { toolChoice: 'required' } : {})),
    [carrying('the choice of a tool')],
  ],
  ['settings that stay behind', requests(() => ({ settings: {} })), ['carrying › settings and extra parameters']],
  [
    'extra parameters that are put elsewhere',
    requests(({ extraParams, model }) => (model === 'text' && !('model' in extraParams) ? { extraParams: { extra: extraParams } } : {})),
    ['carrying › settings and extra parameters'],
  ],
  [
    'a signature that is trimmed on its way back',
    opaqueParts(({ vendor, data }) => ({ vendor, data: JSON.parse(JSON.stringify(data).replaceAll(' ', '')) as OpaquePart['data'] })),
    ['carrying › back to the vendor byte for byte what it wants with the conversation'],
  ],
  [
    'a signature that goes to whoever is called',
    opaqueParts(({ data }) => ({ vendor: 'plain:model', data })),
    ['carrying › nothing opaque to another vendor'],
  ],
  [
    'an answer in one piece that does not say so',
    events((event) => [event.type === 'response.started' ? { type: 'response.started' } : event]),
    ['answers › in one piece to a streaming request are that answer, and say so'],
  ],
  [
    'an error inside of an answer that ends it well',
    call(
      (adapter) =>
        async function* whole(request, options): Events {
          if (request.model !== 'error-in-answer') return yield* adapter.call(request, options)
          yield { type: 'response.started' }
          yield { type: 'text.delta', part: 0, text: 'Hello, ' }
          yield { type: 'response.finished', content: [{ type: 'text', text: 'Hello, ' }], stop_reason: 'other', usage: emptyUsage }
        },
    ),
    ['failures › inside of an answer whose status is 200: what came, then a provider error, never a whole answer'],
  ],
  [
    'an error inside of an answer that is called something else',
    details('error-in-answer', { failure: 'bad_request' }),
    ['failures › inside of an answer whose status is 200: what came, then a provider error, never a whole answer'],
  ],
]

describe('describeProviderAdapter, what is carried and how answers fail', () => {
  for (const scenario of ['tool-call', 'reasoning', 'opaque'] as const) {
    it(`catches an ability that no scenario shows: ${scenario}`, async () => {
      const others = providerScenarios.filter((each) => each !== scenario)
      expect(await failing(() => ({}), others)).to.deep.equal(['declaration › can play what it says that it supports'])
    })
  }
  it('passes an adapter that takes files of text alone, and gives their text', async () => {
    const text = files(fileAsText)
    expect(await failing((adapter) => ({ ...text(adapter), supports: { ...adapter.supports, files: 'text' } }))).to.deep.equal([])
  })
  it('passes an adapter that says that it takes no files', async () => {
    const none = files(() => undefined)
    expect(await failing((adapter) => ({ ...none(adapter), supports: { ...adapter.supports, files: false } }))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
