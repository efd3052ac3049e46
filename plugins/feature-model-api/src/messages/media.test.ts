import { expect } from 'chai'
import { readFile, readImage } from './media.js'

const refused = { accepted: false }
const dataOf = (url: string) => {
  try {
    return readImage(url, 'at')
  } catch {
    return refused
  }
}

describe('a data URI', () => {
  it('is read with its type, whatever parameters it has', () => {
    expect(readImage('data:Image/PNG;charset=x;base64,QUJD', 'at')).to.deep.equal({ type: 'image', media_type: 'image/png', data: 'QUJD' })
    expect(readFile('data:application/pdf;base64,QQ==', 'a.pdf', 'at')).to.include({ media_type: 'application/pdf', data: 'QQ==' })
    for (const data of ['', 'QQ', 'QUI', 'QUI=', 'QUJDRA==', 'A+/z']) expect(dataOf(`data:image/png;base64,${data}`)).to.include({ data })
  })

  it('is read as plain base64, with the spaces, line breaks and the alphabet of URLs that clients use', () => {
    for (const data of ['QU+/', 'QU-_', 'QU\n+/', 'QU\r\n-_\r\n', ' QU+/'])
      expect(dataOf(`data:image/png;base64,${data}`), data).to.include({ data: 'QU+/' })
    expect(dataOf('data:image/png; base64,QUJD')).to.include({ data: 'QUJD' })
  })

  it('is refused if its data is not base64', () => {
    const digits = 'QUJD'.repeat(200_000)
    for (const data of ['Q', 'Q===', '!', 'Q!==', 'QU=D', 'Q\n', 'QUJDé', 'QUJDEF!', 'QUJDE!', 'QUJD😀'])
      for (const before of ['', digits]) expect(dataOf(`data:image/png;base64,${before}${data}`), data).to.equal(refused)
    for (const from of [0, 262_143, 262_144, 262_145, digits.length - 1])
      expect(dataOf(`data:image/png;base64,${digits.slice(0, from)}!${digits.slice(from + 1)}`), String(from)).to.equal(refused)
  })

  it('is refused without its head', () => {
    for (const url of [
      '',
      'QUJD',
      'data:image/png,QUJD',
      'data:;base64,QUJD',
      'http://a/b.png',
      `data:image/png;${'x'.repeat(2_000)};base64,QUJD`,
    ])
      expect(dataOf(url), url.slice(0, 30)).to.equal(refused)
  })
})
