import { ServiceError } from '@agent-service/sdk'
import { nearest } from '@agent-service/sdk/host'
import { expect } from 'chai'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { formatPath, parsePath } from './schema/dotted-path.js'
import { load } from './testing/configuration-fixture.js'

/** Resolves to the message of a refusal, or to the empty text; fails for any other error. */
const outcome = async (loading: Parameters<typeof load>[0]): Promise<string> => {
  try {
    await load(loading)
    return ''
  } catch (error) {
    if (ServiceError.isInstance(error) && error.code === 'configuration_invalid') return error.message
    throw error
  }
}

describe('configuration: arbitrary input', () => {
  it('reads any path that it writes', () => {
    const part = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('.', '"', "'", '[', ']', '\\', 'a', '1') }), fc.nat(1000))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (path) => {
        if (typeof path[0] === 'number') path.unshift('a')
        expect(parsePath(formatPath(path))).to.deep.equal(path)
      }),
      { numRuns: 500 },
    )
    for (const text of ['a..b', '.a', 'a.', 'a"b', '"a', 'a[b]', 'a[1', '"a"b']) expect(parsePath(text), text).to.equal(undefined)
  })

  it('reports that a reference between braces needs quotes', async () => {
    for (const yaml of ['server: { base_url: ${HERE} }', 'plugins: { required: [${HERE}] }'])
      expect(await outcome({ yaml }), yaml).to.match(/needs quotes between braces or brackets.* \(1:\d+\)/)
  })

  it('accepts or refuses any text as a file, and never throws anything else', async function () {
    this.timeout(60_000)
    const pieces = fc.constantFrom(
      'server',
      'models',
      ':',
      ': ',
      '\n',
      '  ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ',',
      '&a ',
      '*a',
      '"',
      "'",
      '|',
      '>',
      '#',
      '?',
      '!',
      '${A}',
      '${',
      '~',
      '1',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
        ),
        async (yaml) => {
          await outcome({ yaml })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('accepts or refuses any value in any section, with the reason, and shows no secret', async function () {
    this.timeout(60_000)
    const canary = 'canary-4711-secret'
    const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('${KEY}', '${KEY}x', '${NONE}', '${', canary))
    const key = fc.constantFrom(
      'server',
      'auth',
      'database',
      'providers',
      'models',
      'plugins',
      'port',
      'api_key',
      'encryption_secret',
      'url',
      'primary',
      'retry',
      'extra_params',
      'settings',
      'tool-dice',
      'sides',
      'work',
      'provider',
      'api',
      'seed',
      'fallbacks',
    )
    const branch = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))))
    await fc.assert(
      fc.asyncProperty(branch, async (value) => {
        const yaml = stringify({ ...value, auth: { encryption_secret: canary }, providers: { work: { api_key: [canary] } } })
        const message = await outcome({ yaml, environment: { KEY: canary } })
        expect(message).to.match(/^The configuration has \d+ problems?/)
        expect(
          message
            .split('\n')
            .filter((line) => /^ {2}(providers|auth)[.:]/.test(line))
            .join('\n'),
        ).to.not.contain(canary)
      }),
      { numRuns: 150 },
    )
  })

  it('accepts or refuses any variables', async function () {
    this.timeout(60_000)
    const word = fc.constantFrom(
      'SERVER',
      'MODELS',
      'PROVIDERS',
      'PLUGINS',
      'SETTINGS',
      'TOOL',
      'DICE',
      'PORT',
      'PRIMARY',
      'RETRY',
      '_',
      '__',
      '___',
      '',
      'X',
      'VAULT',
      'EXTRA_PARAMS',
    )
    const name = fc.array(word, { maxLength: 6 }).map((words) => `SERVICE_${words.join('_')}`)
    const text = fc.oneof(fc.string(), fc.json(), fc.constantFrom('1', 'true', '{}', '[]', '${A}', 'canary-4711'))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, text), async (environment) => {
        expect(await outcome({ environment })).to.not.contain('canary-4711')
      }),
      { numRuns: 150 },
    )
  })

  it('suggests only near names', () => {
    const names = ['port', 'host', 'base_url', 'backend_url']
    expect(['prot', 'PORT', 'hst', 'base_ulr', 'backendurl', 'x', 'completely', ''].map((word) => nearest(word, names))).to.deep.equal([
      'port',
      'port',
      'host',
      'base_url',
      'backend_url',
      undefined,
      undefined,
      undefined,
    ])
  })
})
