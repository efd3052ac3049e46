import { expect } from 'chai'
import type { FilePart, ImagePart, OpaquePart, TextPart } from '../../contracts/provider-adapter/content.js'
import { isTextFile } from '../../contracts/provider-adapter/text-file.js'
import { fileAsText } from '../../provider-kit/messages/file-as-text.js'
import { call, details, type Events, emptyUsage, events, type Fault, failing, opaqueParts, parts, requests } from './break-adapter.test.js'
import { providerScenarios } from './support/suite-options.js'

const carrying = (what: string): string => `carrying › ${what}, if the adapter declares it`

/** The same request must not look like another one either. */
const declared = (what: string): string => `declared fields › ${what}: on the wire, or refused before the call`

const filesOfText = [carrying('files of text of a person'), carrying('files of text in results of tools')]

/**
 * Changes the files of all messages, those in results of tools too; what becomes nothing is left
 * out.
 */
const files = (change: (file: FilePart) => TextPart | FilePart | undefined) => {
  const changed = <Part extends TextPart | ImagePart | FilePart>(part: Part) => (part.type === 'file' ? change(part) : part)
  return parts((part) => {
    if (part.type === 'file') return change(part)
    if (part.type !== 'tool_result') return part
    return { ...part, content: part.content.map(changed).filter((inner) => inner !== undefined) }
  })
}

const latinText = ({ data }: FilePart): TextPart => ({ type: 'text', text: Buffer.from(data ?? '', 'base64').toString('latin1') })

/** The fault, its implementation, and the tests that must fail. */
const faults: readonly Fault[] = [
  [
    'images that are not sent',
    parts((part) => (part.type === 'image' ? undefined : part)),
    [
      carrying('images of a person'),
      'conversations › with images in several messages: each, once and in order, if the adapter declares images',
      'conversations › with an image at an address: on the wire, or refused before the call, if the adapter declares images',
      declared('the detail of images, if the adapter declares it'),
    ],
  ],
  ['files that are not sent', files((file) => (isTextFile(file) ? file : undefined)), [carrying('files of any kind')]],
  ['text files that are not sent', files((file) => (isTextFile(file) ? undefined : file)), filesOfText],
  ['text files that are read in another encoding', files((file) => (isTextFile(file) ? latinText(file) : file)), filesOfText],
  [
    'text files that are not sent although only they are supported',
    (adapter) => ({ ...files(() => undefined)(adapter), supports: { ...adapter.supports, files: 'text' } }),
    filesOfText,
  ],
  [
    'text files in results of which only the names are sent',
    parts((part) =>
      part.type === 'tool_result'
        ? { ...part, content: part.content.map((inner) => (inner.type === 'file' ? { type: 'text', text: inner.name } : inner)) }
        : part,
    ),
    [carrying('files of text in results of tools')],
  ],
  [
    'a schema that is not sent',
    call(
      (adapter) =>
        ({ responseSchema: _, ...request }, options) =>
          adapter.call(request, options),
    ),
    [carrying('the schema of an answer'), declared('a schema that is enforced, if the adapter declares it')],
  ],
  [
    'system messages of which only the last is sent',
    requests(({ messages }) => {
      const last = messages.findLastIndex(({ role }) => role === 'system')
      return { messages: messages.filter(({ role }, index) => role !== 'system' || index === last) }
    }),
    ['carrying › every system message', 'conversations › with a system prompt of several messages and parts: all of it, once and in order'],
  ],
  [
    'tools without their descriptions',
    requests(({ tools }) => ({ tools: tools.map((tool) => ({ ...tool, description: '' })) })),
    [
      carrying('tools with their descriptions and parameters'),
      'conversations › with many tools: every description, parameter and allowed value, if the adapter declares tools',
    ],
  ],
  [
    'a tool choice that ignores the name of the tool',
    requests(({ toolChoice }) => (typeof toolChoice === 'object' ? { toolChoice: 'required' } : {})),
    [carrying('the choice of a tool')],
  ],
  [
    'settings that are not sent',
    requests(() => ({ settings: {} })),
    ['carrying › settings and extra parameters', declared('settings that the caller insists on')],
  ],
  [
    'extra parameters in the wrong position',
    requests(({ extraParams, model }) => (model === 'text' && !('model' in extraParams) ? { extraParams: { extra: extraParams } } : {})),
    ['carrying › settings and extra parameters'],
  ],
  [
    'a signature that is trimmed on its way back',
    opaqueParts(({ vendor, data }) => ({ vendor, data: JSON.parse(JSON.stringify(data).replaceAll(' ', '')) as OpaquePart['data'] })),
    ['carrying › opaque parts back to their vendor byte for byte'],
  ],
  [
    'a signature that goes to any vendor',
    opaqueParts(({ data }) => ({ vendor: 'plain:model', data })),
    ['carrying › nothing opaque to another vendor'],
  ],
  [
    'an answer in one piece that is not marked as such',
    events((event) => [event.type === 'response.started' ? { type: 'response.started' } : event]),
    ['answers › in one piece to a streaming request are that answer, and are marked as such'],
  ],
  [
    'an error inside an answer that counts as its end',
    call(
      (adapter) =>
        async function* whole(request, options): Events {
          if (request.model !== 'error-in-answer') return yield* adapter.call(request, options)
          yield { type: 'response.started' }
          yield { type: 'text.delta', part: 0, text: 'Hello, ' }
          yield { type: 'response.finished', content: [{ type: 'text', text: 'Hello, ' }], stop_reason: 'other', usage: emptyUsage }
        },
    ),
    ['failures › inside an answer with status 200: its content, then a provider error, never a complete answer'],
  ],
  [
    'an error inside an answer with another kind',
    details('error-in-answer', { failure: 'bad_request' }),
    ['failures › inside an answer with status 200: its content, then a provider error, never a complete answer'],
  ],
]

describe('describeProviderAdapter, what is carried and how answers fail', () => {
  for (const scenario of ['tool-call', 'reasoning', 'opaque'] as const) {
    it(`catches an ability without a scenario: ${scenario}`, async () => {
      const others = providerScenarios.filter((each) => each !== scenario)
      expect(await failing(() => ({}), others)).to.deep.equal(['declaration › has a scenario for each ability that it declares'])
    })
  }
  it('passes an adapter that supports only text files, and sends their text', async () => {
    const text = files(fileAsText)
    expect(await failing((adapter) => ({ ...text(adapter), supports: { ...adapter.supports, files: 'text' } }))).to.deep.equal([])
  })
  it('passes an adapter that declares no files', async () => {
    const none = files(() => undefined)
    expect(await failing((adapter) => ({ ...none(adapter), supports: { ...adapter.supports, files: false } }))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
