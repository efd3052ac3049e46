import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import {
  type Documents,
  documentsBusyError,
  documentTypeUnknownError,
  documentUnreadableError,
} from '@agent-service/sdk/services/documents'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { type UserFiles, type UserFolder, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { createAttachments } from './attachments.js'

const mebibyte = 1024 * 1024
/** How to go on, behind the reason why no model can be shown a file. */
const another = '. To give it to an agent, choose one with tools for files: it gets any file in its workspace'
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex')
const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1')
const webp = Buffer.from('RIFF\n\x10\x00\x00WEBPVP8 ', 'latin1')
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1')

/** A person's folder: files by path, and how many bytes were read of it. */
const begin = (
  contents: Readonly<Record<string, Buffer>>,
  options: {
    readonly changesAfter?: number
    readonly links?: Readonly<Record<string, string>>
    readonly forbidden?: string
    readonly documents?: Documents
  } = {},
) => {
  let reads = 0
  let bytesRead = 0
  const folders: string[] = []
  const files: UserFiles = {
    uploads: () => expect.fail('No file is uploaded.'),
    hostFolder: async () => '/users/ada',
    stored: async () => ({ usedBytes: 0 }),
    freeLeftovers: async () => undefined,
    folder({ handle }, { subsystem }) {
      folders.push(`${handle}/${subsystem}`)
      const read: UserFolder['read'] = async (path, range) => {
        if (path.includes('..')) throw userPathInvalidError.create({ path, problem: 'leads upwards' })
        const whole = contents[`${subsystem}/${path}`]
        if (!whole) return undefined
        reads += 1
        const bytes = whole.subarray(0, range?.length)
        bytesRead += bytes.length
        const etag = reads > (options.changesAfter ?? Number.POSITIVE_INFINITY) ? '"2"' : '"1"'
        return { name: path.split('/').at(-1) ?? '', path, kind: 'file', size: whole.length, modifiedAt: 0, etag, bytes }
      }
      const realPath: UserFolder['realPath'] = async (path) => {
        if (path.includes('..')) throw userPathInvalidError.create({ path, problem: 'leads upwards' })
        return options.links?.[path] ?? path
      }
      return { read, realPath } as unknown as UserFolder
    },
  }
  const asked: PolicyRequest[] = []
  const policies = {
    async isAuthorized(request: PolicyRequest) {
      asked.push(request)
      return { allowed: request.resource.id !== options.forbidden }
    },
  }
  const attachments = createAttachments({ files, policies, documents: options.documents })
  const read = (paths: readonly string[], room = { used: 0, limit: 7 * mebibyte }) =>
    attachments.read({ userId: 'u', handle: 'ada' }, paths, room)
  /** What is said of each path. */
  const problems = async (...paths: readonly string[]): Promise<readonly string[]> => {
    try {
      await read(paths)
    } catch (error) {
      if (!invalidRequestError.isInstance(error)) throw error
      return error.problems.map(({ path, message }) => `${path} ${message}`)
    }
    return []
  }
  return { read, problems, folders, asked, bytesRead: () => bytesRead }
}

describe('attaching files', () => {
  it('recognises pictures and PDFs by their bytes, whatever their names, and treats the rest as text', async () => {
    const contents = { png, jpeg, gif, webp, pdf, svg: Buffer.from('<svg/>'), short: Buffer.from('é') }
    const expected = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain', 'text/plain']
    const names = Object.keys(contents)
    const folder = Object.fromEntries(Object.entries(contents).map(([name, bytes]) => [`files/${name}.md.bin`, bytes]))
    const found = await begin(folder).read(names.map((name) => `files/${name}.md.bin`))
    expect(found.map(({ part }) => part.media_type)).to.deep.equal(expected)
    expect(found.map(({ part }) => part.type)).to.deep.equal(['image', 'image', 'image', 'image', 'file', 'file', 'file'])
    expect(found.map(({ part }) => part.data)).to.deep.equal(Object.values(contents).map((bytes) => bytes.toString('base64')))
  })

  it('keeps the order and the origin of each file', async () => {
    const { read, folders } = begin({ 'workspaces/assistant/out/a.CSV': Buffer.from('a;b'), 'files/b.md': Buffer.from('# B') })
    expect(await read(['workspaces/assistant/out/a.CSV', 'files/b.md'])).to.deep.equal([
      {
        part: { type: 'file', media_type: 'text/csv', name: 'a.CSV', data: Buffer.from('a;b').toString('base64') },
        attachment: { name: 'a.CSV', path: 'workspaces/assistant/out/a.CSV', size: 3, etag: '"1"' },
      },
      {
        part: { type: 'file', media_type: 'text/markdown', name: 'b.md', data: Buffer.from('# B').toString('base64') },
        attachment: { name: 'b.md', path: 'files/b.md', size: 3, etag: '"1"' },
      },
    ])
    expect(folders).to.deep.equal(['ada/workspaces', 'ada/files'])
  })

  it('reports every file that cannot be shown, with the reason', async () => {
    const { problems } = begin({
      'files/good.md': Buffer.from('good'),
      'files/zip': Buffer.from('PK\x03\x04\xff\xfe', 'latin1'),
      'files/nul.txt': Buffer.from('a\0b'),
      'files/empty.txt': Buffer.alloc(0),
      'files/long.txt': Buffer.alloc(200 * 1024 + 1, 'a'),
      'files/large.png': Buffer.concat([png, Buffer.alloc(4 * mebibyte)]),
    })
    const unread = `is not a picture (PNG, JPEG, GIF, WebP), a PDF or a UTF-8 text, so it cannot be shown to a model${another}`
    const readable = await problems('files/good.md', 'files/zip', 'files/nul.txt')
    expect(readable).to.deep.equal([`/attachments/1/path ${unread}`, `/attachments/2/path ${unread}`])
    const found = await problems(
      ...['files/absent', 'files/good.md', 'files/empty.txt', 'files/long.txt', 'files/large.png'],
      ...['other/good.md', 'files/', 'good.md', '/files/good.md', 'files/../good.md'],
    )
    expect(found.map((text) => text.replace(another, '').split(',')[0])).to.deep.equal([
      '/attachments/0/path names a file that does not exist',
      '/attachments/2/path is empty',
      '/attachments/3/path is not a picture (PNG',
      '/attachments/4/path has 4194320 bytes; a picture may have at most 4194304. Make it smaller',
      '/attachments/5/path must name one of your files: files/… or workspaces/…',
      '/attachments/6/path must name one of your files: files/… or workspaces/…',
      '/attachments/7/path must name one of your files: files/… or workspaces/…',
      '/attachments/8/path must name one of your files: files/… or workspaces/…',
      '/attachments/9/path is not a path: The path "../good.md" leads upwards.',
    ])
  })

  it('accepts a text and a picture of exactly the largest size', async () => {
    const { read } = begin({
      'files/text': Buffer.alloc(200 * 1024, 'a'),
      'files/picture': Buffer.concat([png, Buffer.alloc(4 * mebibyte - png.length)]),
    })
    expect((await read(['files/text', 'files/picture'])).map(({ attachment }) => attachment.size)).to.deep.equal([200 * 1024, 4 * mebibyte])
  })

  it('refuses files that exceed the message before it reads any of them', async () => {
    const { read, bytesRead } = begin({ 'files/a.pdf': Buffer.concat([pdf, Buffer.alloc(3 * mebibyte)]) })
    const refused = await read(['files/a.pdf', 'files/a.pdf']).catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'message_too_long')
    expect(bytesRead()).to.be.at.most(64)
    const alone = await read(['files/a.pdf'], { used: 4 * mebibyte, limit: 7 * mebibyte }).catch((error: unknown) => error)
    expect(alone).to.have.property('code', 'message_too_long')
    expect(await read(['files/a.pdf'])).to.have.length(1)
  })

  it('asks the policies about the real file behind a link, as reading it over HTTP does', async () => {
    const { problems, asked, bytesRead } = begin(
      { 'workspaces/a/secret.md': Buffer.from('secret'), 'workspaces/a/open.md': Buffer.from('open') },
      { links: { 'a/link/secret.md': 'a/secret.md' }, forbidden: 'workspaces/a/secret.md' },
    )
    const refusal = 'names a file that the policies of this service do not allow you to read'
    expect(await problems('workspaces/a/open.md', 'workspaces/a/secret.md', 'workspaces/a/link/secret.md')).to.deep.equal([
      `/attachments/1/path ${refusal}`,
      `/attachments/2/path ${refusal}`,
    ])
    expect(bytesRead(), 'of what is open').to.equal(4)
    const owner = { __entity: { type: 'User', id: 'u' } }
    expect(asked[1]).to.deep.equal({
      principal: { type: 'User', id: 'u' },
      action: 'read_file',
      resource: { type: 'File', id: 'workspaces/a/secret.md', attributes: { path: 'workspaces/a/secret.md', owner } },
    })
  })

  it('refuses a file that changes while it is read', async () => {
    const { problems } = begin({ 'files/a.md': Buffer.from('first') }, { changesAfter: 1 })
    expect(await problems('files/a.md')).to.deep.equal(['/attachments/0/path changed while it was being read. Send the message again'])
  })
})

