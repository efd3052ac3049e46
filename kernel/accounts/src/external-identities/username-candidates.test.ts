import { expect } from 'chai'
import fc from 'fast-check'
import { checkUsername } from '../accounts/account-input.js'
import { type NameSources, usernameCandidates } from './username-candidates.js'

const first = (sources: Partial<NameSources>): string => [...usernameCandidates({ email: null, name: null, ...sources })][0] ?? ''

describe('usernames for people from an identity provider', () => {
  for (const [what, sources, username] of [
    ['the name that they go by', { preferredUsername: 'Ada_L', email: 'countess@example.org' }, 'ada_l'],
    ['a name that is an address', { preferredUsername: 'ada.lovelace@example.org' }, 'ada-lovelace'],
    ['a handle with an at sign', { preferredUsername: '@ada' }, 'ada'],
    ['the address', { email: 'ada+work@example.org', name: 'Countess' }, 'ada-work'],
    ['the name', { name: 'Zoë Ångström' }, 'zoe-angstrom'],
    ['the next part where one gives nothing', { preferredUsername: '孔夫子', email: '7@example.org', name: 'Kong Fuzi' }, 'kong-fuzi'],
    ['a letter first', { preferredUsername: '42-ada' }, 'ada'],
    ['no more than 32 characters', { preferredUsername: `${'a'.repeat(31)}-${'b'.repeat(20)}` }, 'a'.repeat(31)],
    ['a word where nothing gives one', { preferredUsername: 'x', name: '🙂' }, 'user'],
    ['nothing that looks like another letter', { preferredUsername: 'аdmin' }, 'dmin'],
  ] as const)
    it(`take ${what}`, () => {
      expect(first(sources)).to.equal(username)
    })

  it('are all usernames, whatever the provider says, and end with one that nobody has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (preferredUsername, name) => {
        const candidates = [...usernameCandidates({ preferredUsername, email: null, name })]
        for (const candidate of candidates) expect(checkUsername(candidate)).to.equal(candidate)
        expect(new Set(candidates).size).to.equal(candidates.length)
        expect(candidates.at(-1)).to.match(/-[0-9a-f]{12}$/)
      }),
    )
  })
})
