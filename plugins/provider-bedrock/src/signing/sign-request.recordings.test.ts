import { expect } from 'chai'
import { openVectors } from '../test-support/recordings.js'
import { signRequest } from './sign-request.js'

interface Vector {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string | null }
  readonly date: string
  readonly region: string
  readonly service: string
  readonly url: string
  readonly body: string
  readonly signedHeaders: Readonly<Record<string, string>>
}

const vectors = openVectors(process.env['FIXTURES_DIR'], 'sigv4')

describe('recorded signatures', () => {
  const files = vectors.list().filter((file) => file.endsWith('.json'))

  it('are there', () => expect(files.length).to.be.greaterThan(1))

  for (const file of files) {
    it(`${file}: the same headers, to the letter`, () => {
      const vector = JSON.parse(vectors.read(file).toString()) as Vector
      const { accessKeyId, secretAccessKey, sessionToken } = vector.credentials
      const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(vector.date) ?? []
      const headers = signRequest(
        { method: 'POST', url: new URL(vector.url), contentType: 'application/json', body: vector.body },
        {
          credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) },
          region: vector.region,
          service: vector.service,
          now: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
        },
      )
      const expected = Object.entries(vector.signedHeaders).map(([name, value]) => [name.toLowerCase(), value])
      expect(headers).to.deep.equal(Object.fromEntries(expected))
    })
  }
})
