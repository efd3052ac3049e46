import { expect } from 'chai'
import { createPictureFinder } from './find-pictures.js'
import { maxPictureBytes, readPicture } from './read-picture.js'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]).toString('base64')

/** What is found in a text that comes in pieces of a size, with texts joined. */
function find(text: string, size: number): readonly string[] {
  const finder = createPictureFinder()
  const found: string[] = []
  let words = ''
  const take = (pieces: ReturnType<typeof finder.add>): void => {
    for (const piece of pieces) {
      if ('text' in piece) {
        words += piece.text
        continue
      }
      found.push(words, `${piece.picture.mediaType} ${piece.picture.data.length}`)
      words = ''
    }
  }
  for (let start = 0; start < text.length; start += size) take(finder.add(text.slice(start, start + size)))
  take(finder.end())
  return [...found, words]
}

const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
  [`Here: ![image](data:image/png;base64,${png}) Done!`, ['Here: ', `image/png ${png.length}`, ' Done!']],
  [`![](data:image/jpeg;name=a.png;base64,${png} "a dot")`, ['', `image/png ${png.length}`, '']],
  [`![a](<data:image/png;base64,${jpeg}>)!`, ['', `image/jpeg ${jpeg.length}`, '!']],
  ['![a](data:image/png;base64,iV=BOR)', ['(The model made a picture that cannot be shown: its data is broken.)']],
  ['![a](data:image/png;base64,iVBORw0', ['(The model made a picture that cannot be shown: its data ends early.)']],
  ['![a](data:image/png;base64,...) is how', ['![a](data:image/png;base64,...) is how']],
  ['Use ![a](data:image/png;base64,<your data>\n\nThen', ['Use ![a](data:image/png;base64,<your data>\n\nThen']],
  ['![a](data:image/png;base64,iVBORw0 "never\nclosed) x', ['![a](data:image/png;base64,iVBORw0 "never\nclosed) x']],
  [`![](data:image/png;base64,${png} "a dot (red)")!`, ['', `image/png ${png.length}`, '!']],
  ['![![![a](data:', ['![![![a](data:']],
  ['![a](https://example.org/a.png) and ![b', ['![a](https://example.org/a.png) and ![b']],
  ['![a](data:text/html;base64,PGI+)', ['![a](data:text/html;base64,PGI+)']],
  [`\`![a](data:image/png;base64,${png})\``, [`\`![a](data:image/png;base64,${png})\``]],
  [`\`\`\`\n![a](data:image/png;base64,${png})\n\`\`\``, [`\`\`\`\n![a](data:image/png;base64,${png})\n\`\`\``]],
  ['Wow! Great![1] a[!', ['Wow! Great![1] a[!']],
]

describe('pictures in a text', () => {
  for (const [text, found] of cases) {
    it(`${text.slice(0, 60)}, cut anywhere`, () => {
      for (const size of [1, 2, 3, 7, 10_000]) expect(find(text, size), `pieces of ${size}`).to.deep.equal(found)
    })
  }

  it('cost no more than their length', () => {
    const blanks = ' '.repeat(1_000_000)
    expect(find(`![](data:image/png;base64,${blanks}A)`, 2_000_000)[0]).to.contain('broken')
    const begun = '!['.repeat(3_000_000)
    expect(find(begun, begun.length)).to.deep.equal([begun])
  })

  it('have the type of their bytes', () => {
    expect(readPicture({ mediaType: 'image/png', data: jpeg })).to.deep.equal({ mediaType: 'image/jpeg', data: jpeg })
    expect(readPicture({ mediaType: 'application/octet-stream', data: jpeg })).to.deep.equal({ mediaType: 'image/jpeg', data: jpeg })
    expect(readPicture({ mediaType: 'image/svg+xml', data: 'PHN2Zz4=' })).to.deep.equal({ mediaType: 'image/svg+xml', data: 'PHN2Zz4=' })
  })

  it('become a sentence if they are none, or too large', () => {
    const sentence = (mediaType: string, data: string): string => {
      const read = readPicture({ mediaType, data })
      return 'sentence' in read ? read.sentence : expect.fail('It was taken.')
    }
    expect(sentence('image/png', 'PGI+')).to.contain('not that of a picture')
    expect(sentence('image/x"><script>', 'PGI+')).to.contain('not that of a picture')
    expect(sentence('image/png', '')).to.contain('broken')
    expect(sentence('image/png', `${png}*`)).to.contain('broken')
    expect(sentence('image/png', Buffer.alloc(maxPictureBytes + 1, 'a').toString('base64'))).to.contain('larger than 20 MiB')
  })
})
