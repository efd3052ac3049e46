import { expect } from 'chai'
import { hasFile, partsOf } from './structure.js'

const plain = { type: 'text/plain', part: '1' }
const html = { type: 'text/html', part: '2' }
const file = (part: string, name: string, type = 'application/pdf') => ({
  type,
  part,
  disposition: 'attachment',
  dispositionParameters: { filename: name },
})

describe('the structure of a mail', () => {
  it('has one text of alternatives, plain before HTML, whichever comes first', () => {
    const { texts, files } = partsOf({ type: 'multipart/alternative', childNodes: [html, plain, { type: 'text/calendar', part: '3' }] })
    expect(texts).to.deep.equal([
      {
        forms: [
          { part: '1', kind: 'plain' },
          { part: '2', kind: 'html' },
        ],
      },
    ])
    expect(files).to.deep.equal([])
  })

  it('has pictures beside HTML as files, and several texts around them', () => {
    const picture = { type: 'image/png', part: '2.2', disposition: 'inline', parameters: { name: 'a\u0000b.png' } }
    const related = { type: 'multipart/related', childNodes: [{ ...html, part: '2.1' }, picture] }
    const { texts, files } = partsOf({
      type: 'multipart/mixed',
      childNodes: [
        { type: 'multipart/alternative', childNodes: [plain, related] },
        { type: 'text/plain', part: '3' },
      ],
    })
    expect(texts.map(({ forms }) => forms[0]?.part)).to.deep.equal(['1', '3'])
    expect(files).to.deep.equal([{ part: '2.2', mediaType: 'image/png', name: 'a b.png' }])
  })

  it('has mails within it and texts with a name as files, and no signatures', () => {
    const inner = { type: 'message/rfc822', part: '2', childNodes: [plain] }
    const { texts, files } = partsOf({
      type: 'multipart/signed',
      childNodes: [plain, inner, file('3', '../../etc/passwd', 'text/plain'), file('4', 's.asc', 'application/pgp-signature')],
    })
    expect(texts.length).to.equal(1)
    expect(files).to.deep.equal([
      { part: '2', mediaType: 'message/rfc822', name: 'message.eml' },
      { part: '3', mediaType: 'text/plain', name: 'passwd' },
    ])
  })

  it('has a bounded number of parts, and bounded depth', () => {
    const many = { type: 'multipart/mixed', childNodes: Array.from({ length: 1_000 }, (_, index) => file(String(index + 1), 'a')) }
    expect(partsOf(many).files.length).to.equal(50)
    let deep: Parameters<typeof partsOf>[0] = plain
    for (let depth = 0; depth < 5_000; depth += 1) deep = { type: 'multipart/mixed', childNodes: [deep] }
    expect(partsOf(deep)).to.deep.equal({ texts: [], files: [] })
  })

  it('says which parts can be downloaded', () => {
    const mail = { type: 'multipart/mixed', childNodes: [plain, file('2', 'a')] }
    expect(['1', '2', '3', '20'].map((part) => hasFile(mail, part))).to.deep.equal([true, true, false, false])
    expect(hasFile({ type: 'application/pdf' }, '1')).to.equal(true)
  })
})
