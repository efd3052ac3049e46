import { strict as assert } from 'node:assert'
import { inspect } from 'node:util'
import type { TObject } from 'typebox'
import type { JsonObject } from '../core/json.js'

/** Looks for secrets in what should have none. */
export interface SecretFinder {
  /** Also looks for this one from now on. Short ones are passed over: they would be found in any text. */
  add(secret: string): void
  /** Fails if one of the secrets, plain or encoded, is in a value, its causes and hidden members included. */
  assertNone(value: unknown, what: string): void
}

const minLength = 8

/** Makes a finder that knows these secrets. */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = new Map<string, string>()
  const add = (secret: string): void => {
    if (secret.length < minLength) return
    // One that is written alike in several forms has the name of the first.
    for (const [name, form] of formsOf(secret)) if (!forms.has(form)) forms.set(form, name)
  }
  secrets.forEach(add)
  return {
    add,
    assertNone(value, what) {
      const text = textOf(value)
      for (const [form, name] of forms) assert.ok(!text.includes(form), `${what} has a secret in it, ${name}`)
    },
  }
}

/** The values of the members of a connection that its schema marks as secret. */
export const secretsOfMembers = ({ properties }: TObject, members: JsonObject): readonly string[] =>
  Object.entries(properties)
    .filter(([, schema]) => (schema as { readonly 'x-secret'?: boolean })['x-secret'] === true)
    .map(([name]) => members[name])
    .filter((value) => typeof value === 'string')

function formsOf(secret: string): readonly (readonly [string, string])[] {
  const bytes = Buffer.from(secret)
  return [
    ['plain', secret],
    ['as JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in base64', bytes.toString('base64').replace(/=+$/, '')],
    ['in base64 for URLs', bytes.toString('base64url')],
    ['in hex', bytes.toString('hex')],
  ]
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const shown = inspect(value, { depth: 12, showHidden: true, maxArrayLength: 1_000, maxStringLength: 1_000_000, breakLength: Infinity })
  const texts = value instanceof Error ? [value.message, value.stack ?? ''] : []
  return [shown, ...texts].join('\n')
}
