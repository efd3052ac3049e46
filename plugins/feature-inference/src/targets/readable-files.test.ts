import type { FilePart, ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { reaches, type SendableFiles, withReadableFiles } from './readable-files.js'

const pdf: FilePart = { type: 'file', media_type: 'application/pdf', name: 'menu.pdf', data: 'JVBERi0=', as_text: 'Soup' }
const { as_text: _, ...plainPdf } = pdf
const asText: FilePart = { type: 'file', media_type: 'text/markdown', name: 'menu.pdf', data: Buffer.from('Soup').toString('base64') }
const messages = (...content: FilePart[]): readonly ModelMessage[] => [
  { role: 'user', content: [{ type: 'text', text: 'Read this.' }, ...content] },
  { role: 'assistant', content: [{ type: 'text', text: 'Soup.' }] },
]

describe('files with a text of their own', () => {
  it('reach a target as they are or as their text, never as both', () => {
    const expected: readonly (readonly [SendableFiles, FilePart])[] = [
      [{ files: true, input: undefined }, plainPdf],
      [{ files: true, input: ['image', 'pdf'] }, plainPdf],
      [{ files: true, input: ['image'] }, asText],
      [{ files: 'text', input: undefined }, asText],
      [{ files: 'text', input: ['pdf'] }, asText],
    ]
    for (const [target, part] of expected) expect(withReadableFiles(messages(pdf), target)).to.deep.equal(messages(part))
  })

  it('change nothing where there are none', () => {
    const given = messages(plainPdf)
    expect(withReadableFiles(given, { files: 'text', input: undefined })).to.equal(given)
  })

  it('reach adapters that take text files', () => {
    expect([true, 'text', false].map((files) => reaches(pdf, files as boolean | 'text'))).to.deep.equal([true, true, false])
    expect([true, 'text', false].map((files) => reaches(plainPdf, files as boolean | 'text'))).to.deep.equal([true, false, false])
  })
})
