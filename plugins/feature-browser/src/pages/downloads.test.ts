import { expect } from 'chai'
import { safeName } from './downloads.js'

describe('the name of a download', () => {
  it('is one plain name, whatever was suggested', () => {
    const cases = [
      ['report.pdf', 'report.pdf'],
      ['../../.ssh/authorized_keys', 'authorized_keys'],
      ['C:\\Windows\\win.ini', 'win.ini'],
      ['..', 'download'],
      ['.bashrc', 'bashrc'],
      ['a\u202egpj.exe\u0000', 'a_gpj.exe_'],
      ['name. . .', 'name'],
    ] as const
    for (const [given, expected] of cases) expect(safeName(given), given).to.equal(expected)
  })

  it('fits into a file system, in every script, and never becomes hidden by being cut', () => {
    for (const given of [
      `${'長'.repeat(300)}.pdf`,
      `${'🌦'.repeat(300)}.pdf`,
      `x.${'a'.repeat(115)}.pdf`,
      `${'y'.repeat(50)}.${'a'.repeat(115)}.pdf`,
    ]) {
      const name = safeName(given)
      expect(Buffer.byteLength(name), given).to.be.at.most(200)
      expect(name, given).to.match(/^[^.].*\.pdf$/u)
    }
  })

  // In proportion to the square it would be minutes.
  it('is made before the test is over, however many dots a server suggests', () => {
    for (const filler of ['.', ' ', './', '\\', '_'])
      for (const end of ['x', '']) expect(safeName(`x${filler.repeat(200_000)}${end}`)).to.match(/^\S/)
  })
})
