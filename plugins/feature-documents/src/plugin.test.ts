import { type Documents, documentsService, documentTypeUnknownError } from '@agent-service/sdk/services/documents'
import { createTestContext, type PluginTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

const never = new AbortController().signal

/** What a promise is rejected with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  )

describe('the service documents', () => {
  let test: PluginTestContext
  let documents: Documents
  beforeEach(async () => {
    test = createTestContext(plugin)
    await test.setup()
    documents = test.provided(documentsService) ?? expect.fail('There is no service.')
  })
  afterEach(() => test.dispose())

  it('knows what it reads by name and media type', () => {
    for (const kind of [{ name: 'Report.DOCX' }, { mediaType: 'text/plain; charset=utf-8' }, { mediaType: 'image/png' }, { name: 'x.eml' }])
      expect(documents.reads(kind)).to.equal(true)
    for (const kind of [{}, { name: 'film.mp4' }, { name: 'constructor' }, { mediaType: 'application/zip' }])
      expect(documents.reads(kind)).to.equal(false)
  })

  it('reads a document, and counts it', async () => {
    const bytes = Buffer.from('<h1>Dear town</h1><p>Hello.</p>')
    const document = await documents.toText({ bytes, name: 'letter.html' }, { signal: never, userId: 'ada' })
    expect(document).to.deep.equal({ mediaType: 'text/html', text: '# Dear town\n\nHello.', details: {}, cut: false })
    expect(test.services.metrics.measured).to.deep.include({
      ...{ name: 'documents_read_total', value: 1 },
      labels: { type: 'html', outcome: 'read' },
    })
  })

  it('ends with the errors of its contract', async () => {
    const code = async (bytes: Uint8Array, mediaType?: string): Promise<unknown> =>
      (
        (await failureOf(documents.toText({ bytes, ...(mediaType === undefined ? {} : { mediaType }) }, { signal: never }))) as {
          readonly code?: unknown
        }
      ).code
    expect(await code(Buffer.from('PK\x05\x06'.padEnd(30, '\0')))).to.equal(documentTypeUnknownError.code)
    expect(await code(Buffer.from('PK\x03\x04 not an archive'))).to.equal('document_unreadable')
    expect(await code(new Uint8Array(64 * 1024 * 1024 + 1))).to.equal('document_too_costly')
    const outcomes = test.services.metrics.measured.map(({ labels }) => labels['outcome'])
    expect(outcomes).to.deep.equal(['document_type_unknown', 'document_unreadable', 'document_too_costly'])
  })

  it('is busy when too many documents of one user wait', async () => {
    const bytes = Buffer.from('x')
    const failures = await Promise.all([1, 2].map(() => failureOf(documents.toText({ bytes }, { signal: never, userId: 'ada' }))))
    // The limit of tests lets none wait.
    expect(failures.map((failure) => (failure as { readonly code?: unknown }).code)).to.include('documents_busy')
  })

  it('ends with the signal', async () => {
    const reason = new Error('enough')
    expect(await failureOf(documents.toText({ bytes: Buffer.from('x') }, { signal: AbortSignal.abort(reason) }))).to.equal(reason)
  })
})
