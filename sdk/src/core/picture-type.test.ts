import { expect } from 'chai'
import { pictureHeadBytes, pictureTypeOf } from './picture-type.js'

const typeOf = (latin1: string): string | undefined => pictureTypeOf(Buffer.from(latin1, 'latin1'))

describe('the type of a picture', () => {
  it('is that of its first bytes', () => {
    expect(typeOf('\x89PNG\r\n\x1a\n....')).to.equal('image/png')
    expect(typeOf('\xff\xd8\xff\xe0........')).to.equal('image/jpeg')
    for (const version of ['GIF87a', 'GIF89a']) expect(typeOf(`${version}......`)).to.equal('image/gif')
    expect(typeOf('RIFF\n\0\0\0WEBPVP8 ')).to.equal('image/webp')
  })

  it('is none of a beginning that is cut, of another kind of file and of a text', () => {
    for (const head of ['', '\x89PNG', '\xff\xd8', 'GIF90a', 'RIFF....WAVE', '%PDF-1.7', '<svg xmlns=', 'BM......'])
      expect(typeOf(head)).to.equal(undefined)
  })

  it('is read from a part of a larger buffer, and from no more bytes than it needs', () => {
    const file = Buffer.from('....RIFF....WEBP', 'latin1')
    expect(pictureTypeOf(file.subarray(4))).to.equal('image/webp')
    expect(pictureTypeOf(file.subarray(4, 4 + pictureHeadBytes))).to.equal('image/webp')
    expect(pictureTypeOf(file.subarray(4, 3 + pictureHeadBytes))).to.equal(undefined)
  })
})
