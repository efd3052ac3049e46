import { expect } from 'chai'
import { findJsonSyntaxError, parseJsonBytes } from './json-text.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const limits = { maxDepth: 100, maxValues: 1_000 }

describe('JSON bodies', () => {
  it('reports the position of a syntax error', () => {
    expect(findJsonSyntaxError('{"a": 1,}')).to.contain('expected a member name in double quotes at line 1, column 9 (position 8)')
    expect(findJsonSyntaxError('[1\n 2]')).to.contain('expected “,” or the end of the list or object at line 2, column 2 (position 4)')
    expect(findJsonSyntaxError('{"a"')).to.contain('the text ends at line 1, column 5 (position 4), expected “:”')
    expect(findJsonSyntaxError('')).to.contain('the text ends at line 1, column 1')
    expect(findJsonSyntaxError('[1] 2')).to.contain('expected nothing after the value')
    expect(findJsonSyntaxError('["\n"]')).to.contain('expected a complete string')
    expect(findJsonSyntaxError(`["${'\\\\n'.repeat(1_000_000)}",]`)).to.contain('expected a value')
    expect(findJsonSyntaxError('[],'.repeat(200))).to.contain('expected nothing after the value at line 1, column 3')
  })

  it('finds a syntax error in every text that does not parse, and in no other', () => {
    const texts = [
      '[]',
      '{}',
      '{"a":[1,-0.5e+3,"\\u00e4",true,false,null]}',
      ' 1 ',
      '"x"',
      '01',
      '1.',
      '[,]',
      '{,}',
      "{'a':1}",
      '[1]]',
      '{"a":}',
      'nul',
      '"\\x"',
      '+1',
      '[1 2]',
    ]
    for (const text of texts) {
      let parses = true
      try {
        JSON.parse(text)
      } catch {
        parses = false
      }
      expect(findJsonSyntaxError(text).includes('it cannot be parsed'), text).to.equal(parses)
    }
  })

  it('omits __proto__, counts depth outside strings, and refuses invalid UTF-8', () => {
    const value = parseJsonBytes(
      bytes(
        '{"a":{"__proto__":{"admin":true},"\\u005f_proto__":1,"__pr\\u006fto__":{"admin":true},"\\u005F\\u005f\\u0070roto_\\u005f":2,"b":1},"__proto__":2}',
      ),
      limits,
    )
    expect(JSON.stringify(value)).to.equal('{"a":{"b":1}}')
    expect(parseJsonBytes(bytes(JSON.stringify('[[[[\\"[['.repeat(50))), { ...limits, maxDepth: 2 })).to.be.a('string')
    expect(parseJsonBytes(bytes(`${'['.repeat(100)}${']'.repeat(100)}`), limits)).to.be.an('array')
    expect(() => parseJsonBytes(bytes(`${'['.repeat(101)}${']'.repeat(101)}`), limits)).to.throw('deeper than 100')
    expect(() => parseJsonBytes(new Uint8Array([0x22, 0xc3, 0x28, 0x22]), limits)).to.throw('UTF-8')
  })
})
