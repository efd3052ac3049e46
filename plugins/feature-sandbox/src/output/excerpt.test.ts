import { expect } from 'chai'
import { createExcerpt } from './excerpt.js'

const marker = ({ from, characters }: { readonly from: number; readonly characters: number }) => `<${from} ${characters}>`

describe('the excerpt of an output', () => {
  it('is the whole of a short one', () => {
    const excerpt = createExcerpt()
    excerpt.add('x'.repeat(9_999), 0)
    excerpt.add('y'.repeat(20_001), 9_999)
    expect(excerpt.text(marker)).to.equal('x'.repeat(9_999) + 'y'.repeat(20_001))
  })

  it('has the beginning and the end of a long one in whole lines, and says where to continue', () => {
    const excerpt = createExcerpt()
    const line = (number: number) => `line ${String(number).padStart(6, '0')}\n`
    for (let number = 0; number < 100_000; number += 1) excerpt.add(line(number), number * 12)
    const text = excerpt.text(marker)
    expect(text.length).to.be.below(31_000)
    const [head = '', , tail = ''] = text.split(/(<\d+ \d+>)/)
    expect(head)
      .to.match(/^line 000000\n/)
      .and.to.match(/line 0008\d\d\n$/)
    expect(tail)
      .to.match(/^\nline \d{6}\n/)
      .and.to.match(/line 099999\n$/)
    const [, from = '', characters = ''] = /<(\d+) (\d+)>/.exec(text) ?? []
    expect(Number(from), 'not behind what is left out').to.be.at.most(head.length)
    expect(Number(characters)).to.equal(1_200_000 - (head.length - 1) - (tail.length - 1))
  })

  it('never splits a character of a line without an end', () => {
    const excerpt = createExcerpt()
    excerpt.add(`x${'😀'.repeat(40_000)}`, 0)
    expect(excerpt.text(marker)).not.to.match(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  })
})
