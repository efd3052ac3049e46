import { expect } from 'chai'
import fc from 'fast-check'
import { spells } from '../test-support/spell.js'
import { placeholderOf } from './decisions.js'
import { compileMatcher } from './matcher/compile-matcher.js'
import { createSecretMask } from './secret-mask.js'

const windowLength = 8
const placeholder = placeholderOf('github')

/** The text through a mask, cut at these places. */
async function masked(text: string, secret: string, cuts: readonly number[] = []): Promise<string> {
  const matcher = await compileMatcher([{ credential: 'github', value: secret }])
  const mask = createSecretMask(() => matcher)
  const places = [0, ...[...cuts].sort((one, other) => one - other), text.length]
  let shown = ''
  for (const [index, place] of places.slice(1).entries()) shown += mask.take(text.slice(places[index], place))
  return shown + mask.end()
}

/** A text without spaces and colours, which are nothing of a secret. */
const compact = (text: string): string => text.replaceAll('\u001b[31m', '').replaceAll(/\s|\u200b/g, '')

/** What of a spelling belongs to the secret: not what stands before it in base64 that begins elsewhere. */
const ofSecret = (name: string, spelled: string): string => spelled.slice(/base64.* (?:at [12]|of 76)$/.test(name) ? 3 : 0)

/**
 * What of a secret is in a text: windows that stand in it, without those that stand in its
 * surroundings by chance. Where a text is cut, a few characters of a secret may be shown.
 */
function leaks(shown: string, secret: string, around: string): readonly string[] {
  const [text, spelled, beside] = [compact(shown), compact(secret), compact(around)]
  const windows = Array.from({ length: Math.max(1, spelled.length - windowLength + 1) }, (_, at) => spelled.slice(at, at + windowLength))
  return windows.filter((window) => /[a-z0-9].*[a-z0-9].*[a-z0-9]/is.test(window) && text.includes(window) && !beside.includes(window))
}

const token = fc.stringMatching(/^[A-Za-z0-9]{20,44}$/)
const password = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019!$%&/()=?+#*_.;:<>@~^|{}[]'), minLength: 14, maxLength: 30 })
  .filter((text) => /(?:.*[a-z0-9]){9}/i.test(text))
const passphrase = fc
  .array(fc.constantFrom('correct', 'horse', 'battery', 'staple', 'grün', 'l’été'), { minLength: 3, maxLength: 6 })
  .map((words) => words.join(' '))
const secrets = fc.oneof(token, password, passphrase)
const surroundings = fc.string({ unit: fc.constantFrom(...'ghjklmnw \n="\'<>,.'), maxLength: 40 })

describe('the mask of secrets', () => {
  for (const [name, spell] of Object.entries(spells))
    it(`masks ${name}, wherever it is cut`, async () => {
      await fc.assert(
        fc.asyncProperty(
          secrets,
          surroundings,
          surroundings,
          fc.array(fc.nat(400), { maxLength: 12 }),
          async (secret, before, after, cuts) => {
            const spelled = spell(secret)
            const text = `${before} ${spelled} ${after}`
            const shown = await masked(
              text,
              secret,
              cuts.map((cut) => cut % (text.length + 1)),
            )
            expect(
              leaks(shown, ofSecret(name, spelled), before + after),
              `${JSON.stringify(secret)} in ${JSON.stringify(shown)}`,
            ).to.deep.equal([])
            expect(shown).to.include(placeholder)
          },
        ),
        { numRuns: 25 },
      )
    })
})