describe('attaching documents', () => {
  const asked: { name: string | undefined; maxCharacters: number | undefined; userId: string | undefined }[] = []
  beforeEach(() => asked.splice(0))

  /** Documents whose text is their name, unless it says otherwise. */
  const documents: Documents = {
    reads: () => true,
    async toText({ name = '', maxCharacters }, { userId }) {
      asked.push({ name, maxCharacters, userId })
      if (name.startsWith('busy')) throw documentsBusyError.create({})
      if (name.startsWith('other')) throw documentTypeUnknownError.create({ mediaType: 'application/zip' })
      if (name.startsWith('damaged')) throw documentUnreadableError.create({ mediaType: 'application/pdf', reason: 'it is damaged' })
      const text = name.startsWith('long') ? 'é'.repeat(maxCharacters ?? 0) : name.startsWith('scan') ? ' ' : `Text of ${name}`
      return { mediaType: 'x/y', text, details: {}, cut: name.startsWith('long') }
    },
  }
  const archive = Buffer.from('PK\x03\x04 …')
  const textOf = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString()

  it('attaches the text of what models do not take, once, under the name of the file', async () => {
    const contents = { 'files/a.docx': archive, 'files/b.eml': Buffer.from('From: x'), 'files/c.txt': Buffer.from([0x47, 0xf6]) }
    const found = await begin(contents, { documents }).read(Object.keys(contents))
    expect(found.map(({ part }) => [part.type, part.media_type, textOf(part.data)])).to.deep.equal([
      ['file', 'text/markdown', 'Text of a.docx'],
      ['file', 'text/markdown', 'Text of b.eml'],
      ['file', 'text/markdown', 'Text of c.txt'],
    ])
    expect(found[0]?.attachment).to.include({ name: 'a.docx', path: 'files/a.docx', size: archive.length })
    expect(asked.map(({ userId }) => userId)).to.deep.equal(['u', 'u', 'u'])
  })

  it('keeps a long text within its limit, and says that it is cut', async () => {
    const [found] = await begin({ 'files/long.docx': archive }, { documents }).read(['files/long.docx'])
    const text = textOf(found?.part.data)
    expect(Buffer.byteLength(text)).to.be.within(190 * 1024, 200 * 1024)
    expect(text).to.match(/^é+\n\n\(Cut here: /)
  })

  it('adds its text to a PDF, for models that do not take PDFs, as far as the message has room', async () => {
    const one = begin({ 'files/a.pdf': pdf }, { documents })
    const [found] = await one.read(['files/a.pdf'])
    expect(found?.part).to.include({ media_type: 'application/pdf', data: pdf.toString('base64'), as_text: 'Text of a.pdf' })
    const [narrow] = await one.read(['files/a.pdf'], { used: 0, limit: 2_000 })
    expect(narrow?.part).not.to.have.property('as_text')
  })

  it('shows a PDF without its text where there is none', async () => {
    for (const name of ['damaged.pdf', 'busy.pdf', 'scan.pdf']) {
      const [found] = await begin({ [`files/${name}`]: pdf }, { documents }).read([`files/${name}`])
      expect(found?.part).not.to.have.property('as_text')
    }
  })

  it('says which documents cannot be shown, and why', async () => {
    const contents = { 'files/other.zip': archive, 'files/damaged.docx': archive, 'files/scan.docx': archive }
    expect(await begin(contents, { documents }).problems(...Object.keys(contents))).to.deep.equal([
      `/attachments/0/path is neither a picture, a text nor a document that could be shown to a model${another}`,
      `/attachments/1/path cannot be shown to a model: The document (application/pdf) cannot be read: it is damaged${another}`,
      `/attachments/2/path has no text that could be shown to a model${another}`,
    ])
    const large = { 'files/large.docx': Buffer.concat([archive, Buffer.alloc(10 * mebibyte)]) }
    expect((await begin(large, { documents }).problems('files/large.docx'))[0]).to.match(/a document may have at most 10485760/)
  })

  it('waits for no document that cannot be read now', async () => {
    const reading = begin({ 'files/busy.docx': archive }, { documents }).read(['files/busy.docx'])
    expect(
      await reading.then(
        () => 'it was read',
        (error: unknown) => documentsBusyError.isInstance(error),
      ),
    ).to.equal(true)
  })
})
