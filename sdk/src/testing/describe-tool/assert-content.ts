import { strict as assert } from 'node:assert'
import { assertMembers } from '../settle-within.js'

/** The types of content and their required members. */
export function assertContent(content: unknown, what: string): void {
  assert.ok(isObject(content), `${what} is not an object`)
  switch (content['type']) {
    case 'text':
      assertMembers(content, ['type', 'text'], what)
      assert.equal(typeof content['text'], 'string', `the text of ${what} is ${typeof content['text']}; expected a string`)
      break
    case 'image':
      assertMembers(content, ['type', 'media_type', 'data'], what)
      assert.match(
        String(content['media_type']),
        /^image\//,
        `the media type of ${what} is “${String(content['media_type'])}”; expected image/…`,
      )
      assert.match(String(content['data']), /^[A-Za-z0-9+/]+={0,2}$/, `the data of ${what} are not base64`)
      break
    case 'json':
      assertMembers(content, ['type', 'json'], what)
      assert.ok(isObject(content['json']), `the JSON of ${what} is not an object`)
      break
    default:
      assert.fail(`the type of ${what} is “${String(content['type'])}”; expected text, image or json`)
  }
}

/** An object, not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
