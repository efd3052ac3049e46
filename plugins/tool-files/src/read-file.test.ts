import type { ToolResult } from '@agent-service/sdk/contracts/tool'
import { type Documents, documentsService, documentTypeUnknownError, documentUnreadableError } from '@agent-service/sdk/services/documents'
import { createTestContext, type PluginTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

const textsOf = ({ content }: ToolResult): readonly string[] => content.map((part) => (part.type === 'text' ? part.text : part.type))

describe('the tool read_file', () => {
  let test: PluginTestContext
  let asked: { name: string | undefined; size: number; userId: string | undefined }[]

  /** Documents whose text is three lines, unless their name says otherwise. */
  const documents: Documents = {
    reads: () => true,
    async toText({ bytes, name }, { userId }) {
      asked.push({ name, size: bytes.byteLength, userId })
      if (name === 'other.zip') throw documentTypeUnknownError.create({ mediaType: 'application/zip' })
      if (name === 'damaged.pdf') throw documentUnreadableError.create({ mediaType: 'application/pdf', reason: 'it is damaged' })
      const text = name === 'scan.pdf' ? '' : 'one\ntwo\nthree'
      return { mediaType: 'application/pdf', text, title: 'Report', details: { pages: '3', charset: 'x' }, cut: name === 'long.pdf' }
    },
  }
  const begin = async (services: readonly (readonly [typeof documentsService, Documents])[]): Promise<void> => {
    asked = []
    test = createTestContext(plugin, { services })
    await test.setup()
  }
  const put = (name: string, content: string): void => {
    test.services.userFiles.files.set(`ada/workspaces/assistant/${name}`, Buffer.from(content, 'latin1'))
  }
  const read = (path: string, more: { readonly from_line?: number; readonly to_line?: number } = {}): Promise<ToolResult> =>
    test.call('read_file', { path, ...more }, { userHandle: 'ada', workspace: 'assistant', userId: 'user-1' })
  afterEach(() => test.dispose())

  it('reads documents as text, and goes on where it is told', async () => {
    await begin([[documentsService, documents]])
    put('report.pdf', '%PDF-1.7 …')
    expect(textsOf(await read('report.pdf'))).to.deep.equal([
      'report.pdf, as text (application/pdf; title: Report; pages: 3.), lines 1 to 3 of 3.',
      'one\ntwo\nthree',
    ])
    expect(textsOf(await read('report.pdf', { from_line: 2, to_line: 2 }))[1]).to.equal('two\n')
    expect(asked[0]).to.deep.equal({ name: 'report.pdf', size: 10, userId: 'user-1' })
    put('long.pdf', '%PDF-1.7')
    expect(textsOf(await read('long.pdf'))[0]).to.contain('Only its first 2,000,000 characters can be read.')
    put('scan.pdf', '%PDF-1.7')
    expect(textsOf(await read('scan.pdf'))[0])
      .to.contain('has no text that can be read')
      .and.to.contain('pictures')
  })

  it('reads other archives, e-mails and texts in older encodings through the same service, pages and code as they are', async () => {
    await begin([[documentsService, documents]])
    put('letter.docx', 'PK\x03\x04')
    put('mail.eml', 'From: a')
    put('old.txt', 'Gr\xf6\xdfe')
    put('page.html', '<p>source</p>')
    for (const name of ['letter.docx', 'mail.eml', 'old.txt']) expect(textsOf(await read(name))[1]).to.equal('one\ntwo\nthree')
    expect(textsOf(await read('page.html'))[1]).to.equal('<p>source</p>')
    expect(asked.map(({ name }) => name)).to.deep.equal(['letter.docx', 'mail.eml', 'old.txt'])
  })

  it('says why a document has no text', async () => {
    await begin([[documentsService, documents]])
    put('other.zip', 'PK\x03\x04')
    put('damaged.pdf', '%PDF-')
    const unknown = await read('other.zip')
    const damaged = await read('damaged.pdf')
    expect([unknown.isError, damaged.isError]).to.deep.equal([true, true])
    expect(textsOf(unknown)[0]).to.match(/neither UTF-8 text nor a document.*application\/zip/)
    expect(textsOf(damaged)[0]).to.match(/it is damaged/)
  })

  it('reads texts alone where documents cannot be read', async () => {
    await begin([])
    put('report.pdf', '%PDF-1.7 \xff')
    const result = await read('report.pdf')
    expect(result.isError).to.equal(true)
    expect(textsOf(result)[0]).to.match(/is not UTF-8 text/)
  })
})
