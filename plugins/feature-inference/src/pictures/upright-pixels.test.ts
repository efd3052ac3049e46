import { expect } from 'chai'
import { type Pixels, uprightPixels } from './upright-pixels.js'

/** Pixels that each are one letter. */
const pixelsOf = (...rows: readonly string[]) => ({
  bytes: Uint8Array.from([...rows.join('')].flatMap((letter) => Array<number>(4).fill(letter.charCodeAt(0)))),
  width: rows[0]?.length ?? 0,
  height: rows.length,
})
const rowsOf = ({ bytes, width, height }: Pixels): readonly string[] =>
  Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, column) => String.fromCharCode(bytes[(row * width + column) * 4] ?? 0)).join(''),
  )

describe('a picture whose camera was held in some way', () => {
  // Each of them is the picture “ab/cd/ef” once it is upright.
  for (const [orientation, stored] of [
    [1, ['ab', 'cd', 'ef']],
    [2, ['ba', 'dc', 'fe']],
    [3, ['fe', 'dc', 'ba']],
    [4, ['ef', 'cd', 'ab']],
    [5, ['ace', 'bdf']],
    [6, ['bdf', 'ace']],
    [7, ['fdb', 'eca']],
    [8, ['eca', 'fdb']],
  ] as const)
    it(`is upright: orientation ${orientation}`, () => {
      expect(rowsOf(uprightPixels(pixelsOf(...stored), orientation))).to.deep.equal(['ab', 'cd', 'ef'])
    })
})
