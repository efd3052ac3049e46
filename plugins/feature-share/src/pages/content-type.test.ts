import { expect } from 'chai'
import { dispositionOf } from './content-type.js'

describe('the name under which a shared file is kept', () => {
  it('is the whole name, without characters that show it in another order', () => {
    expect(dispositionOf('inline', 'a.txt')).to.equal('inline; filename="a.txt"')
    expect(dispositionOf('attachment', 'für.txt')).to.equal(`attachment; filename="f_r.txt"; filename*=UTF-8''f%C3%BCr.txt`)
    for (const mark of ['\u202e', '\u202d', '\u2067', '\u200f', '\u061c'])
      expect(dispositionOf('attachment', `photo${mark}gpj.exe`)).to.match(/filename\*=UTF-8''photo_gpj\.exe$/)
  })
})
